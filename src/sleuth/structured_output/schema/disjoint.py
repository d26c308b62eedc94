"""Whether two schemas can hold of one value: "no" is proved, "perhaps" is not."""

from __future__ import annotations

from math import inf

from sleuth.result import Json, json_array, json_object
from sleuth.structured_output.schema.words import same, type_of, types_of

DEPTH = 4


def disjoint(one: Json, other: Json, depth: int = 0) -> bool:
    """Whether no value is valid against both. References are not followed: what one points to is given in its place."""
    if one is False or other is False:
        return True
    if not isinstance(one, dict) or not isinstance(other, dict) or depth > DEPTH:
        return False
    values, others = _values(one), _values(other)
    if values is not None and others is not None:
        return not any(same(value, another) for value in values for another in others)
    common = _types(one) & _types(other)
    if not common:
        return True
    return (common <= {"number"} and _apart(one, other)) or (common <= {"object"} and _clash(one, other, depth))


def _values(schema: dict[str, Json]) -> list[Json] | None:
    if "const" in schema:
        return [schema["const"]]
    return json_array(schema["enum"]) if "enum" in schema else None


def _types(schema: dict[str, Json]) -> frozenset[str]:
    values = _values(schema)
    return types_of(schema) if values is None else types_of(schema) & {type_of(value) for value in values}


def _apart(one: dict[str, Json], other: dict[str, Json]) -> bool:
    (low, high), (lowest, highest) = _range(one), _range(other)
    return low > highest or lowest > high


def _range(schema: dict[str, Json]) -> tuple[int | float, int | float]:
    def bounds(*keywords: str) -> list[int | float]:
        found = [schema.get(keyword) for keyword in keywords]
        return [bound for bound in found if isinstance(bound, int | float) and not isinstance(bound, bool)]

    return max([-inf, *bounds("minimum", "exclusiveMinimum")]), min([inf, *bounds("maximum", "exclusiveMaximum")])


def _clash(one: dict[str, Json], other: dict[str, Json], depth: int) -> bool:
    """A property that both require and cannot agree on, or that one requires and the other has no room for."""
    parts, others = json_object(one.get("properties", {})), json_object(other.get("properties", {}))
    needed, also_needed = _required(one), _required(other)
    if any(disjoint(parts.get(name, True), others.get(name, True), depth + 1) for name in needed | also_needed):
        return True
    return _no_room(needed, other, others) or _no_room(also_needed, one, parts)


def _no_room(needed: set[str], closed: dict[str, Json], parts: dict[str, Json]) -> bool:
    if closed.get("additionalProperties") is not False or closed.get("patternProperties"):
        return False
    return not needed <= parts.keys()


def _required(schema: dict[str, Json]) -> set[str]:
    return {str(name) for name in json_array(schema.get("required", []))}

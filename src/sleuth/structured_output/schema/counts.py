"""Keywords that count or range over whole arrays and objects, said by naming places and properties."""

from __future__ import annotations

from itertools import combinations
from math import comb

from sleuth.result import Json, json_array, json_object
from sleuth.structured_output.schema.pattern import exactly, to_rust
from sleuth.structured_output.schema.words import TYPES, types_of

BRANCHES = 64
"""Most alternatives that one keyword is unfolded into."""

REACH = 8
"""Among so many first items of an array `contains` finds its own."""

DEPTH = 12
"""So many references are followed, one from another."""

_ANNOTATIONS = frozenset({"title", "description", "$comment", "default", "examples", "type"})


class Uncountable(ValueError):
    """What would take too many alternatives, or cannot be said by places and names."""


def all_but(name: str) -> Json:
    """Everything that is not of the type `name`."""
    return {"type": [other for other in TYPES if other != name]}


def properties(schema: dict[str, Json]) -> Json:
    """`minProperties` and `maxProperties`. A mask counts only the properties that nobody named, so it is told for each number of
    named ones how many others there may be."""
    least, most = _number(schema, "minProperties", 0), _number(schema, "maxProperties", None)
    named = json_object(schema.get("properties", {}))
    needed = {str(name) for name in json_array(schema.get("required", []))}
    optional = [name for name, part in named.items() if name not in needed and part is not False]
    counted: dict[str, Json] = {"type": "object"}
    counted |= {"minProperties": least} if least else {}
    counted |= {} if most is None else {"maxProperties": most}
    if not optional:
        return {"anyOf": [all_but("object"), counted]}
    # With `least` named ones there it is enough; below that, exactly which are there decides how many others are needed.
    enough = len(optional) + 1 if most is not None else max((least or 0) - len(needed), 0)
    sizes = range(min(enough, len(optional) + 1))
    if sum(comb(len(optional), size) for size in [*sizes, min(enough, len(optional))]) > BRANCHES:
        raise Uncountable(f"a count over {len(optional)} optional properties")
    branches: list[Json] = [all_but("object")]
    for size in sizes:
        for present in combinations(optional, size):
            absent: dict[str, Json] = {name: False for name in optional if name not in present}
            branches.append({**counted, "required": [*needed, *present], "properties": absent})
    if enough <= len(optional):
        branches += [{"type": "object", "required": [*needed, *present]} for present in combinations(optional, enough)]
    return {"anyOf": branches}


def contains(schema: dict[str, Json], inner: Json) -> tuple[Json, str | None]:
    """`contains` with its `minContains`, `inner` being its schema as it is kept; and what was narrowed."""
    least = _number(schema, "minContains", 1) or 0
    if "maxContains" in schema:
        raise Uncountable("how many items there may be at most is not counted")
    most = _number(schema, "maxItems", None)
    reach = REACH if most is None else min(most, REACH)
    if least == 0:
        return True, None
    if comb(reach, least) > BRANCHES or least > reach:
        raise Uncountable(f"{least} items among {reach}")
    places: list[Json] = []
    for chosen in combinations(range(reach), least):
        items: list[Json] = [inner if place in chosen else True for place in range(chosen[-1] + 1)]
        places.append({"type": "array", "minItems": len(items), "prefixItems": items})
    narrower = f"found among the first {reach} items only" if most is None or most > reach else None
    return {"anyOf": [all_but("array"), *places]}, narrower


def names(schema: Json) -> Json:
    """`propertyNames`, by the names that its schema allows."""
    if not isinstance(schema, dict):
        return True if schema else {"anyOf": [all_but("object"), {"type": "object", "maxProperties": 0}]}
    if "string" not in types_of(schema):
        return names(False)
    said = schema.keys() - _ANNOTATIONS
    if not said:
        return True
    if said == {"pattern"}:
        pattern = to_rust(str(schema["pattern"]))
    elif said == {"enum"} or said == {"const"}:
        values = json_array(schema["enum"]) if "enum" in schema else [schema["const"]]
        pattern = exactly(value for value in values if isinstance(value, str))
    elif said <= {"minLength", "maxLength"}:
        most = _number(schema, "maxLength", None)
        pattern = rf"^[\s\S]{{{_number(schema, 'minLength', 0)},{'' if most is None else most}}}$"
    else:
        raise Uncountable(f"names that keep {', '.join(sorted(said))}")
    return {"patternProperties": {pattern: True}, "additionalProperties": False}


def _number(schema: dict[str, Json], keyword: str, default: int | None) -> int | None:
    value = schema.get(keyword)
    return int(value) if isinstance(value, int | float) else default

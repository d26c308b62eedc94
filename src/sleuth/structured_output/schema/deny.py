"""What is valid exactly where a schema is not.

A schema is a conjunction of keywords, each of which speaks of one type, so its opposite is a choice: for one of the keywords, a
value of that type that breaks it. Where a keyword's opposite cannot be said, its branch is left out: what is written is still
right, only not all of it can be. Where no branch is left, Undeniable is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Protocol

from sleuth.result import Json, json_array, json_object
from sleuth.structured_output.schema.pattern import none_of
from sleuth.structured_output.schema.words import TYPES, escaped, same, type_of

DEPTH = 12
"""So deep negations are followed through references."""

FIRST_ITEMS = 4
"""Among so many first items the one that breaks `items` is looked for."""


class Undeniable(ValueError):
    """A schema whose opposite no mask can keep."""


class Keeper(Protocol):
    """The other half: how a schema is kept, where references point, and the list of what was narrowed."""

    def keep(self, schema: Json, at: str) -> Json: ...

    def find(self, reference: Json, standing_in: Json) -> Json: ...

    def narrow(self, pointer: str, why: str) -> None: ...

    def asserts(self, name: Json) -> bool: ...


@dataclass(frozen=True, slots=True)
class _Denied:
    """A keyword to be denied: its value, its schema, its place, and how deep in negations it stands."""

    schema: dict[str, Json]
    value: Json
    here: str
    keeper: Keeper
    depth: int

    def no(self, schema: Json, below: str = "") -> Json:
        return deny(schema, self.here + below, self.keeper, self.depth + 1)

    @property
    def number(self) -> int:
        return int(self.value) if isinstance(self.value, int | float) else 0


def deny(schema: Json, at: str, keeper: Keeper, depth: int = 0) -> Json:
    """The opposite of `schema`, which stands at `at`. Raises Undeniable."""
    if not isinstance(schema, dict):
        return schema is False
    if depth > DEPTH:
        raise Undeniable("it denies itself, over and over")
    ways: list[Json] = []
    lost: list[tuple[str, str]] = []
    for keyword, value in schema.items():
        handler = _HANDLERS.get(keyword)
        if handler is None:
            continue
        here = f"{at}/{escaped(keyword)}"
        try:
            ways += [way for way in handler(_Denied(schema, value, here, keeper, depth)) if way is not False]
        except _NotSaid as error:
            ways += error.ways
            lost.append((here, str(error)))
    if not ways and lost:
        raise Undeniable(f"the opposite of {lost[0][1]}")
    for pointer, why in lost:
        keeper.narrow(pointer, f"the opposite of {why} is left out")
    return ways[0] if len(ways) == 1 else {"anyOf": ways} if ways else False


class _NotSaid(Exception):
    """A keyword whose opposite cannot be said; `ways` are those parts of it that can."""

    def __init__(self, what: str, ways: Sequence[Json] = ()) -> None:
        super().__init__(what)
        self.ways = list(ways)


def _type(it: _Denied) -> list[Json]:
    held = {str(name) for name in it.value} if isinstance(it.value, list) else {str(it.value)}
    rest: list[Json] = [name for name in TYPES if name not in held and not (name == "number" and "integer" in held)]
    ways: list[Json] = [{"type": rest}] if rest else []
    if "integer" in held and "number" not in held:
        raise _NotSaid("an integer, a number that is none,", ways)
    return ways


def _enum(it: _Denied) -> list[Json]:
    return _none_of(json_array(it.value))


def _const(it: _Denied) -> list[Json]:
    return _none_of([it.value])


def _none_of(values: Sequence[Json]) -> list[Json]:
    """Values other than these."""
    types = {type_of(value) for value in values}
    ways: list[Json] = [{"type": [name for name in TYPES if name not in types]}] if len(types) < len(TYPES) else []
    if "boolean" in types:
        ways += [{"const": value} for value in (True, False) if not any(same(value, other) for other in values)]
    if "number" in types:
        ways += _between([value for value in values if isinstance(value, int | float) and not isinstance(value, bool)])
    if "string" in types:
        ways.append({"type": "string", "pattern": none_of(value for value in values if isinstance(value, str))})
    composed = [value for value in values if isinstance(value, list | dict)]
    if len(composed) > 1:
        raise _NotSaid("several arrays or objects", ways)
    for value in composed:
        ways += _other_array(value) if isinstance(value, list) else _other_object(json_object(value))
    return ways


def _between(numbers: Sequence[int | float]) -> list[Json]:
    """Below the least of them, between two neighbours, above the greatest."""
    edges = [None, *sorted(set(numbers)), None]
    ways: list[Json] = []
    for low, high in pairwise(edges):
        way: dict[str, Json] = {"type": "number"}
        way |= {} if low is None else {"exclusiveMinimum": low}
        way |= {} if high is None else {"exclusiveMaximum": high}
        ways.append(way)
    return ways


def _other_array(value: list[Json]) -> list[Json]:
    ways: list[Json] = [{"type": "array", "minItems": len(value) + 1}]
    if value:
        ways.append({"type": "array", "maxItems": len(value) - 1})
    return ways + [_item_at(place, {"anyOf": _none_of([item])}) for place, item in enumerate(value)]


def _other_object(value: dict[str, Json]) -> list[Json]:
    more: Json = {"type": "object", "required": list(value), "minProperties": len(value) + 1}
    ways: list[Json] = [more, *({"type": "object", "properties": {name: False}} for name in value)]
    return ways + [_property(name, {"anyOf": _none_of([item])}) for name, item in value.items()]


def _item_at(place: int, schema: Json) -> Json:
    return {"type": "array", "minItems": place + 1, "prefixItems": [*[True] * place, schema]}


def _property(name: str, schema: Json) -> Json:
    return {"type": "object", "required": [name], "properties": {name: schema}}


def _other_bound(keyword: str) -> Callable[[_Denied], list[Json]]:
    def denied(it: _Denied) -> list[Json]:
        if isinstance(it.value, bool):
            raise _NotSaid("a bound of draft 4")
        return [{"type": "number", keyword: it.value}]

    return denied


def _fewer(type_name: str, keyword: str) -> Callable[[_Denied], list[Json]]:
    return lambda it: [{"type": type_name, keyword: it.number - 1}] if it.number > 0 else []


def _more(type_name: str, keyword: str) -> Callable[[_Denied], list[Json]]:
    return lambda it: [{"type": type_name, keyword: it.number + 1}]


def _required(it: _Denied) -> list[Json]:
    return [{"type": "object", "properties": {str(name): False}} for name in json_array(it.value)]


def _properties(it: _Denied) -> list[Json]:
    ways: list[Json] = []
    for name, part in json_object(it.value).items():
        other = it.no(part, f"/{escaped(name)}")
        if other is not False:
            ways.append(_property(name, other))
    return ways


def _prefix_items(it: _Denied) -> list[Json]:
    others = [(place, it.no(part, f"/{place}")) for place, part in enumerate(json_array(it.value))]
    return [_item_at(place, other) for place, other in others if other is not False]


def _items(it: _Denied) -> list[Json]:
    if isinstance(it.value, list):
        return _prefix_items(it)
    other = it.no(it.value)
    if other is False:
        return []
    start = len(json_array(it.schema.get("prefixItems", [])))
    raise _NotSaid("an item far back", [_item_at(place, other) for place in range(start, start + FIRST_ITEMS)])


def _contains(it: _Denied) -> list[Json]:
    if it.schema.get("minContains", 1) != 1 or "maxContains" in it.schema:
        raise _NotSaid("a count of items")
    return [{"type": "array", "items": it.no(it.value)}]


def _all_of(it: _Denied) -> list[Json]:
    return [it.no(part, f"/{place}") for place, part in enumerate(json_array(it.value))]


def _any_of(it: _Denied) -> list[Json]:
    denied = _all_of(it)
    return [] if any(part is False for part in denied) else [{"allOf": denied}]


def _one_of(it: _Denied) -> list[Json]:
    kept = [it.keeper.keep(part, f"{it.here}/{place}") for place, part in enumerate(json_array(it.value))]
    return [*_any_of(it), *({"allOf": [one, other]} for one, other in combinations(kept, 2))]


def _not(it: _Denied) -> list[Json]:
    return [it.keeper.keep(it.value, it.here)]


def _if(it: _Denied) -> list[Json]:
    ways: list[Json] = []
    if "then" in it.schema:
        ways.append({"allOf": [it.keeper.keep(it.value, it.here), it.no(it.schema["then"])]})
    if "else" in it.schema:
        ways.append({"allOf": [it.no(it.value), it.no(it.schema["else"])]})
    return ways


def _dependent(it: _Denied) -> list[Json]:
    ways: list[Json] = []
    for name, asked in json_object(it.value).items():
        if isinstance(asked, list):
            others = [str(other) for other in asked if other != name]
            ways += [{"type": "object", "required": [name], "properties": {other: False}} for other in others]
        else:
            ways.append({"allOf": [{"type": "object", "required": [name]}, it.no(asked, f"/{escaped(name)}")]})
    return ways


def _reference(it: _Denied) -> list[Json]:
    return [it.no(it.keeper.find(it.value, it.schema))]


def _format(it: _Denied) -> list[Json]:
    if it.keeper.asserts(it.value):
        raise _NotSaid("a format")
    return []


def _unique(it: _Denied) -> list[Json]:
    if it.value is True:
        raise _NotSaid("items that are all different")
    return []


def _unsaid(what: str) -> Callable[[_Denied], list[Json]]:
    def denied(it: _Denied) -> list[Json]:
        if it.value is True or it.value == {}:
            return []
        raise _NotSaid(what)

    return denied


_HANDLERS: Mapping[str, Callable[[_Denied], list[Json]]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "minimum": _other_bound("exclusiveMaximum"),
    "maximum": _other_bound("exclusiveMinimum"),
    "exclusiveMinimum": _other_bound("maximum"),
    "exclusiveMaximum": _other_bound("minimum"),
    "minLength": _fewer("string", "maxLength"),
    "maxLength": _more("string", "minLength"),
    "minItems": _fewer("array", "maxItems"),
    "maxItems": _more("array", "minItems"),
    "minProperties": _fewer("object", "maxProperties"),
    "maxProperties": _more("object", "minProperties"),
    "required": _required,
    "properties": _properties,
    "prefixItems": _prefix_items,
    "items": _items,
    "contains": _contains,
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
    "if": _if,
    **dict.fromkeys(("dependencies", "dependentRequired", "dependentSchemas"), _dependent),
    **dict.fromkeys(("$ref", "$dynamicRef", "$recursiveRef"), _reference),
    "format": _format,
    "uniqueItems": _unique,
    "pattern": _unsaid("a pattern"),
    "multipleOf": _unsaid("a multiple"),
    "patternProperties": _unsaid("properties by pattern"),
    "additionalProperties": _unsaid("other properties"),
    "additionalItems": _unsaid("other items"),
    "propertyNames": _unsaid("the names of properties"),
    "unevaluatedItems": _unsaid("items not looked at"),
    "unevaluatedProperties": _unsaid("properties not looked at"),
}

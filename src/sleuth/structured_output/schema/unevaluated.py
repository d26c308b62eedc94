"""`unevaluatedProperties` and `unevaluatedItems`: what no other keyword here has looked at (2020-12 core, section 11).

What has been looked at depends on which branches hold. So the schema is unfolded into worlds, in each of which certain branches
hold and certain names or places are looked at; there the keyword is `additionalProperties` or `items` with a known rest. A world
need not say which branches do not hold: where more hold, more is looked at, and that is another world, also unfolded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from sleuth.result import Json, json_array, json_object
from sleuth.structured_output.schema.deny import Keeper, deny
from sleuth.structured_output.schema.pattern import to_rust
from sleuth.structured_output.schema.words import escaped

WORLDS = 32
"""Most worlds that a schema is unfolded into."""

DEPTH = 8
"""So deep applicators are followed, one in another."""


class Unfollowed(ValueError):
    """A schema with too many worlds, or with one that depends on the items themselves."""


@dataclass(frozen=True, slots=True)
class World:
    """`held` are schemas that hold besides; `names`, `patterns` and the first `places` are looked at, or `every` one."""

    held: tuple[Json, ...] = ()
    names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    places: int = 0
    every: bool = False

    def and_also(self, other: World) -> World:
        return World(
            self.held + other.held,
            self.names | other.names,
            self.patterns | other.patterns,
            max(self.places, other.places),
            self.every or other.every,
        )


def properties(schema: dict[str, Json], rest: Json, at: str, keeper: Keeper) -> Json:
    """What `unevaluatedProperties` of `schema` adds; `rest` is its value, as it is kept. Raises Unfollowed and Undeniable."""

    def closed(world: World) -> Json:
        parts: dict[str, Json] = {"properties": {name: True for name in sorted(world.names)}}
        parts |= {"patternProperties": {pattern: True for pattern in sorted(world.patterns)}} if world.patterns else {}
        return {**parts, "additionalProperties": rest}

    return _in_each(_worlds(schema, at, keeper, _look_at_properties, 0), closed)


def items(schema: dict[str, Json], rest: Json, at: str, keeper: Keeper) -> Json:
    """The same of `unevaluatedItems`. Items that `contains` finds are looked at too, and cannot be told beforehand."""

    def closed(world: World) -> Json:
        parts: dict[str, Json] = {"prefixItems": [True] * world.places} if world.places else {}
        return {**parts, "items": rest}

    return _in_each(_worlds(schema, at, keeper, _look_at_items, 0), closed)


def _in_each(worlds: Sequence[World], closed: Callable[[World], Json]) -> Json:
    ways: list[Json] = []
    for world in worlds:
        said: list[Json] = [*world.held, *([] if world.every else [closed(world)])]
        ways.append(said[0] if len(said) == 1 else {"allOf": said} if said else True)
    return ways[0] if len(ways) == 1 else {"anyOf": ways}


def _look_at_properties(schema: dict[str, Json], top: bool) -> World:
    every = "additionalProperties" in schema or (not top and "unevaluatedProperties" in schema)
    patterns = frozenset(map(to_rust, json_object(schema.get("patternProperties", {}))))
    return World(names=frozenset(json_object(schema.get("properties", {}))), patterns=patterns, every=every)


def _look_at_items(schema: dict[str, Json], top: bool) -> World:
    if "contains" in schema:
        raise Unfollowed("which items `contains` finds is not known beforehand")
    first = schema.get("prefixItems", schema.get("items"))
    every = isinstance(schema.get("items"), dict | bool) or "additionalItems" in schema
    every = every or (not top and "unevaluatedItems" in schema)
    return World(places=len(first) if isinstance(first, list) else 0, every=every)


Look = Callable[[dict[str, Json], bool], World]


def _worlds(schema: Json, at: str, keeper: Keeper, look: Look, depth: int) -> list[World]:
    if not isinstance(schema, dict):
        return [World()]
    if depth > DEPTH:
        raise Unfollowed("branches in branches, too deep to follow")

    def below(part: Json, where: str) -> list[World]:
        return _worlds(part, at + where, keeper, look, depth + 1)

    worlds = [look(schema, depth == 0)]
    for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
        if keyword in schema:
            worlds = _both(worlds, below(keeper.find(schema[keyword], schema), f"/{keyword}"))
    for place, part in enumerate(json_array(schema.get("allOf", []))):
        worlds = _both(worlds, below(part, f"/allOf/{place}"))
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            worlds = _both(worlds, _branches(json_array(schema[keyword]), f"{at}/{keyword}", keyword == "oneOf", keeper, below))
    if "if" in schema:
        worlds = _both(worlds, _conditional(schema, at, keeper, below))
    for name, part in json_object(schema.get("dependentSchemas", {})).items():
        there: Json = {"required": [name]}
        present = _both([World(held=(there,))], below(part, f"/dependentSchemas/{escaped(name)}"))
        worlds = _both(worlds, [World(held=({"properties": {name: False}},)), *present])
    return worlds


Below = Callable[[Json, str], list[World]]


def _branches(options: Sequence[Json], at: str, one: bool, keeper: Keeper, below: Below) -> list[World]:
    """Each set of branches that may hold; of `oneOf` each alone."""
    sizes = range(1, 2 if one else len(options) + 1)
    if not one and 2 ** len(options) > WORLDS * 2:
        raise Unfollowed(f"{len(options)} options, any of which may hold")
    worlds: list[World] = []
    for chosen in (chosen for size in sizes for chosen in combinations(range(len(options)), size)):
        together = [World(held=tuple(keeper.keep(options[place], f"{at}/{place}") for place in chosen))]
        for place in chosen:
            together = _both(together, below(options[place], f"/{'oneOf' if one else 'anyOf'}/{place}"))
        worlds += together
    return _few(worlds)


def _conditional(schema: dict[str, Json], at: str, keeper: Keeper, below: Below) -> list[World]:
    held = _both([World(held=(keeper.keep(schema["if"], f"{at}/if"),))], below(schema["if"], "/if"))
    otherwise = [World(held=(deny(schema["if"], f"{at}/if", keeper),))]
    return [*_both(held, below(schema.get("then", True), "/then")), *_both(otherwise, below(schema.get("else", True), "/else"))]


def _both(some: Iterable[World], others: Sequence[World]) -> list[World]:
    return _few([world.and_also(other) for world in some for other in others])


def _few(worlds: list[World]) -> list[World]:
    if len(worlds) > WORLDS:
        raise Unfollowed(f"more than {WORLDS} ways for branches to hold together")
    return worlds

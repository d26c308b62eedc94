"""The words of JSON Schema: where its subschemas stand, which keywords say nothing of validity, and pointers to them."""

from __future__ import annotations

from collections.abc import Iterator

from sleuth.result import Json

TYPES = ("null", "boolean", "number", "string", "array", "object")
"""Without "integer", which is a part of "number"."""

ONE = frozenset(
    {
        *("additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not"),
        *("propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"),
    }
)
"""Keywords whose value is a schema."""

LISTED = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
"""Keywords whose value is a list of schemas; `items` is in drafts before 2020-12."""

NAMED = frozenset({"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"})
"""Keywords whose value maps names to schemas (2020-12 core, sections 8.2.4 and 10.2-10.3)."""

_DATA = frozenset({"const", "default", "enum", "examples", "required", "dependentRequired"})
"""Keywords whose value is data, in which nothing is a keyword."""


def escaped(step: str | int) -> str:
    """One step of a JSON pointer (RFC 6901, section 3)."""
    return str(step).replace("~", "~0").replace("/", "~1")


def unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")


def subschemas(schema: Json) -> Iterator[tuple[str, Json]]:
    """The schemas right below `schema`, each with its JSON pointer from there."""
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        if key in NAMED and isinstance(value, dict):
            yield from ((f"/{escaped(key)}/{escaped(name)}", below) for name, below in value.items())
        elif key in LISTED and isinstance(value, list):
            yield from ((f"/{key}/{place}", below) for place, below in enumerate(value))
        elif key in ONE:
            yield f"/{key}", value


def keywords(schema: Json, at: str = "") -> Iterator[tuple[str, str, Json]]:
    """Every key at a place where keywords stand, with its JSON pointer and value."""
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        yield f"{at}/{escaped(key)}", key, value
    for pointer, below in subschemas(schema):
        yield from keywords(below, at + pointer)


def types_of(schema: Json) -> frozenset[str]:
    """The types that `type` allows, an integer counted as the number it is."""
    said = schema.get("type", list(TYPES)) if isinstance(schema, dict) else list(TYPES)
    names = said if isinstance(said, list) else [said]
    return frozenset("number" if name == "integer" else str(name) for name in names)


def type_of(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def same(one: Json, other: Json) -> bool:
    """Equality as JSON Schema has it: 1 and 1.0 are one number, 1 and true are not (2020-12 core, section 4.2.2)."""
    if type_of(one) != type_of(other):
        return False
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    return one == other

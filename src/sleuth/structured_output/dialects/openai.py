"""OpenAI, and servers that are known only to be compatible.

In strict mode a schema must lie in a subset (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas): the
root is an object and no `anyOf`, every object is closed and requires all its properties, everything has a `type`, and some
keywords are refused. What goes on the wire is the schema brought into the subset where its meaning allows: another root is
wrapped (`unwrap` takes the wrapping off the reply), types are spelled out; lengths, and which entry of a tuple stands where, are
left to the check afterwards. Where its meaning would change, it goes as it is and not strict: the model reads it, and all of it
is left to the check.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from sleuth.errors import ConstraintUnsupported
from sleuth.result import Json, json_array, json_object
from sleuth.structured_output.constraint import Constraint, JsonSchema, closed_object

_REFUSED = (
    *("allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"),
    *("patternProperties", "propertyNames", "minProperties", "maxProperties", "contains", "uniqueItems"),
)

_CHECKED_AFTERWARDS = ("minLength", "maxLength")
"""Not among the documented properties of strings; a request that holds one is refused by some models."""

_DEFINITIONS = ("$defs", "definitions")

_SAYING = frozenset({"type", "enum", "const", "anyOf", "$ref"})
"""Each part of a schema must hold one of these."""

_WRAPPED = "output"


def lower(constraint: Constraint) -> Mapping[str, Json]:
    """Request fields. Raises ConstraintUnsupported for everything but a JsonSchema."""
    if not isinstance(constraint, JsonSchema):
        raise ConstraintUnsupported(f"OpenAI's API takes no {type(constraint).__name__} as an output", hint="use a JsonSchema")
    return {"response_format": {"type": "json_schema", "json_schema": _described(constraint)}}


def _described(constraint: JsonSchema) -> dict[str, Json]:
    schema = constraint.schema
    if wraps(constraint):
        inner = {key: value for key, value in schema.items() if key not in _DEFINITIONS}
        kept = {key: schema[key] for key in _DEFINITIONS if key in schema}
        schema = {**closed_object({_WRAPPED: inner}), **kept}
    try:
        return {"name": "output", "schema": strict(schema), "strict": True}
    except ConstraintUnsupported:
        return {"name": "output", "schema": schema, "strict": False}


def wraps(constraint: Constraint) -> bool:
    """Whether the reply to `constraint` comes wrapped, so that its pieces are not pieces of the output."""
    if not isinstance(constraint, JsonSchema):
        return False
    schema = constraint.schema
    return schema.get("type") != "object" or "anyOf" in schema


def leaves(constraint: Constraint) -> bool:
    """Whether some of `constraint` is left to the check afterwards. A property that is called like a keyword counts too."""
    if not isinstance(constraint, JsonSchema):
        return False
    weakened = any(f'"{key}":' in constraint.text for key in (*_CHECKED_AFTERWARDS, "prefixItems"))
    return weakened or not _described(constraint)["strict"]


def unwrap(text: str) -> str:
    """The output in a wrapped reply, as it was written. Text that is not the wrapping is left, for the check to refuse."""
    head = re.match(rf'\s*{{\s*"{_WRAPPED}"\s*:\s*', text)
    if head is None:
        return text
    try:
        _, end = json.JSONDecoder().raw_decode(text, head.end())
    except ValueError:
        return text
    return text[head.end() : end] if re.fullmatch(r"\s*}\s*", text[end:]) else text


def strict(schema: Json, at: str = "") -> dict[str, Json]:
    """`schema` in the strict subset. Raises ConstraintUnsupported where its meaning would change."""
    said = schema if isinstance(schema, dict) else {}
    for key in _REFUSED:
        if key in said:
            raise _unsupported(repr(key), f"{at}/{key}", hint="use anyOf, enum and closed objects")
    if said.keys().isdisjoint(_SAYING):
        raise _unsupported("a schema that allows anything", at, hint="say what may stand there")
    if said.get("$ref") == "#" and at:
        raise _unsupported("a reference to the root", f"{at}/$ref", hint="put that schema into $defs")
    wire = _untupled({key: value for key, value in said.items() if key not in _CHECKED_AFTERWARDS}, at)
    if wire.get("type") == "object":
        _check_closed(wire, at)
    for key in ("properties", *_DEFINITIONS):
        if key in wire:
            wire[key] = {name: strict(part, f"{at}/{key}/{name}") for name, part in json_object(wire[key]).items()}
    if "items" in wire:
        wire["items"] = strict(wire["items"], f"{at}/items")
    if isinstance(options := wire.get("anyOf"), list):
        wire["anyOf"] = [strict(option, f"{at}/anyOf/{place}") for place, option in enumerate(options)]
    if "type" not in wire and ("enum" in wire or "const" in wire):
        wire["type"] = _types(wire)
    return wire


def _untupled(schema: dict[str, Json], at: str) -> dict[str, Json]:
    """A tuple of fixed length as an array of that length, each of whose items may be any of the tuple's."""
    if "prefixItems" not in schema:
        return schema
    entries = json_array(schema["prefixItems"])
    if schema.get("items") is not False or schema.get("minItems") != len(entries):
        raise _unsupported("'prefixItems' of an array that may be longer or shorter", at, hint="set items to false and minItems")
    options = list({json.dumps(entry): entry for entry in entries}.values())
    bounds: dict[str, Json] = {"minItems": len(entries), "maxItems": len(entries), "items": {"anyOf": options}}
    return {key: value for key, value in schema.items() if key != "prefixItems"} | bounds


def _check_closed(schema: Mapping[str, Json], at: str) -> None:
    properties, required = json_object(schema.get("properties", {})), json_array(schema.get("required", []))
    if schema.get("additionalProperties") is not False or set(properties) != set(required):
        raise _unsupported(
            "an object that is open or has optional properties",
            at,
            hint="set additionalProperties to false and require every property; one that may be missing can be null instead",
        )


def _unsupported(what: str, at: str, *, hint: str) -> ConstraintUnsupported:
    return ConstraintUnsupported(f"OpenAI does not take {what}, at {at or 'the root'}", hint=hint)


def _types(schema: Mapping[str, Json]) -> Json:
    values = schema.get("enum", [schema.get("const")])
    names = sorted({_NAMES[type(value)] for value in values}) if isinstance(values, list) else []
    return names[0] if len(names) == 1 else list(names)


_NAMES: Mapping[type, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
    type(None): "null",
}

"""A schema in the words that a mask can keep.

LLGuidance keeps types, bounds, patterns, closed and open objects, anyOf and allOf, and refuses the rest. Most of the rest can be
said in those words: a dependency is a choice between a property's absence and what it asks for, `if` a choice between two
conjunctions, `oneOf` a choice whose options exclude each other, `not` what `deny` makes of it.

What cannot be said exactly is noted: `left` where the mask then allows more than is valid, which only the check afterwards finds;
`narrowed` where all it allows is valid but some valid values cannot be written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sleuth.result import Json, json_array, json_object
from sleuth.structured_output.schema import counts, unevaluated
from sleuth.structured_output.schema.deny import Undeniable, deny
from sleuth.structured_output.schema.disjoint import disjoint
from sleuth.structured_output.schema.formats import KNOWN_TO_THE_MASK, NARROWER, ONLY_CHECKED, PATTERNS
from sleuth.structured_output.schema.pattern import PatternUnsupported, to_rust
from sleuth.structured_output.schema.refs import References, Unresolved
from sleuth.structured_output.schema.words import escaped

_LEGACY = re.compile("draft-0[3-7]")


@dataclass(frozen=True, slots=True)
class Note:
    """Something about the schema at `pointer` that is not as it was written."""

    pointer: str
    why: str

    def __str__(self) -> str:
        return f"{self.pointer}: {self.why}"


class Rewriter:
    """One schema being rewritten; `left` and `narrowed` are complete after `whole`."""

    def __init__(self, root: Json, *, formats: bool = True) -> None:
        self.left: list[Note] = []
        self.narrowed: list[Note] = []
        self._root = root
        self._formats = formats
        self._references = References(root)
        self._names: dict[int, str] = {}
        self._waiting: list[tuple[str, Json]] = []
        self._legacy = isinstance(root, dict) and _LEGACY.search(str(root.get("$schema", ""))) is not None

    def whole(self) -> Json:
        schema = self.keep(self._root, "")
        definitions: dict[str, Json] = {}
        while self._waiting:
            name, target = self._waiting.pop()
            definitions[name] = self.keep(target, f"/$defs/{name}")
        return {**json_object(schema), "$defs": definitions} if definitions else schema

    def keep(self, schema: Json, at: str) -> Json:
        """`schema` as it stands at `at`. What is no object is taken for a boolean schema."""
        if not isinstance(schema, dict):
            return schema is not False
        said: dict[str, Json] = {}
        also: list[Json] = []
        alone = self._legacy and "$ref" in schema  # its siblings say nothing in drafts up to 7
        for keyword, value in schema.items():
            if alone and keyword != "$ref":
                continue
            handler = _HANDLERS.get(keyword)
            if handler is not None:
                handler(self, Said(schema, value, at, f"{at}/{escaped(keyword)}", keyword), said, also)
        if not also:
            return said
        if not said and len(also) == 1:
            return also[0]
        return {**said, "allOf": [*json_array(said.get("allOf", [])), *also]}

    def find(self, reference: Json, standing_in: Json) -> Json:
        """Raises Unresolved."""
        return self._references.find(str(reference), standing_in)

    def named(self, schema: Json) -> str:
        """A pointer to `schema` among the definitions of what is written."""
        if id(schema) not in self._names:
            self._names[id(schema)] = f"s{len(self._names)}"
            self._waiting.append((self._names[id(schema)], schema))
        return f"#/$defs/{self._names[id(schema)]}"

    def dynamic(self, anchor: str) -> bool:
        return self._references.dynamic(anchor)

    def shown(self, schema: Json, depth: int = 0) -> Json:
        """`schema` with the references in it and in its properties followed, as far as telling schemas apart needs it."""
        while isinstance(schema, dict) and "$ref" in schema and depth < counts.DEPTH:
            target = self.find(schema["$ref"], schema)
            rest = {key: value for key, value in schema.items() if key != "$ref"}
            schema, depth = {**target, **rest} if isinstance(target, dict) else target, depth + 1
            if rest:
                break
        parts = schema.get("properties") if isinstance(schema, dict) else None
        if not isinstance(schema, dict) or not isinstance(parts, dict) or depth >= counts.DEPTH:
            return schema
        return {**schema, "properties": {name: self.shown(part, depth + 1) for name, part in parts.items()}}

    def narrow(self, pointer: str, why: str) -> None:
        self.narrowed.append(Note(pointer, why))

    def asserts(self, name: Json) -> bool:
        """Whether the format of that name says anything here."""
        return self._formats and (name in KNOWN_TO_THE_MASK or name in PATTERNS or name in ONLY_CHECKED)


@dataclass(frozen=True, slots=True)
class Said:
    """A keyword's value, the schema that it stands in, and both their places."""

    schema: dict[str, Json]
    value: Json
    at: str
    here: str
    keyword: str


Handler = Callable[[Rewriter, Said, dict[str, Json], list[Json]], None]
"""Adds to the keywords of the schema that is written, or to what is to hold besides."""


def _as_it_is(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    whole = isinstance(it.value, float) and it.value.is_integer() and it.keyword in _COUNTS
    said[it.keyword] = int(it.value) if whole and isinstance(it.value, float) else it.value


def _bound(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    """In draft 4 `exclusiveMinimum` is a flag beside `minimum`."""
    if isinstance(it.value, bool):
        return
    exclusive = f"exclusive{it.keyword[0].upper()}{it.keyword[1:]}"
    said[exclusive if it.schema.get(exclusive) is True else it.keyword] = it.value


def _pattern(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    try:
        said["pattern"] = to_rust(str(it.value))
    except PatternUnsupported as error:
        rewriter.left.append(Note(it.here, str(error)))


def _format(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    name = str(it.value)
    if not rewriter.asserts(name):
        return
    if name in PATTERNS:
        also.append({"pattern": PATTERNS[name]})
        if name in NARROWER:
            rewriter.narrowed.append(Note(it.here, NARROWER[name]))
    elif name in KNOWN_TO_THE_MASK:
        said["format"] = name
    else:
        rewriter.left.append(Note(it.here, f"no mask knows the format {name}"))


def _one(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    said[it.keyword] = rewriter.keep(it.value, it.here)


def _several(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    said[it.keyword] = [rewriter.keep(below, f"{it.here}/{place}") for place, below in enumerate(json_array(it.value))]


def _items(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    """A list is a tuple of the drafts before 2020-12, with `additionalItems` for the rest."""
    if not isinstance(it.value, list):
        return _one(rewriter, it, said, also)
    said["prefixItems"] = [rewriter.keep(below, f"{it.here}/{place}") for place, below in enumerate(it.value)]
    if "additionalItems" in it.schema:
        said["items"] = rewriter.keep(it.schema["additionalItems"], f"{it.at}/additionalItems")


def _properties(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    parts = json_object(it.value).items()
    said["properties"] = {name: rewriter.keep(below, f"{it.here}/{escaped(name)}") for name, below in parts}


def _pattern_properties(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    parts: dict[str, Json] = {}
    for pattern, below in json_object(it.value).items():
        try:
            parts[to_rust(pattern)] = rewriter.keep(below, f"{it.here}/{escaped(pattern)}")
        except PatternUnsupported as error:
            # Then `additionalProperties` must not speak for those names either.
            parts[".*"] = True
            rewriter.left.append(Note(f"{it.here}/{escaped(pattern)}", str(error)))
    said["patternProperties"] = {".*": True} if ".*" in parts else parts


def _reference(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    anchor = str(it.value).rpartition("#")[2]
    if it.keyword != "$ref" and rewriter.dynamic(anchor):
        rewriter.left.append(Note(it.here, "what a dynamic reference means depends on the way to it"))
        return
    target = rewriter.find(it.value, it.schema)
    if isinstance(target, dict):
        said["$ref"] = rewriter.named(target)
    else:
        also.append(target)


def _one_of(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    options = json_array(it.value)
    shown = [rewriter.shown(option) for option in options]
    branches: list[Json] = []
    for place, option in enumerate(options):
        kept = rewriter.keep(option, f"{it.here}/{place}")
        overlapping = [other for other in range(len(options)) if other != place and not disjoint(shown[place], shown[other])]
        try:
            others = [deny(options[other], f"{it.here}/{other}", rewriter) for other in overlapping]
        except Undeniable as error:
            rewriter.left.append(Note(it.here, f"option {place} may hold beside another ({error})"))
            others = []
        branches.append({"allOf": [kept, *others]} if others else kept)
    also.append(branches[0] if len(branches) == 1 else {"anyOf": branches})


def _not(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    try:
        also.append(deny(it.value, it.here, rewriter))
    except Undeniable as error:
        rewriter.left.append(Note(it.here, str(error)))


def _if(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    then, other = it.schema.get("then", True), it.schema.get("else", True)
    if then is True and other is True:
        return
    try:
        denied = deny(it.value, it.here, rewriter)
    except Undeniable as error:
        rewriter.left.append(Note(it.here, str(error)))
        return
    held: Json = {"allOf": [rewriter.keep(it.value, it.here), rewriter.keep(then, f"{it.at}/then")]}
    also.append({"anyOf": [held, {"allOf": [denied, rewriter.keep(other, f"{it.at}/else")]}]})


def _dependent(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    for name, asked in json_object(it.value).items():
        absent: Json = {"properties": {name: False}}
        if isinstance(asked, list):
            also.append({"anyOf": [absent, {"required": [name, *(other for other in asked if other != name)]}]})
        else:
            below = rewriter.keep(asked, f"{it.here}/{escaped(name)}")
            also.append({"anyOf": [absent, {"allOf": [{"required": [name]}, below]}]})


def _counted(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    if it.keyword == "maxProperties" and "minProperties" in it.schema:
        return  # both are said at the first
    try:
        also.append(counts.properties(it.schema))
    except counts.Uncountable as error:
        rewriter.left.append(Note(it.here, str(error)))


def _contains(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    try:
        found, narrower = counts.contains(it.schema, rewriter.keep(it.value, it.here))
    except counts.Uncountable as error:
        rewriter.left.append(Note(it.here, str(error)))
        return
    also.append(found)
    if narrower:
        rewriter.narrowed.append(Note(it.here, narrower))


def _unique(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    most = it.schema.get("maxItems")
    if it.value is True and not (isinstance(most, int | float) and most <= 1):
        rewriter.left.append(Note(it.here, "no mask remembers the items before"))


def _names(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    try:
        also.append(counts.names(rewriter.shown(it.value)))
    except (counts.Uncountable, PatternUnsupported) as error:
        rewriter.left.append(Note(it.here, str(error)))


def _unevaluated(rewriter: Rewriter, it: Said, said: dict[str, Json], also: list[Json]) -> None:
    follow = unevaluated.items if it.keyword == "unevaluatedItems" else unevaluated.properties
    if it.value is True:
        return
    try:
        also.append(follow(it.schema, rewriter.keep(it.value, it.here), it.at, rewriter))
    except (unevaluated.Unfollowed, Undeniable, PatternUnsupported) as error:
        rewriter.left.append(Note(it.here, str(error)))


_COUNTS = ("minLength", "maxLength", "minItems", "maxItems")

_HANDLERS: Mapping[str, Handler] = {
    **dict.fromkeys(("type", "const", "enum", "multipleOf", "required", *_COUNTS), _as_it_is),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _bound),
    **dict.fromkeys(("$ref", "$dynamicRef", "$recursiveRef"), _reference),
    **dict.fromkeys(("dependencies", "dependentRequired", "dependentSchemas"), _dependent),
    **dict.fromkeys(("minProperties", "maxProperties"), _counted),
    **dict.fromkeys(("unevaluatedItems", "unevaluatedProperties"), _unevaluated),
    **dict.fromkeys(("allOf", "anyOf", "prefixItems"), _several),
    "additionalProperties": _one,
    "contains": _contains,
    "format": _format,
    "if": _if,
    "items": _items,
    "not": _not,
    "oneOf": _one_of,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "properties": _properties,
    "propertyNames": _names,
    "uniqueItems": _unique,
}
"""Everything else is an annotation, or belongs to one of these."""

__all__ = ["Note", "Rewriter", "Unresolved"]

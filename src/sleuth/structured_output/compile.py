"""A constraint as an LLGuidance grammar, and whether one can be made at all.

Engines fail open: given a grammar they cannot use, some answer with free text. So every constraint is compiled here first, and
what cannot be kept raises before anything is sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache

import jsonschema_rs
from llguidance import LLMatcher

from sleuth.errors import ConstraintUnsupported
from sleuth.result import Json, json_object
from sleuth.structured_output.constraint import Choice, Constraint, Grammar, JsonSchema, Regex

_PREFIX = "%llguidance {}\n"

_COMPACT: dict[str, Json] = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
"""One way to space JSON: a model under a grammar that lets it write blanks may write nothing else
(https://github.com/guidance-ai/llguidance/blob/main/docs/json_schema.md, "x-guidance")."""


_SPACED: dict[str, Json] = {"whitespace_flexible": True}


def to_lark(constraint: Constraint, *, any_spacing: bool = False) -> str:
    """The whole grammar text in LLGuidance's Lark dialect. It has not been checked: see `check`.

    `any_spacing` is for reading what another engine wrote, never for writing.
    """
    match constraint:
        case JsonSchema():
            spaced = {**constraint.schema, "x-guidance": _SPACED if any_spacing else _COMPACT}
            return f"{_PREFIX}start: %json {json.dumps(spaced, ensure_ascii=False, separators=(',', ':'))}"
        case Regex(pattern):
            return f"{_PREFIX}start: /{_in_slashes(pattern)}/"
        case Choice(options):
            return f"{_PREFIX}start: {' | '.join(map(_quoted, options))}"
        case Grammar(lark):
            return lark if lark.startswith("%llguidance") else _PREFIX + lark


def check(constraint: Constraint) -> None:
    """Raises ConstraintUnsupported, with the keyword and its JSON pointer where known, if no mask can keep `constraint`."""
    problem = _problem(constraint)
    if problem:
        raise ConstraintUnsupported(
            f"no grammar can keep this {type(constraint).__name__}: {problem}", hint="rewrite that part, or leave it out"
        )


@lru_cache(maxsize=256)
def _problem(constraint: Constraint) -> str | None:
    schema: Json = None
    match constraint:
        case Choice(options) if not options or len(set(options)) < len(options):
            return "the options must be one or more, all different"
        case JsonSchema():
            try:
                schema = json_object(constraint.schema)
                jsonschema_rs.meta.validate(schema)
            except (TypeError, ValueError) as error:
                return f"it is not a JSON Schema ({str(error).splitlines()[0]})"
        case _:
            pass
    message: str = LLMatcher.validate_grammar(to_lark(constraint))
    if not message:
        return None
    # llguidance repeats the whole grammar, lines numbered, after the words
    words = " ".join(re.split(r"\n +1 \|", message)[0].rpartition("failed to compile JSON schema: ")[2].split())
    return words + _places(schema, words)


def _places(schema: Json, words: str) -> str:
    """Where what the message complains of stands in the schema."""
    listed = re.search(r"Unimplemented keys: \[(.*?)\]", words)
    keywords = set(re.findall(r'"([^"]+)"', listed[1])) if listed else set[str]()
    found = [at for at, keyword, value in _keywords(schema, "") if keyword in keywords or _blamed(keyword, value, words)]
    return f", at {', '.join(found[:5])}" if found else ""


def _blamed(keyword: str, value: Json, words: str) -> bool:
    """Messages about a format or a pattern quote the value, not the place."""
    match keyword:
        case "format":
            return words == f"Unknown format: {value}"
        case "pattern":
            return words.startswith("regex parse error:") and " ".join(str(value).split()) in words
        case _:
            return False


def _keywords(schema: Json, at: str, *, names: bool = False) -> Iterator[tuple[str, str, Json]]:
    """Every keyword with its JSON pointer and value. `names` says that the keys here are names that the schema's author gave."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            pointer = f"{at}/{_escaped(key)}"
            if not names:
                yield pointer, key, value
            if names or key not in _VALUES:
                yield from _keywords(value, pointer, names=not names and key in _NAMED)
    elif isinstance(schema, list):
        for place, value in enumerate(schema):
            yield from _keywords(value, f"{at}/{place}")


_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependentRequired"})
"""Keywords whose value maps names to schemas (JSON Schema 2020-12 core, sections 8.2.4 and 10.2-10.3)."""

_VALUES = frozenset({"const", "default", "enum", "examples"})
"""Keywords whose value is data, in which nothing is a keyword."""


def _escaped(key: str) -> str:
    """RFC 6901, section 3."""
    return key.replace("~", "~0").replace("/", "~1")


def _quoted(option: str) -> str:
    """A string literal of Lark: JSON's, but that LLGuidance's lexer takes no DEL."""
    return json.dumps(option, ensure_ascii=False).replace("\x7f", "\\u007f")


def _in_slashes(pattern: str) -> str:
    """A pattern as it stands between slashes in Lark: slashes escaped that are not yet, line breaks written out."""
    return re.sub(
        r"\\.|/|\n", lambda found: {"/": "\\/", "\n": "\\n"}.get(found.group(), found.group()), pattern, flags=re.DOTALL
    )

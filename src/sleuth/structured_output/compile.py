"""A constraint as an LLGuidance grammar, and whether one can be made at all.

Engines fail open: given a grammar they cannot use, some answer with free text. So every constraint is compiled here first, and
what cannot be kept raises before anything is sent.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache

import jsonschema_rs
from llguidance import LLMatcher

from sleuth.errors import ConstraintUnsupported
from sleuth.result import Json, json_object
from sleuth.structured_output.constraint import Choice, Constraint, Grammar, JsonSchema, Regex
from sleuth.structured_output.schema.normalise import normalise
from sleuth.structured_output.schema.pattern import to_rust
from sleuth.structured_output.schema.words import keywords

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
            return schema_lark(normalise(constraint.text).schema, any_spacing=any_spacing)
        case Regex(pattern):
            return f"{_PREFIX}start: /{_in_slashes(pattern)}/"
        case Choice(options):
            return f"{_PREFIX}start: {' | '.join(map(_quoted, options))}"
        case Grammar(lark):
            return lark if lark.startswith("%llguidance") else _PREFIX + lark


def schema_lark(schema: Json, *, any_spacing: bool = False) -> str:
    """The grammar of a schema that is already in the words that LLGuidance keeps."""
    said = schema if isinstance(schema, dict) else {"allOf": [schema]}
    spaced = {**said, "x-guidance": _SPACED if any_spacing else _COMPACT}
    return f"{_PREFIX}start: %json {json.dumps(spaced, ensure_ascii=False, separators=(',', ':'))}"


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
        case JsonSchema(text):
            try:
                schema = json_object(constraint.schema)
                jsonschema_rs.meta.validate(schema)
            except (TypeError, ValueError, RecursionError) as error:
                return f"it is not a JSON Schema ({str(error).splitlines()[0]})"
            try:
                left = normalise(text).left
            except ConstraintUnsupported as error:
                return error.message
            if left:
                return "; ".join(f"at {note}" for note in left[:5])
        case _:
            pass
    message: str = LLMatcher.validate_grammar(to_lark(constraint))
    if not message:
        return None
    # llguidance repeats the whole grammar, lines numbered, after the words
    words = " ".join(re.split(r"\n +1 \|", message)[0].rpartition("failed to compile JSON schema: ")[2].split())
    return words + _places(schema, words)


def _places(schema: Json, words: str) -> str:
    """Where the pattern that the message quotes stands in the schema."""
    patterns = [(at, value) for at, keyword, value in keywords(schema) if keyword == "pattern" and isinstance(value, str)]
    found = [
        at for at, pattern in patterns if words.startswith("regex parse error:") and " ".join(to_rust(pattern).split()) in words
    ]
    return f", at {', '.join(found[:5])}" if found else ""


def _quoted(option: str) -> str:
    """A string literal of Lark: JSON's, but that LLGuidance's lexer takes no DEL."""
    return json.dumps(option, ensure_ascii=False).replace("\x7f", "\\u007f")


def _in_slashes(pattern: str) -> str:
    """A pattern as it stands between slashes in Lark: slashes escaped that are not yet, line breaks written out."""
    return re.sub(
        r"\\.|/|\n", lambda found: {"/": "\\/", "\n": "\\n"}.get(found.group(), found.group()), pattern, flags=re.DOTALL
    )

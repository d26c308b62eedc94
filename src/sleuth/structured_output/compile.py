"""A constraint as an LLGuidance grammar, and whether one can be made at all.

Engines fail open: given a grammar they cannot use, some answer with free text. So every constraint is compiled here first, and
what cannot be kept raises before anything is sent.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache

from llguidance import LLMatcher

from sleuth.errors import ConstraintUnsupported
from sleuth.result import Json
from sleuth.structured_output.constraint import Choice, Constraint, Grammar, JsonSchema, Regex

_PREFIX = "%llguidance {}\n"

_COMPACT: dict[str, Json] = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
"""One way to space JSON: a model under a grammar that lets it write blanks may write nothing else
(https://github.com/guidance-ai/llguidance/blob/main/docs/json_schema.md, "x-guidance")."""


def to_lark(constraint: Constraint) -> str:
    """The whole grammar text in LLGuidance's Lark dialect. It has not been checked: see `check`."""
    match constraint:
        case JsonSchema():
            spaced = {**constraint.schema, "x-guidance": _COMPACT}
            return f"{_PREFIX}start: %json {json.dumps(spaced, ensure_ascii=False, separators=(',', ':'))}"
        case Regex(pattern):
            return f"{_PREFIX}start: /{_in_slashes(pattern)}/"
        case Choice(options):
            return f"{_PREFIX}start: {' | '.join(json.dumps(option, ensure_ascii=False) for option in options)}"
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
    match constraint:
        case Choice(options) if not options or len(set(options)) < len(options):
            return "the options must be one or more, all different"
        case JsonSchema():
            try:
                schema = constraint.schema
            except ValueError as error:
                return f"the schema is not JSON ({error})"
        case _:
            schema = None
    message: str = LLMatcher.validate_grammar(to_lark(constraint))
    if not message:
        return None
    return " ".join(message.split()) + _pointers(schema, message)


def _pointers(schema: Json, message: str) -> str:
    """Where the keywords that the message quotes stand in the schema."""
    keywords = re.findall(r'"([\w$-]+)"', message.partition("Unimplemented keys:")[2])
    found = [pointer for pointer, key in _keys(schema, "") if key in keywords]
    return f" at {', '.join(found[:5])}" if found else ""


def _keys(schema: Json, at: str) -> list[tuple[str, str]]:
    if isinstance(schema, dict):
        here = [(f"{at}/{_escaped(key)}", key) for key in schema]
        return here + [pair for key, value in schema.items() for pair in _keys(value, f"{at}/{_escaped(key)}")]
    if isinstance(schema, list):
        return [pair for place, value in enumerate(schema) for pair in _keys(value, f"{at}/{place}")]
    return []


def _escaped(key: str) -> str:
    """RFC 6901, section 3."""
    return key.replace("~", "~0").replace("/", "~1")


def _in_slashes(pattern: str) -> str:
    """A pattern as it stands between slashes in Lark: slashes escaped that are not yet, line breaks written out."""
    return re.sub(
        r"\\.|/|\n", lambda found: {"/": "\\/", "\n": "\\n"}.get(found.group(), found.group()), pattern, flags=re.DOTALL
    )

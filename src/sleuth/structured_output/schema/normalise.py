"""A schema as a mask is told of it, with all that the telling changed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache

from sleuth.errors import ConstraintUnsupported
from sleuth.result import Json
from sleuth.structured_output.schema.refs import Unresolved
from sleuth.structured_output.schema.rewrite import Note, Rewriter

DEPTH = 64
"""Deeper schemas are refused: some backends never come back from them."""


@dataclass(frozen=True, slots=True)
class Normal:
    """`schema` is in words that LLGuidance keeps, draft 2020-12, as JSON text.

    `left`: places where it allows more than the original, so that only a check of the finished text keeps them. `narrowed`:
    places where it allows less.
    """

    text: str
    left: tuple[Note, ...] = ()
    narrowed: tuple[Note, ...] = ()

    @property
    def schema(self) -> Json:
        return json.loads(self.text)


@lru_cache(maxsize=256)
def normalise(text: str, *, formats: bool = True) -> Normal:
    """The schema of this JSON text. Raises ConstraintUnsupported for what is nested too deeply or points outside of itself."""
    schema: Json = json.loads(text)
    if _depth(schema) > DEPTH:
        raise ConstraintUnsupported(f"the schema is nested more than {DEPTH} deep", hint="name its parts in $defs")
    rewriter = Rewriter(schema, formats=formats)
    try:
        written = rewriter.whole()
    except Unresolved as error:
        raise ConstraintUnsupported(str(error), hint="put what it means into $defs: nothing is fetched") from None
    body = json.dumps(written, ensure_ascii=False, separators=(",", ":"))
    return Normal(body, tuple(dict.fromkeys(rewriter.left)), tuple(dict.fromkeys(rewriter.narrowed)))


def _depth(schema: Json) -> int:
    """Without recursion: what is too deep would end it."""
    deepest, waiting = 0, [(schema, 1)]
    while waiting:
        value, depth = waiting.pop()
        deepest = max(deepest, depth)
        below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        waiting += [(item, depth + 1) for item in below]
    return deepest

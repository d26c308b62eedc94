"""What a tool brought back: passages, rows, pages, plain text, or a failure; each knows whether it is internal or public."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Literal, TypeAlias, Union
from uuid import UUID

Origin = Literal["internal", "public"]

Json: TypeAlias = Union[bool, int, float, str, "Sequence[Json]", "Mapping[str, Json]", None]


def json_object(value: Json) -> dict[str, Json]:
    """`value` as an object. Raises TypeError where it is none: a fault of ours, outputs being verified first."""
    if not isinstance(value, dict):
        raise TypeError(f"expected a JSON object, got {type(value).__name__}")
    return value


def json_array(value: Json) -> list[Json]:
    """`value` as an array. Raises TypeError where it is none."""
    if not isinstance(value, list):
        raise TypeError(f"expected a JSON array, got {type(value).__name__}")
    return value


Cell: TypeAlias = Union[bool, int, float, str, bytes, Decimal, date, datetime, time, timedelta, UUID, None]
"""A database value with its exact type."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document, and where it stands.

    `document` is the path under the indexed folder. `page` counts from 1, where the format has pages. `clause` is the number
    the text itself carries ("8.3"). `start` and `end` are character offsets into the text read from the document.
    `also_in` names other documents holding (nearly) the same words, folded into this hit.
    """

    text: str
    document: str
    title: str
    page: int | None = None
    clause: str | None = None
    heading: str | None = None
    start: int = 0
    end: int = 0
    score: float = 0.0
    also_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passages:
    hits: tuple[Passage, ...]
    origin: Origin = "internal"
    note: str | None = None
    """What was left out, said to the model too."""


@dataclass(frozen=True, slots=True)
class Rows:
    """`statement` is the SQL as it ran, byte for byte; `params` what was bound to $1, $2 … in order."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    statement: str
    params: tuple[Cell, ...] = ()
    database: str = ""
    truncated: bool = False
    origin: Origin = "internal"
    note: str | None = None

    @property
    def empty(self) -> bool:
        """No rows, or one of nothing but zeros and NULL: what counts and sums say of no rows."""
        return len(self.rows) <= 1 and not any(cell for row in self.rows for cell in row)


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    url: str
    extract: str
    published: date | None = None


@dataclass(frozen=True, slots=True)
class Pages:
    hits: tuple[Page, ...]
    origin: Origin = "public"
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """What a function tool returned, as text."""

    text: str
    origin: Origin = "internal"


@dataclass(frozen=True, slots=True)
class Failure:
    """A tool's error, in words the model can act on. Never a traceback, a host, a path or a secret."""

    tool: str
    error: str
    retryable: bool = False
    hint: str | None = None


Result: TypeAlias = Union[Passages, Rows, Pages, Text, Failure]

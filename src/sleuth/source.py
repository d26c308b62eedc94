"""Where facts live: a source opens, says what it holds on a card, and brings its tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from sleuth.tool import Tool

SourceKind = Literal["database", "documents", "web"]


@dataclass(frozen=True, slots=True)
class Card:
    """What a source really holds, read from it when it is opened; nothing secret, no credentials, no host.

    `contents` are short lines for the model (a table with its columns, types and a few values; a document's title).
    `values` are words that a question may use and where they stand ("contracts.region", "EU"): the catalogue links them.
    `facts` are figures for people ("tables", 3), ("documents", 64).
    """

    name: str
    kind: SourceKind
    title: str
    contents: tuple[str, ...]
    values: tuple[tuple[str, str], ...] = ()
    facts: tuple[tuple[str, int], ...] = ()


class Source(Protocol):
    @property
    def name(self) -> str: ...

    async def open(self) -> Card:
        """Connect, look, and say what is there. Raises SourceUnavailable with what to do. May be called again."""
        ...

    def tools(self) -> Sequence[Tool]:
        """The tools over this source; only after `open`."""
        ...

    async def close(self) -> None: ...

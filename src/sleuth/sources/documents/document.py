"""A document as read: its text, and where in the text pages, headings and clauses stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest


@dataclass(frozen=True, slots=True)
class Piece:
    """What a reader hands over: a heading or a paragraph, in reading order.

    `level` is the heading's depth from 1, where the format says so; 0 is a paragraph, or a line of a format without headings.
    """

    text: str
    page: int | None = None
    level: int = 0


@dataclass(frozen=True, slots=True)
class Heading:
    """`clause` is the number the text carries ("8.3"), without it in `text`."""

    text: str
    clause: str | None = None

    def __str__(self) -> str:
        return f"{self.clause} {self.text}" if self.clause else self.text


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or a heading of `Document.text[start:end]`.

    `headings` leads from the outermost to the one it stands under (a heading is under itself). `clause` is the innermost number
    in force: of the paragraph itself, else of its heading.
    """

    start: int
    end: int
    page: int | None = None
    headings: tuple[Heading, ...] = ()
    clause: str | None = None
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """`pages` is how many there are, where the format has pages."""

    title: str
    text: str
    blocks: tuple[Block, ...]
    pages: int | None = None


_NUMBERED = re.compile(
    r"""(?: (?:clause|article|section|art\.|cl[áa]usula|art[íi]culo|secci[óo]n|klausel|artikel|abschnitt|ziffer|§) \s* )?
        (?P<number> \d{1,2} (?:\.\d{1,2}){0,4} ) (?P<dot>[.):]?) \s+ (?:[–—-]\s+)? (?P<rest> \S.* )""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_ANNEX = re.compile(r"(?:annex|appendix|schedule|exhibit|anexo|ap[ée]ndice|anlage|anhang|annexe)\b.*", re.IGNORECASE)
_CONTENTS = re.compile(r".*(?:\.[ \u00a0]?){4,}\s*\d*", re.DOTALL)
"""A line of a table of contents: it names a clause that stands elsewhere."""
_LONGEST_HEADING = 90
"""Characters; a longer numbered line is a paragraph that carries a number."""
_LARGEST_GAP = 10
"""Clauses that may be missing between two numbers; beyond, the number is an amount."""


def build(title: str, pieces: Iterable[Piece], *, pages: int | None = None) -> Document:
    """Pieces as one document: headings nested, clause numbers read from the text, offsets counted.

    A heading is what the format marks as one, or a short line that carries the next clause number and does not end like a
    sentence.
    """
    kept = [piece for piece in pieces if piece.text.strip()]
    outline = _Outline(marked=any(piece.level for piece in kept))
    blocks: list[Block] = []
    texts = [piece.text.strip() for piece in kept]
    start = 0
    for piece, (text, following) in zip(kept, zip_longest(texts, texts[1:], fillvalue=""), strict=True):
        is_heading = outline.read(text, piece.level, following)
        blocks.append(Block(start, start + len(text), piece.page, outline.path, outline.clause, is_heading))
        start += len(text) + 2
    return Document(title, "\n\n".join(texts), tuple(blocks), pages)


@dataclass(slots=True)
class _Outline:
    """Where in the outline the reader stands. `marked`: the format marks its headings, so no line is guessed to be one."""

    marked: bool
    _open: list[tuple[int, Heading]] = field(default_factory=list[tuple[int, Heading]])  # (depth, heading), depths rising
    _last: tuple[int, ...] = ()
    _before: str = ""  # the text before this one
    clause: str | None = None

    @property
    def path(self) -> tuple[Heading, ...]:
        return tuple(heading for _, heading in self._open)

    def read(self, text: str, level: int, following: str) -> bool:
        """Take in the next piece; whether it is a heading."""
        before, self._before = self._before, text
        if level:
            found = _NUMBERED.fullmatch(text)
            self._enter(level, Heading(found["rest"], found["number"]) if found else Heading(text))
            return True
        if not self.marked and _ANNEX.fullmatch(text) and _like_heading(text):
            self._last = ()
            self._enter(1, Heading(text))
            return True
        numbered = self._numbered(text, before, following)
        if numbered is None:
            return False
        number, rest = numbered
        self._last = parts = _parts(number)
        if self.marked or not _like_heading(rest) or _same_list(parts, following):
            self._close_clauses(len(parts))
            self.clause = number
            return False
        self._enter(len(parts), Heading(rest, number))
        return True

    def _numbered(self, text: str, before: str, following: str) -> tuple[str, str] | None:
        """The clause number a line carries, and its words; None for an item of a list, an amount, an address."""
        found = _NUMBERED.fullmatch(text)
        if found is None or _CONTENTS.fullmatch(text) or (found["rest"][0].isascii() and not found["rest"][0].isupper()):
            return None
        number, rest = found["number"], found["rest"]
        parts = _parts(number)
        sure = "." in number or bool(found["dot"]) or _has_child(text, following)
        # Numbers begin anew after a table of contents or in an annex that no word announces.
        anew = parts in ((1,), (1, 1)) and _like_heading(rest) and not _same_list(parts, following) and not before.endswith(":")
        return (number, rest) if anew or _follows(parts, self._last, sure) else None

    def _enter(self, depth: int, heading: Heading) -> None:
        while self._open and self._open[-1][0] >= depth:
            self._open.pop()
        self._open.append((depth, heading))
        self.clause = heading.clause or next((h.clause for _, h in reversed(self._open) if h.clause), None)
        if heading.clause:
            self._last = _parts(heading.clause)

    def _close_clauses(self, depth: int) -> None:
        """A numbered paragraph ends the guessed headings that are not above it."""
        if not self.marked:
            while self._open and self._open[-1][0] >= depth:
                self._open.pop()


def carries_number(line: str) -> bool:
    """Whether a line begins as a clause does: "8.3 …", "§ 8 …", "Cláusula 4. …"."""
    return _NUMBERED.match(line) is not None


def like_numbered_heading(line: str) -> bool:
    found = _NUMBERED.fullmatch(line)
    return found is not None and _like_heading(found["rest"])


def _parts(number: str) -> tuple[int, ...]:
    return tuple(int(part) for part in number.split("."))


def _follows(parts: Sequence[int], last: Sequence[int], sure: bool) -> bool:
    """Whether a clause number can come after `last`: upwards only, so that a list inside a clause is not taken for clauses.

    A bare number without a dot ("12 Main Street") must be the very next one, unless a part of it ("12.1 …") follows.
    """
    if not sure:
        return len(parts) == 1 and parts[0] == (last[0] if last else 0) + 1
    return tuple(parts) > tuple(last) and parts[0] <= (last[0] if last else parts[0]) + _LARGEST_GAP


def _like_heading(rest: str) -> bool:
    return len(rest) <= _LONGEST_HEADING and "\n" not in rest and rest[-1] not in ".;,:"


def _has_child(text: str, following: str) -> bool:
    """The next piece carries a number below this one's: "8 Delivery" before "8.1 …"."""
    one, other = _NUMBERED.fullmatch(text), _NUMBERED.fullmatch(following)
    return one is not None and other is not None and other["number"].startswith(one["number"] + ".")


def _same_list(parts: tuple[int, ...], following: str) -> bool:
    """The next piece carries the next number of the same depth: both are items of a list, not headings."""
    found = _NUMBERED.fullmatch(following)
    return found is not None and _parts(found["number"]) == (*parts[:-1], parts[-1] + 1)

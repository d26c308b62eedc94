"""Numbered evidence, where each piece stands, and the ledger that nothing can be cited outside of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from sleuth.errors import EvidenceError
from sleuth.result import Origin

Kind = Literal["passage", "rows", "page", "text"]


@dataclass(frozen=True, slots=True)
class Locator:
    """Where a piece of evidence can be looked up again.

    `where` is a document's path, a web address, a database's name, or a call of a function tool. `statement` is the SQL that made
    the rows.
    """

    kind: Kind
    where: str
    page: int | None = None
    clause: str | None = None
    heading: str | None = None
    statement: str | None = None
    params: tuple[str, ...] = ()

    @property
    def bound(self) -> str:
        """What was bound to the statement's placeholders: "$1=EU, $2=2025-01-01"."""
        return ", ".join(f"${number}={value}" for number, value in enumerate(self.params, 1))

    def __str__(self) -> str:
        parts = [self.where]
        if self.page is not None:
            parts.append(f"p. {self.page}")
        if self.clause:
            parts.append(f"clause {self.clause}")
        if self.heading:
            parts.append(f"“{self.heading}”")
        if self.statement:
            parts.append(self.statement + (f" with {self.bound}" if self.params else ""))
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Evidence:
    """`id` counts from 1 within a run. `text` is what the model was shown of it, no more. `also_in` as in `Passage`."""

    id: int
    text: str
    locator: Locator
    origin: Origin
    tool: str
    also_in: tuple[str, ...] = ()

    @property
    def held(self) -> str:
        """All that a claim may draw on: the text and the place it stands in, without the statement, which is not a finding."""
        place = self.locator
        parts = (self.text, place.where, place.clause or "", str(place.page or ""), place.heading or "", *place.params)
        return " ; ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Citation:
    """One claim of an answer and the ids of the evidence it rests on."""

    claim: str
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ledger:
    """All the evidence of a run, in the order it was seen."""

    items: tuple[Evidence, ...] = ()

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Evidence]:
        return iter(self.items)

    def __getitem__(self, evidence_id: int) -> Evidence:
        """Raises EvidenceError for an id that was never handed out."""
        if not 1 <= evidence_id <= len(self.items):
            known = f"1 to {len(self.items)}" if self.items else "none at all"
            raise EvidenceError(f"evidence [{evidence_id}] was never seen; there is {known}")
        return self.items[evidence_id - 1]

    def extended(self, items: Iterable[Evidence]) -> Ledger:
        """A ledger with `items` after these; their ids must follow on. Raises EvidenceError where they do not."""
        grown = (*self.items, *items)
        for expected, item in enumerate(grown, 1):
            if item.id != expected:
                raise EvidenceError(f"evidence ids must follow on: expected {expected}, got {item.id}")
        return Ledger(grown)

    def cite(self, claim: str, evidence: Iterable[int]) -> Citation:
        """Raises EvidenceError for an unknown id: never dropped, never guessed."""
        ids = tuple(dict.fromkeys(evidence))
        for evidence_id in ids:
            self[evidence_id]
        return Citation(claim, ids)

"""What an evaluation is and what it reports: the words that all kinds share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from sleuth.evals.cases import Line
from sleuth.models.base import Model
from sleuth.result import Json

Verdict = Literal["passed", "failed", "unscored"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case scored. `why` says what was wrong, or why it could not be scored; `cells` is its row of the kind's table."""

    id: str
    verdict: Verdict
    why: str | None = None
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SampleFiles:
    """Where a built sample case lies: a database file, a folder of documents, pages that stand in for the web."""

    database: Path
    documents: Path
    web: Path


@dataclass(frozen=True, slots=True)
class Settings:
    """What the command line says to a kind. `sample` builds the sample case when nothing else brings sources; `tell` is for a
    person who watches (standard error)."""

    file: Path
    config: Path | None = None
    model: Model | str | None = None
    mode: Literal["schema", "native"] | None = None
    compare: str | None = None
    sample: Callable[[], SampleFiles] | None = None
    tell: Callable[[str], None] = lambda words: None


class Evaluation(Protocol):
    """The cases of one file, being scored."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The heads of the table that `Outcome.cells` fills."""
        ...

    def outcomes(self) -> AsyncIterator[Outcome]:
        """Score one case after the other. Raises SleuthError only when nothing can be scored at all."""
        ...

    def figures(self) -> dict[str, Json]:
        """Over what has been scored so far; unscored cases are in no mean."""
        ...


class Kind(Protocol):
    """A way of scoring. A module with these names is one."""

    def evaluation(self, lines: Sequence[Line], chosen: Sequence[Line], settings: Settings) -> Evaluation:
        """`lines` is the whole file (what the cases stand on), `chosen` are those to score. Raises CaseError for a bad line."""
        ...


@dataclass(frozen=True, slots=True)
class Report:
    """`cases` were to be scored; those never reached, after an interruption, count as unscored."""

    kind: str
    cases: int
    outcomes: tuple[Outcome, ...]
    figures: Mapping[str, Json]
    interrupted: bool = False

    @property
    def partial(self) -> bool:
        return self.interrupted or len(self.outcomes) < self.cases

    def count(self, verdict: Verdict) -> int:
        return sum(outcome.verdict == verdict for outcome in self.outcomes)

    @property
    def unscored(self) -> int:
        return self.cases - self.count("passed") - self.count("failed")

    def as_json(self) -> dict[str, Json]:
        failed: list[Json] = [_named(outcome) for outcome in self.outcomes if outcome.verdict == "failed"]
        aside: list[Json] = [_named(outcome) for outcome in self.outcomes if outcome.verdict == "unscored"]
        more: dict[str, Json] = {"unscored": aside} if aside else {}
        if self.partial:
            more |= {"partial": True, "not_reached": self.cases - len(self.outcomes)}
        return {
            "kind": self.kind,
            "cases": self.cases,
            "passed": self.count("passed"),
            "failed": self.count("failed"),
            "unscored": self.unscored,
            "figures": {**self.figures, **more},
            "failures": failed,
        }


def _named(outcome: Outcome) -> dict[str, Json]:
    return {"id": outcome.id, "why": outcome.why or ""}

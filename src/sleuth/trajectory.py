"""The record of a run: a question, steps of thought, action and observation, and an answer. Frozen; grows by copying."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, Union

from sleuth.evidence import Citation, Evidence, Ledger
from sleuth.limits import Spent
from sleuth.result import Result, Rows
from sleuth.tool import ToolCall

Enforcement = Literal["masked", "server", "validated", "repaired", "off"]
"""How the form of a model's output was kept: by a mask of ours, by a server that a probe has shown to enforce it, only by
checking afterwards, by mending, or not at all."""

StopReason = Literal["answered", "insufficient", "iterations", "seconds", "tokens", "model_error"]


@dataclass(frozen=True, slots=True)
class Usage:
    """One request to a model. Seconds are wall time; `ttft_seconds` ends with the first token."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    ttft_seconds: float = 0.0
    seconds: float = 0.0
    enforced: Enforcement = "off"


@dataclass(frozen=True, slots=True)
class Calls:
    """Run these, at once."""

    calls: tuple[ToolCall, ...]


@dataclass(frozen=True, slots=True)
class Conclude:
    """Write the answer from the evidence seen."""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The sources do not hold it."""

    why: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """The model broke its contract; `problem` is told to it. `tool` is the one whose call it did not get to the end of."""

    problem: str
    tool: str | None = None


Action: TypeAlias = Union[Calls, Conclude, GiveUp, Malformed]


@dataclass(frozen=True, slots=True)
class Observation:
    """What one call showed: the result, the text the model reads, the evidence numbered from it.

    `known` is evidence of an earlier call like it, already in the ledger.
    """

    call: ToolCall
    result: Result
    text: str
    evidence: tuple[Evidence, ...] = ()
    known: tuple[Evidence, ...] = ()
    seconds: float = 0.0

    @property
    def found(self) -> bool:
        """Rows that say "none" are evidence to cite, but another source may still hold what was asked for."""
        return bool(self.evidence or self.known) and not (isinstance(self.result, Rows) and self.result.empty)


@dataclass(frozen=True, slots=True)
class Step:
    """One iteration. `raw` is the model's own message, kept byte for byte so that the next request extends this one."""

    thought: str
    action: Action
    raw: str
    observations: tuple[Observation, ...] = ()
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Trajectory:
    question: str
    steps: tuple[Step, ...] = ()
    ledger: Ledger = field(default_factory=Ledger)
    spent: Spent = field(default_factory=Spent)

    def extended(self, step: Step, spent: Spent) -> Trajectory:
        seen = [item for observation in step.observations for item in observation.evidence]
        return replace(self, steps=(*self.steps, step), ledger=self.ledger.extended(seen), spent=self.spent + spent)


@dataclass(frozen=True, slots=True)
class Answer:
    """`text` carries the markers [1], [2] … of `evidence`; `citations` are its claims one by one.

    `stop_reason` is "answered" or says why the run ended earlier; `note` is what the reader must know beside the answer (a source
    was down, a limit was reached). `cited` is the evidence the answer really rests on; `writing` has one entry for each request
    that put it into words.
    """

    question: str
    text: str
    citations: tuple[Citation, ...]
    stop_reason: StopReason
    trajectory: Trajectory
    note: str | None = None
    writing: tuple[Usage, ...] = ()

    @property
    def usages(self) -> tuple[Usage, ...]:
        """Of every request that the model has completed, in order."""
        every = (*(step.usage for step in self.trajectory.steps), *self.writing)
        return tuple(usage for usage in every if usage.seconds or usage.prompt_tokens or usage.completion_tokens)

    @property
    def seconds(self) -> float:
        """Wall time of the run: its iterations, and the writing of the answer."""
        return self.trajectory.spent.seconds + sum(usage.seconds for usage in self.writing)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return self.trajectory.ledger.items

    @property
    def cited(self) -> tuple[Evidence, ...]:
        ids = sorted({number for citation in self.citations for number in citation.evidence})
        return tuple(self.trajectory.ledger[number] for number in ids)

    @property
    def answered(self) -> bool:
        return bool(self.citations)


def open_parts(steps: Sequence[Step]) -> tuple[str, ...]:
    """The parts that were asked for and not found, in order.

    One is closed by evidence for it, or in a later turn for a part in much the same words: a model that asks again seldom keeps
    its own. Other numbers make another part.
    """
    still: dict[str, None] = {}
    for step in steps:
        found = [seen.call.part for seen in step.observations if seen.found]
        for part in [part for part in still if any(alike(part, other) for other in found)]:
            del still[part]
        still.update((seen.call.part, None) for seen in step.observations if seen.call.part and seen.call.part not in found)
    return tuple(still)


def alike(part: str, other: str) -> bool:
    """Whether two parts are the same one in much the same words, with the same numbers."""
    if re.findall(r"\d+", part) != re.findall(r"\d+", other):
        return False
    words, others = ({word for word in re.findall(r"\w+", text.casefold()) if len(word) > 3} for text in (part, other))
    return part == other or len(words & others) * 2 >= max(min(len(words), len(others)), 1)

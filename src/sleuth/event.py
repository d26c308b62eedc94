"""What a watcher of a run sees: one closed union, in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, Union

from sleuth.source import Card
from sleuth.tool import ToolCall
from sleuth.trajectory import Answer, Observation, Step


@dataclass(frozen=True, slots=True)
class Started:
    """The sources are open; `cards` say what they hold. `unavailable` pairs a source's name with why it is not there."""

    question: str
    cards: tuple[Card, ...]
    unavailable: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class IterationStarted:
    number: int


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the model's message as it is written: of the decision, or of the answer."""

    text: str
    of: Literal["decision", "answer"]


@dataclass(frozen=True, slots=True)
class Decided:
    """The model's message is whole, and read: Malformed where it broke its form. There are no observations yet."""

    number: int
    step: Step


@dataclass(frozen=True, slots=True)
class CallStarted:
    number: int
    call: ToolCall


@dataclass(frozen=True, slots=True)
class Observed:
    """One call of iteration `number` has come back; in the order of the calls, which ran at once."""

    number: int
    observation: Observation


@dataclass(frozen=True, slots=True)
class AnswerStarted:
    """The evidence is being put into words."""

    evidence: int


@dataclass(frozen=True, slots=True)
class PartStarted:
    """The evidence on part `number` of `parts` is being read; its text follows."""

    number: int
    parts: int


@dataclass(frozen=True, slots=True)
class Finished:
    answer: Answer


Event: TypeAlias = Union[
    Started, IterationStarted, TextDelta, Decided, CallStarted, Observed, AnswerStarted, PartStarted, Finished
]

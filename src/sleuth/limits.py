"""Ceilings of a run, and what a run has spent. Units are in the names."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from sleuth.errors import UsageError

Ceiling = Literal["iterations", "seconds", "tokens"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Every ceiling ends the run with the best answer so far and a stop reason; none ends it in silence."""

    iterations: int = 8
    seconds: float = 900.0
    """Of deciding and looking up. What was found is then still put into words, for at most two minutes more."""
    tokens: int = 60_000
    """Prompt and completion tokens of all decisions together; the answer costs one short request for each part on top."""
    calls_per_turn: int = 4
    tool_seconds: float = 30.0
    observation_chars: int = 3_000
    """Longest text of one observation shown to the model; what is cut is said."""
    claims: int = 6
    """Most claims in one answer."""

    def __post_init__(self) -> None:
        for field in fields(self):
            if not getattr(self, field.name) > 0:  # nor is NaN
                raise UsageError(f"limit {field.name!r} must be above zero", hint="leave it out to take the default")


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has used so far."""

    iterations: int = 0
    seconds: float = 0.0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    calls: int = 0

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.iterations + other.iterations,
            self.seconds + other.seconds,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.calls + other.calls,
        )

    def exceeded(self, limits: Limits) -> Ceiling | None:
        """The name of the first ceiling reached, or None."""
        if self.iterations >= limits.iterations:
            return "iterations"
        if self.seconds >= limits.seconds:
            return "seconds"
        if self.prompt_tokens + self.completion_tokens >= limits.tokens:
            return "tokens"
        return None

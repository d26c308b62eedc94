"""What comes next in a run: one pure function over the trajectory, no I/O, no clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, Union

from sleuth.limits import Limits
from sleuth.result import Failure
from sleuth.tool import ToolCall
from sleuth.trajectory import Calls, Conclude, GiveUp, Malformed, Step, StopReason, Trajectory

MALFORMED_IN_A_ROW = 2
"""So many broken messages running and the model is not asked again."""

REPEATS_IN_A_ROW = 2
"""So many turns running of calls made before and the model may call no more, even if they had failed."""


@dataclass(frozen=True, slots=True)
class Decide:
    """Ask the model for one thought and one action. Calling and giving up are always allowed.

    `afresh`: the last turn brought nothing new, so its words are not to be repeated: sample rather than take the likeliest again.
    `without`: tools that were just asked in vain; another may know.
    """

    may_conclude: bool
    afresh: bool = False
    without: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Act:
    """Run these calls, at once. `known` are calls of the same turn that an earlier observation already answers."""

    calls: tuple[ToolCall, ...]
    known: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Write:
    """Put the evidence into words; `reason` is why now."""

    reason: StopReason


@dataclass(frozen=True, slots=True)
class Stop:
    """There is nothing to write from."""

    reason: StopReason
    why: str


Move: TypeAlias = Union[Decide, Act, Write, Stop]


def next_move(trajectory: Trajectory, limits: Limits) -> Move:
    """The only place that decides how a run goes on.

    A limit ends it with what was found. A call made before is not run again: it is answered from what is known, and when a whole
    turn was of that kind, the model has nothing else to ask and the answer is written. A call that failed may be put differently;
    after the same words once more it is another tool's turn.
    """
    last = trajectory.steps[-1] if trajectory.steps else None
    if last is None:
        return Decide(may_conclude=False)
    if isinstance(last.action, Calls) and len(last.observations) < len(last.action.calls):
        return _run(trajectory, last.action.calls)
    if isinstance(last.action, Conclude):
        return _end(trajectory, "answered", "nothing was found")
    if isinstance(last.action, GiveUp):
        # Why, in the model's words, stays in the trajectory: nothing has held them against any evidence.
        return _end(trajectory, "insufficient", "no source seems to know it")
    if isinstance(last.action, Malformed) and _malformed_in_a_row(trajectory.steps) >= MALFORMED_IN_A_ROW:
        return _end(trajectory, "model_error", "the model's replies broke the form asked for, more than once")
    reached = trajectory.spent.exceeded(limits)
    if reached is not None:
        return _end(trajectory, reached, f"the limit of {getattr(limits, reached):g} {reached} was reached")
    repeats = _repeats_in_a_row(trajectory.steps)
    failed = any(isinstance(seen.result, Failure) for seen in last.observations)
    if repeats >= REPEATS_IN_A_ROW or (repeats > 0 and not failed):
        return _end(trajectory, "answered", "nothing else was asked for")
    afresh = not any(seen.found for seen in last.observations)
    without = frozenset(seen.call.tool for seen in last.observations) if repeats else _in_vain(last)
    return Decide(may_conclude=bool(trajectory.ledger), afresh=afresh, without=without)


def _in_vain(step: Step) -> frozenset[str]:
    """Tools that found nothing, or whose call the model did not get to the end of. One that failed may be asked better."""
    if isinstance(step.action, Malformed):
        return frozenset([step.action.tool]) if step.action.tool else frozenset()
    found = {seen.call.tool for seen in step.observations if seen.found}
    return frozenset({seen.call.tool for seen in step.observations if not isinstance(seen.result, Failure)} - found)


def _end(trajectory: Trajectory, reason: StopReason, why: str) -> Move:
    if len(trajectory.ledger):
        return Write(reason)
    return Stop("insufficient" if reason == "answered" else reason, why)


def _run(trajectory: Trajectory, calls: Sequence[ToolCall]) -> Act:
    new = _new_calls(trajectory.steps[:-1], calls)
    return Act(new, tuple(call for call in calls if call not in new))


def _new_calls(before: Sequence[Step], calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """The calls whose like has not been answered yet; of equal calls in one turn the first."""
    seen = {observation.call.canonical for step in before for observation in step.observations}
    new: list[ToolCall] = []
    for call in calls:
        if call.canonical not in seen:
            seen.add(call.canonical)
            new.append(call)
    return tuple(new)


def _malformed_in_a_row(steps: Sequence[Step]) -> int:
    count = 0
    for step in reversed(steps):
        if not isinstance(step.action, Malformed):
            break
        count += 1
    return count


def _repeats_in_a_row(steps: Sequence[Step]) -> int:
    count = 0
    for place in range(len(steps) - 1, 0, -1):
        action = steps[place].action
        if not isinstance(action, Calls) or _new_calls(steps[:place], action.calls):
            break
        count += 1
    return count

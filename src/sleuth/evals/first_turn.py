"""The first turn of a question: which calls came, whether they parse, whether they name the right tools. Native function calling
beside sleuth's own form, on the same questions and the same model."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from statistics import median
from time import monotonic

from sleuth.agent import Agent
from sleuth.errors import ConstraintViolated, ModelError
from sleuth.evals.printed import printed_calls
from sleuth.evals.tools import kind_of
from sleuth.event import Decided
from sleuth.models.base import Completion, Model, Output, RawToolCall, Request
from sleuth.result import Json
from sleuth.structured_output.constraint import JsonSchema
from sleuth.structured_output.verify import verify
from sleuth.tool import ToolSpec
from sleuth.trajectory import Calls, Step


@dataclass(frozen=True, slots=True)
class Call:
    """`kind` is empty for a tool that does not exist. `parsed`: a JSON object as arguments for a tool that exists; `valid`: they
    also keep the tool's schema."""

    kind: str
    parsed: bool
    valid: bool


@dataclass(frozen=True, slots=True)
class FirstTurn:
    """`calls` came as calls; `printed` stood in the text as text, where a server's parser should have found them."""

    needs: frozenset[str] | None
    calls: tuple[Call, ...] = ()
    printed: tuple[Call, ...] = ()
    seconds: float = 0.0
    error: str | None = None
    said: Completion = field(default_factory=lambda: Completion(""))


def schema_turn(step: Step, needs: frozenset[str] | None) -> FirstTurn:
    """Of a run in schema mode: its calls have been verified against their tools already."""
    called = step.action.calls if isinstance(step.action, Calls) else ()
    return FirstTurn(needs, tuple(Call(kind_of(call.tool, needs), True, True) for call in called), (), step.usage.seconds)


async def native_turn(agent: Agent, question: str, needs: frozenset[str] | None) -> FirstTurn:
    """Ask the agent's model for its first turn by function calling. The agent's own model and mode are put back."""
    model, mode, started = agent.model, agent.mode, monotonic()
    listener = _Listener(model)
    agent.model, agent.mode = listener, "native"
    error = None
    try:
        async with aclosing(agent.stream(question)) as events:
            async for event in events:
                if isinstance(event, Decided):
                    break
    except ModelError as failed:
        error = failed.message
    finally:
        agent.model, agent.mode = model, mode
    request, said = listener.heard or (None, Completion(""))
    specs = request.tools if request else ()
    calls = tuple(_checked(call, specs, needs) for call in said.tool_calls)
    printed = tuple(_checked(call, specs, needs) for call in printed_calls(said.text))
    return FirstTurn(needs, calls, printed, said.usage.seconds or monotonic() - started, error, said)


def turn_figures(turns: Sequence[FirstTurn]) -> dict[str, Json]:
    """Counts over first turns, side by side for two ways of calling. Questions that say not which tools they need are in no
    figure about the right tool."""
    calls = [(call, turn.needs) for turn in turns for call in turn.calls]
    printed = [(call, turn.needs) for turn in turns for call in turn.printed]
    return {
        "questions": len(turns),
        "with_a_call": sum(bool(turn.calls) for turn in turns),
        "calls": len(calls),
        "parsed": sum(call.parsed for call, _ in calls),
        "valid_arguments": sum(call.valid for call, _ in calls),
        "right_tool": sum(_right(call, needs) for call, needs in calls),
        "questions_all_right": sum(_all_right(turn) for turn in turns),
        "printed_as_text": len(printed),
        "printed_right_tool": sum(_right(call, needs) for call, needs in printed),
        "errors": sum(turn.error is not None for turn in turns),
        "seconds_median": round(median(turn.seconds for turn in turns), 3) if turns else None,
    }


def turn_row(case_id: str, turn: FirstTurn) -> dict[str, Json]:
    """What the model said natively, as it came."""
    calls: list[Json] = [{"tool": call.name, "arguments": call.arguments} for call in turn.said.tool_calls]
    return {"id": case_id, "calls": calls, "text": turn.said.text, "error": turn.error}


class _Listener:
    """A model that keeps the first exchange."""

    def __init__(self, model: Model) -> None:
        self.heard: tuple[Request, Completion] | None = None
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    async def stream(self, request: Request) -> AsyncGenerator[Output, None]:
        async with aclosing(self._model.stream(request)) as outputs:
            async for output in outputs:
                if isinstance(output, Completion) and self.heard is None:
                    self.heard = request, output
                yield output

    async def close(self) -> None:
        """The model belongs to the agent."""


def _checked(call: RawToolCall, specs: Sequence[ToolSpec], needs: frozenset[str] | None) -> Call:
    spec = next((spec for spec in specs if spec.name == call.name), None)
    parsed = spec is not None and _is_object(call.arguments)
    kind = kind_of(spec.name, needs) if spec else ""
    return Call(kind, parsed, parsed and spec is not None and _keeps(call.arguments, spec))


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _keeps(arguments: str, spec: ToolSpec) -> bool:
    try:
        verify(arguments, JsonSchema.of(spec.parameters))
    except ConstraintViolated:
        return False
    return True


def _right(call: Call, needs: frozenset[str] | None) -> bool:
    return needs is not None and call.kind in needs


def _all_right(turn: FirstTurn) -> bool:
    """Every tool needed was called at once, and no other; for a question that needs none, nothing was called."""
    called = frozenset(call.kind for call in turn.calls if call.parsed)
    return turn.error is None and called == turn.needs

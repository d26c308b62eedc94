"""What the loop asks of a model, whatever runs it: messages and a constraint in, pieces of text and one completion out."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias, Union

from sleuth.errors import ModelError, UsageError
from sleuth.structured_output.constraint import Constraint
from sleuth.tool import ToolSpec
from sleuth.trajectory import Usage

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class RawToolCall:
    """A call as a server printed it; `arguments` is text that has not been parsed or checked."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """`tool_calls` only on assistant messages, `tool_call_id` only on tool messages (OpenAI's life cycle of a call)."""

    role: Role
    content: str
    tool_calls: tuple[RawToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """Messages are append-only between the requests of a run, so that request n+1 extends request n byte for byte.

    `constraint` and `tools` exclude each other: a constraint is sent as the engine's own, tools as native function calling.
    Raises UsageError for both.
    """

    messages: tuple[Message, ...]
    constraint: Constraint | None = None
    tools: tuple[ToolSpec, ...] = ()
    parallel_tool_calls: bool = True
    max_tokens: int = 700
    temperature: float = 0.0
    seed: int | None = 0

    def __post_init__(self) -> None:
        if self.constraint is not None and self.tools:
            raise UsageError("a request carries a constraint or tools, not both", hint="leave one out")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of the text, as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Completion:
    """The whole output; always the last item of a stream. `finish_reason` is the server's word ("stop", "length" …).

    Where the request carried a constraint, `text` has been verified against it.
    """

    text: str
    tool_calls: tuple[RawToolCall, ...] = ()
    finish_reason: str = "stop"
    usage: Usage = field(default_factory=Usage)


Output: TypeAlias = Union[Chunk, Completion]


class Model(Protocol):
    @property
    def name(self) -> str: ...

    def stream(self, request: Request) -> AsyncGenerator[Output, None]:
        """Chunks, then one Completion. Closing the generator stops the generation.

        Raises ConstraintUnsupported before anything is sent, ModelUnavailable, ContextExceeded for a prompt longer than the
        context, or ConstraintViolated, with its `usage`, when the finished text breaks the constraint (an engine that does not
        keep it, or an output cut at `max_tokens`).
        """
        ...

    async def close(self) -> None: ...


async def complete(model: Model, request: Request) -> Completion:
    """The completion of `request`, without the pieces."""
    async with aclosing(model.stream(request)) as outputs:
        async for output in outputs:
            if isinstance(output, Completion):
                return output
    raise ModelError(f"{model.name} ended its stream without a completion")

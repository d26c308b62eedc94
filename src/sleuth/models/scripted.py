"""A model that says what it is told: for tests of tools, sources and agents without a model, a key or a network."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from time import perf_counter
from typing import TypeAlias, Union

from sleuth.errors import UsageError
from sleuth.models.base import Chunk, Completion, Output, RawToolCall, Request
from sleuth.models.reply import Reply
from sleuth.models.verified import verify_reply
from sleuth.structured_output.compile import check
from sleuth.trajectory import Usage

Said: TypeAlias = Union[str, RawToolCall, Sequence[RawToolCall], Exception]
"""One output: a text, native calls, or an error to raise instead."""

CHARS_PER_TOKEN = 4
"""The made-up tokens of `Usage`: enough to test what counts them."""


class Scripted:
    """Says `outputs` one after the other, `chunk_chars` characters at a time, and keeps what it was asked in `requests`.

    Like a real model it raises ConstraintUnsupported for a constraint that no grammar can be compiled from, and
    ConstraintViolated where an output breaks the constraint of its request. Asked once more than there are outputs, it raises
    UsageError.
    """

    def __init__(self, outputs: Sequence[Said], *, chunk_chars: int = 16, name: str = "scripted") -> None:
        if chunk_chars < 1:
            raise UsageError("chunk_chars must be above zero")
        self.name = name
        self.requests: list[Request] = []
        self._outputs = tuple(outputs)
        self._chunk_chars = chunk_chars

    @property
    def remaining(self) -> int:
        """Outputs not yet said; a test that expects every one to be asked for asserts 0."""
        return max(0, len(self._outputs) - len(self.requests))

    async def stream(self, request: Request) -> AsyncGenerator[Output, None]:
        if request.constraint is not None:
            check(request.constraint)
        self.requests.append(request)
        turn = len(self.requests)
        if turn > len(self._outputs):
            raise UsageError(f"{self.name} was asked {turn} times and has {len(self._outputs)} outputs", hint="script one more")
        said = self._outputs[turn - 1]
        if isinstance(said, Exception):
            raise said
        started = perf_counter()
        text = said if isinstance(said, str) else ""
        for start in range(0, len(text), self._chunk_chars):
            yield Chunk(text[start : start + self._chunk_chars])
        completion = _completion(said, request, perf_counter() - started)
        verify_reply(request, Reply(text, completion.finish_reason), completion.usage)
        yield completion

    async def close(self) -> None:
        """Nothing to free."""


def _completion(said: str | RawToolCall | Sequence[RawToolCall], request: Request, seconds: float) -> Completion:
    usage = Usage(
        prompt_tokens=sum(len(message.content) for message in request.messages) // CHARS_PER_TOKEN,
        completion_tokens=(len(said) if isinstance(said, str) else 0) // CHARS_PER_TOKEN,
        seconds=seconds,
        enforced="off" if request.constraint is None else "validated",
    )
    if isinstance(said, str):
        return Completion(said, usage=usage)
    calls = (said,) if isinstance(said, RawToolCall) else tuple(said)
    return Completion("", calls, finish_reason="tool_calls", usage=usage)

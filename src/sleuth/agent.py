"""The agent: sources and tools around a model, and the ways to ask it."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import aclosing
from types import TracebackType
from typing import Self, TypeVar

from sleuth.catalogue.catalogue import Catalogue, Entry
from sleuth.errors import SourceError, UsageError
from sleuth.event import Event, Finished, Started
from sleuth.limits import Limits
from sleuth.models.base import Model
from sleuth.models.open import open_model
from sleuth.run import Mode, Run
from sleuth.source import Card, Source
from sleuth.tool import Tool
from sleuth.trajectory import Answer

T = TypeVar("T")


class Agent:
    """Answers questions from sources and tools, with evidence.

    `model` is a Model, a server's URL, a name in the model store, or the path of a GGUF file. `mode` is how calls are made:
    "schema" holds each decision in one action schema by the engine's own constraint; "native" uses the server's function calling,
    for servers that a probe has shown to enforce it. Sources are opened at the first question; one that is down is left out of
    the run and the answer says so.
    """

    def __init__(
        self,
        model: Model | str,
        sources: Sequence[Source] = (),
        tools: Sequence[Tool] = (),
        *,
        limits: Limits | None = None,
        mode: Mode = "schema",
    ) -> None:
        if not sources and not tools:
            raise UsageError("an agent needs at least one source or tool", hint="pass sources=[…] or tools=[…]")
        self.model = open_model(model) if isinstance(model, str) else model
        self.limits = limits or Limits()
        self.mode: Mode = mode
        self._sources = tuple(sources)
        self._tools = tuple(tools)
        self._cards: dict[str, Card] = {}
        self._opening = asyncio.Lock()
        self._background: _Background | None = None
        self._starting = threading.Lock()

    async def open(self) -> tuple[Card, ...]:
        """Open every source that is not open yet; what they hold. Raises SourceError only when there is nothing left to ask."""
        await self._open()
        return tuple(self._cards.values())

    async def stream(self, question: str, *, history: Sequence[tuple[str, str]] = ()) -> AsyncGenerator[Event, None]:
        """Every event of the run, as it happens; the last is Finished. Closing the generator stops the model and the tools.

        `history` holds earlier (question, answer) pairs of the same conversation. Raises ModelError when the model cannot be used
        at all; once there is evidence, a model that fails ends the run with what was found.
        """
        if not question.strip():
            raise UsageError("the question is empty", hint="ask something")
        unavailable = await self._open()
        catalogue = Catalogue.of(self._entries())
        yield Started(question, tuple(self._cards.values()), unavailable)
        run = Run(question, self.model, catalogue, self.limits, self.mode, history, unavailable)
        async with aclosing(run.events()) as events:
            async for event in events:
                yield event

    async def run(self, question: str, *, history: Sequence[tuple[str, str]] = ()) -> Answer:
        """The answer, without the events."""
        async for event in self.stream(question, history=history):
            if isinstance(event, Finished):
                return event.answer
        raise AssertionError("a run ends with Finished")

    def ask(self, question: str, *, history: Sequence[tuple[str, str]] = ()) -> Answer:
        """`run` for code that is not async; works inside a running event loop too (a notebook). Ctrl-C stops the run."""
        with self._starting:
            self._background = background = self._background or _Background()
        return background.result(self.run(question, history=history))

    async def aclose(self) -> None:
        """Close the sources and the model, all of them; then raises what the first of them raised, if one did."""
        self._cards.clear()
        closed = await asyncio.gather(*(source.close() for source in self._sources), self.model.close(), return_exceptions=True)
        for outcome in closed:
            if outcome is not None:
                raise outcome

    def close(self) -> None:
        """`aclose` for an agent that was used by `ask`."""
        if self._background is not None:
            background, self._background = self._background, None
            try:
                background.result(self.aclose())
            finally:
                background.stop()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.aclose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    async def _open(self) -> tuple[tuple[str, str], ...]:
        """Names and reasons of the sources that could not be opened; a source that was down is tried again at each question."""
        async with self._opening:
            return await self._open_closed()

    async def _open_closed(self) -> tuple[tuple[str, str], ...]:
        closed = [source for source in self._sources if source.name not in self._cards]
        opened = await asyncio.gather(*(source.open() for source in closed), return_exceptions=True)
        failed: list[tuple[str, SourceError]] = []
        for source, outcome in zip(closed, opened, strict=True):
            if isinstance(outcome, Card):
                self._cards[source.name] = outcome
            elif isinstance(outcome, SourceError):
                failed.append((source.name, outcome))
        for outcome in opened:
            if not isinstance(outcome, Card | SourceError):
                raise outcome
        if failed and not self._cards and not self._tools:
            raise failed[0][1]
        return tuple((name, error.message) for name, error in failed)

    def _entries(self) -> list[Entry]:
        """In the order they were given, so that the prompt's head stays the same."""
        opened = [source for source in self._sources if source.name in self._cards]
        entries = [Entry(tool, self._cards[source.name]) for source in opened for tool in source.tools()]
        return entries + [Entry(tool) for tool in self._tools]


class _Background:
    """An event loop in a thread of its own, so that sockets and models stay with one loop however often `ask` is called."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="sleuth", daemon=True)
        self._thread.start()

    def result(self, work: Coroutine[object, object, T]) -> T:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise UsageError("the agent was closed while it was asked", hint="close it when all answers are there") from None
        except BaseException:
            future.cancel()
            raise

    def stop(self) -> None:
        """What is still being asked, by other threads, ends there with an error."""
        asyncio.run_coroutine_threadsafe(_cancel_all(), self._loop).result(timeout=5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=5)
        self._loop.close()


async def _cancel_all() -> None:
    """Every other task of this loop."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)

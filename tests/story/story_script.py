"""Tools, a source and models that play in the stories."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Sequence

from sleuth.agent import Agent
from sleuth.errors import SourceUnavailable
from sleuth.event import Event
from sleuth.models.base import Chunk, Output, Request
from sleuth.models.scripted import Scripted
from sleuth.result import Passage, Passages, Rows
from sleuth.source import Card
from sleuth.tool import FunctionTool, Tool, tool


@tool
def count(of: str) -> Rows:
    """How many there are. NOT for rules."""
    return Rows(("n",), ((47,),), f"SELECT COUNT(*) FROM {of}")


@tool
def rules(query: str) -> Passages:
    """What the documents say. NOT for counts."""
    return Passages((Passage(f"On {query}: within 30 days.", "policy.pdf", "Policy", 2, "4.1"),))


@tool
def broken(query: str) -> str:
    """Always down."""
    raise SourceUnavailable("the index is down")


def calls(*parts: tuple[str, str, dict[str, object]], thought: str = "Look it up.") -> str:
    return json.dumps({"thought": thought, "calls": [{"part": p, "tool": t, "args": a} for p, t, a in parts]})


def finish(how: str, thought: str = "That is all.") -> str:
    return json.dumps({"thought": thought, "finish": how})


def says(*claims: tuple[list[int], str]) -> str:
    """What the model writes of one part."""
    told = [{"text": text, "evidence": ids} for ids, text in claims]
    return json.dumps({"found": True, "claims": told} if told else {"found": False})


BOTH = calls(("the count", "count", {"of": "contracts"}), ("the rule", "rules", {"query": "returns"}))
ANSWER = (says(([1], "There are 47 contracts.")), says(([2], "Returns are taken within 30 days.")))
TOOLS: list[FunctionTool] = [count, rules]


async def events_of(model: Scripted, tools: Sequence[Tool] = TOOLS, **options: object) -> list[Event]:
    agent = Agent(model, tools=tools, **options)  # type: ignore[arg-type]
    return [event async for event in agent.stream("How many, and which rule?")]


class Slow(Scripted):
    """Each request after the first `quick` ones waits for ever; `stopped` says that it was made to end."""

    def __init__(self, outputs: Sequence[object], quick: int) -> None:
        super().__init__(outputs)  # type: ignore[arg-type]
        self.quick = quick
        self.stopped = False
        self.began = threading.Event()

    async def stream(self, request: Request) -> AsyncGenerator[Output, None]:
        if len(self.requests) >= self.quick:
            self.began.set()
            try:
                yield Chunk("{")
                await asyncio.Event().wait()
            finally:
                self.stopped = True
        async for output in super().stream(request):
            yield output


class Shelf:
    """A source with a switch."""

    name = "shelf"

    def __init__(self, *, down: bool) -> None:
        self.down = down

    async def open(self) -> Card:
        if self.down:
            raise SourceUnavailable("the shelf is locked")
        return Card("shelf", "documents", "Shelf", ("3 books",))

    def tools(self) -> list[Tool]:
        return [rules]

    async def close(self) -> None:
        return None

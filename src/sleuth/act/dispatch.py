"""Run the calls of one turn at once; each comes back on its own, and none can cancel or hide another."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from sleuth.errors import SleuthError
from sleuth.result import Failure, Result
from sleuth.tool import Tool, ToolCall

_LOG = logging.getLogger(__name__)

STOPPING_SECONDS = 1.0
"""How long a cancelled tool may take to clean up."""


@dataclass(frozen=True, slots=True)
class Outcome:
    call: ToolCall
    result: Result
    seconds: float


async def dispatch(calls: Sequence[tuple[ToolCall, Tool]], *, tool_seconds: float) -> AsyncGenerator[Outcome, None]:
    """Outcomes in the order of the calls, so that equal runs are alike. The turn costs the slowest call, not the sum.

    A tool's error is an outcome (Failure), never an exception; what may pass on its own is tried once more. Closing the iterator
    cancels the calls that are still running and waits for them.
    """
    tasks = [asyncio.create_task(_run(call, tool, tool_seconds), name=call.id) for call, tool in calls]
    try:
        for task in tasks:
            yield await task
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _run(call: ToolCall, tool: Tool, tool_seconds: float) -> Outcome:
    started = time.monotonic()
    result = await _once(call, tool, tool_seconds)
    left = tool_seconds - (time.monotonic() - started)
    if isinstance(result, Failure) and result.retryable and left > 0:
        result = await _once(call, tool, left)
    return Outcome(call, result, time.monotonic() - started)


async def _once(call: ToolCall, tool: Tool, tool_seconds: float) -> Result:
    """In a task of its own: one that cancels itself ends only itself, and one that will not be cancelled is left behind."""
    work = asyncio.create_task(_guarded(call, tool))
    try:
        await asyncio.wait((work,), timeout=tool_seconds)
    finally:
        late = not work.done()
        if late:
            work.cancel()
            await asyncio.wait((work,), timeout=STOPPING_SECONDS)
    if late:
        return Failure(call.tool, f"no result within {tool_seconds:g} seconds", hint="ask for less")
    return Failure(call.tool, "the tool was cancelled from within") if work.cancelled() else work.result()


async def _guarded(call: ToolCall, tool: Tool) -> Result:
    try:
        return await tool.run(call.arguments)
    except TimeoutError:
        return Failure(call.tool, "the tool timed out by itself", retryable=True)
    except SleuthError as error:
        return Failure(call.tool, error.message, error.retryable, error.hint)
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        # A tool is foreign code: whatever it raises, its siblings and the run go on. The last two would end the event loop.
        # The model is told only the class: the text of an unknown exception may hold a host, a path or a password.
        _LOG.warning("the tool %s failed", call.tool, exc_info=error)
        return Failure(call.tool, f"the tool failed ({type(error).__name__})")

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
    limit = asyncio.timeout(tool_seconds)
    try:
        async with limit:
            return await tool.run(call.arguments)
    except asyncio.CancelledError:
        if (task := asyncio.current_task()) and task.cancelling():
            raise
        return Failure(call.tool, "the tool was cancelled from within")
    except TimeoutError:
        if not limit.expired():
            return Failure(call.tool, "the tool timed out by itself", retryable=True)
        return Failure(call.tool, f"no result within {tool_seconds:g} seconds", hint="ask for less")
    except SleuthError as error:
        return Failure(call.tool, error.message, error.retryable, error.hint)
    except Exception as error:  # a tool is foreign code: whatever it raises, its siblings and the run go on
        # The model is told only the class: the text of an unknown exception may hold a host, a path or a password.
        _LOG.warning("the tool %s failed", call.tool, exc_info=error)
        return Failure(call.tool, f"the tool failed ({type(error).__name__})")

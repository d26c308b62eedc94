from __future__ import annotations

import asyncio
import contextlib

import pytest

from sleuth.act.dispatch import Outcome, dispatch
from sleuth.errors import SourceUnavailable
from sleuth.result import Failure, Text
from sleuth.tool import FunctionTool, ToolCall, tool


async def collect(*pairs: tuple[ToolCall, FunctionTool], tool_seconds: float = 5.0) -> dict[str, Outcome]:
    return {outcome.call.id: outcome async for outcome in dispatch(pairs, tool_seconds=tool_seconds)}


def call(call_id: str, made: FunctionTool) -> tuple[ToolCall, FunctionTool]:
    return ToolCall(call_id, made.spec.name), made


async def test_calls_of_one_turn_run_at_once() -> None:
    met = asyncio.Barrier(3)  # opens only when all three are inside together

    @tool
    async def meet() -> str:
        """Waits for the others."""
        await met.wait()
        return "met"

    outcomes = await collect(call("a", meet), call("b", meet), call("c", meet))
    assert [outcome.result for outcome in outcomes.values()] == [Text("met")] * 3


async def test_a_failing_call_neither_cancels_nor_hides_its_siblings() -> None:
    @tool
    def breaks() -> str:
        """Raises."""
        raise RuntimeError("postgresql://user:hunter2@10.0.0.3/db")

    @tool
    def works() -> str:
        """Works."""
        return "fine"

    outcomes = await collect(call("a", works), call("b", breaks), call("c", works))
    assert outcomes["a"].result == outcomes["c"].result == Text("fine")
    failure = outcomes["b"].result
    assert isinstance(failure, Failure)
    assert "RuntimeError" in failure.error
    assert "hunter2" not in failure.error


async def test_a_tool_that_times_out_or_is_cancelled_by_itself_is_a_failure_like_any_other() -> None:
    @tool
    async def late() -> str:
        """Has a limit of its own."""
        raise TimeoutError

    @tool
    async def cancels() -> str:
        """A task of its own was cancelled."""
        raise asyncio.CancelledError

    outcomes = await collect(call("a", late), call("b", cancels))
    assert outcomes["a"].result == Failure("late", "the tool timed out by itself", retryable=True)
    assert outcomes["b"].result == Failure("cancels", "the tool was cancelled from within")


async def test_a_tool_that_would_end_the_process_or_its_own_task_ends_only_its_call() -> None:
    @tool
    def leaves() -> str:
        """Calls sys.exit, as argparse does."""
        raise SystemExit(3)

    @tool
    async def leaves_too() -> str:
        """The same, in the event loop."""
        raise KeyboardInterrupt

    @tool
    async def cancels_its_task() -> str:
        """Ends itself."""
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(1)
        return "never"

    outcomes = await collect(call("a", leaves), call("b", leaves_too), call("c", cancels_its_task))
    assert outcomes["a"].result == Failure("leaves", "the tool failed (SystemExit)")
    assert outcomes["b"].result == Failure("leaves_too", "the tool failed (KeyboardInterrupt)")
    assert outcomes["c"].result == Failure("cancels_its_task", "the tool was cancelled from within")


async def test_a_tool_that_will_not_be_cancelled_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sleuth.act.dispatch.STOPPING_SECONDS", 0.02)
    released = asyncio.Event()

    @tool
    async def stubborn() -> str:
        """Takes no for no answer."""
        while not released.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await released.wait()
        return "late"

    outcomes = await collect(call("a", stubborn), tool_seconds=0.02)
    released.set()
    assert outcomes["a"].result == Failure("stubborn", "no result within 0.02 seconds", hint="ask for less")


async def test_outcomes_come_in_the_order_of_the_calls() -> None:
    first = asyncio.Event()

    @tool
    async def slow() -> str:
        """Waits for the quick one."""
        await first.wait()
        return "slow"

    @tool
    async def quick() -> str:
        """Is done first."""
        first.set()
        return "quick"

    outcomes = [outcome async for outcome in dispatch([call("a", slow), call("b", quick)], tool_seconds=5)]
    assert [outcome.call.id for outcome in outcomes] == ["a", "b"]


async def test_a_tool_that_hangs_is_stopped_at_its_limit() -> None:
    stopped = asyncio.Event()

    @tool
    async def hangs() -> str:
        """Never returns."""
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return "never"

    outcomes = await collect(call("a", hangs), tool_seconds=0.05)
    assert isinstance(outcomes["a"].result, Failure)
    assert "0.05 seconds" in outcomes["a"].result.error
    assert stopped.is_set()


async def test_what_may_pass_on_its_own_is_tried_once_more_and_only_once() -> None:
    tries = {"passing": 0, "down": 0}

    @tool
    def passing() -> str:
        """Works the second time."""
        tries["passing"] += 1
        if tries["passing"] == 1:
            raise SourceUnavailable("not yet")
        return "now"

    @tool
    def down() -> str:
        """Stays down."""
        tries["down"] += 1
        raise SourceUnavailable("the database is down", hint="ask later")

    outcomes = await collect(call("a", passing), call("b", down))
    assert outcomes["a"].result == Text("now")
    assert outcomes["b"].result == Failure("down", "the database is down", True, "ask later")
    assert tries == {"passing": 2, "down": 2}


async def test_closing_early_leaves_no_call_running() -> None:
    stopped = asyncio.Event()

    @tool
    async def hangs() -> str:
        """Never returns."""
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return "never"

    @tool
    def quick() -> str:
        """Returns."""
        return "quick"

    outcomes = dispatch([call("a", quick), call("b", hangs)], tool_seconds=60)
    first = await anext(outcomes)
    await outcomes.aclose()
    assert first.result == Text("quick")
    assert stopped.is_set()

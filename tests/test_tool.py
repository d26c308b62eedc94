"""A function as a tool: its schema, and where it runs."""

from __future__ import annotations

import asyncio
import contextvars
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Literal

import pytest

from sleuth.act.dispatch import dispatch
from sleuth.errors import UsageError
from sleuth.result import Failure, Text
from sleuth.tool import THREADS, ToolCall, tool

USER: contextvars.ContextVar[str] = contextvars.ContextVar("user", default="nobody")


def test_annotations_become_a_closed_schema() -> None:
    @tool
    def look(word: str, ids: tuple[int, ...], kind: Literal["a", "b"] = "a", most: int | None = None) -> str:
        """Looks."""
        return word

    assert look.spec.parameters == {
        "type": "object",
        "properties": {
            "word": {"type": "string"},
            "ids": {"type": "array", "items": {"type": "integer"}},
            "kind": {"enum": ["a", "b"]},
            "most": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        },
        "required": ["word", "ids"],
        "additionalProperties": False,
    }


def takes_pair(pair: tuple[int, str]) -> str:
    """A pair."""
    return str(pair)


def takes_twins(pair: tuple[int, int]) -> str:
    """Two of a kind."""
    return str(pair)


def takes_one(one: tuple[int]) -> str:
    """One."""
    return str(one)


def takes_none(none: tuple[()]) -> str:
    """None."""
    return str(none)


def takes_nested(pairs: list[tuple[int, str] | None]) -> str:
    """Pairs inside."""
    return str(pairs)


@pytest.mark.parametrize("function", [takes_pair, takes_twins, takes_one, takes_none, takes_nested])
def test_a_tuple_of_a_fixed_length_is_refused(function: Callable[..., str]) -> None:
    with pytest.raises(UsageError, match=r"parameter '\w+': tuple\[.*\] has a fixed length") as caught:
        tool(function)
    assert "tuple[…, ...]" in str(caught.value.hint)


async def test_a_plain_function_runs_beside_the_event_loop_in_the_context_of_its_caller() -> None:
    @tool
    def who(greeting: str) -> str:
        """Who asks."""
        assert threading.current_thread().daemon
        assert threading.current_thread() is not threading.main_thread()
        return f"{greeting} {USER.get()}"

    USER.set("ada")
    assert await who.run({"greeting": "hello"}) == Text("hello ada")


@pytest.mark.parametrize("error", [ValueError("no"), KeyError("k"), UsageError("not so")])
async def test_what_a_plain_function_raises_is_raised(error: Exception) -> None:
    @tool
    def fails() -> str:
        """Fails."""
        raise error

    with pytest.raises(type(error)) as caught:
        await fails.run({})
    assert caught.value is error


async def test_a_function_that_ends_an_iteration_by_mistake_does_not_hang_its_caller() -> None:
    @tool
    def first() -> str:
        """The first of nothing."""
        return next(iter(list[str]()))

    with pytest.raises(RuntimeError, match="StopIteration"):
        await asyncio.wait_for(first.run({}), 2)


def test_a_function_beyond_its_limit_keeps_no_event_loop_from_closing() -> None:
    @tool
    def sleeps() -> str:
        """Sleeps."""
        time.sleep(30)
        return "late"

    async def run() -> list[object]:
        return [outcome.result async for outcome in dispatch([(ToolCall("a", "sleeps"), sleeps)], tool_seconds=0.1)]

    started = time.monotonic()
    (result,) = asyncio.run(run())
    assert time.monotonic() - started < 2
    assert isinstance(result, Failure)
    assert "0.1 seconds" in result.error


HANGS = '''
import asyncio, threading
from sleuth.tool import tool

@tool
def hangs() -> str:
    """Never returns."""
    threading.Event().wait()

async def main():
    try:
        await asyncio.wait_for(hangs.run({}), 0.1)
    except TimeoutError:
        print("abandoned")

asyncio.run(main())
'''


def test_nor_the_process_from_ending() -> None:
    ran = subprocess.run([sys.executable, "-c", HANGS], capture_output=True, text=True, timeout=20, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "abandoned\n", "")


async def test_calls_beyond_the_threads_wait_within_their_limit_and_those_given_up_never_begin() -> None:
    release, full, lock = threading.Event(), threading.Event(), threading.Lock()
    begun: list[int] = []

    @tool
    def waits(number: int) -> str:
        """Waits."""
        with lock:
            begun.append(number)
            if len(begun) == THREADS:
                full.set()
        release.wait(10)
        return str(number)

    held = [asyncio.create_task(waits.run({"number": number})) for number in range(THREADS)]
    assert await asyncio.to_thread(full.wait, 5)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(waits.run({"number": 98}), 0.05)
    last = asyncio.create_task(waits.run({"number": 99}))
    await asyncio.sleep(0.05)
    assert sorted(begun) == list(range(THREADS))
    release.set()
    assert await asyncio.gather(*held, last) == [Text(str(number)) for number in [*range(THREADS), 99]]
    assert sorted(begun) == [*range(THREADS), 99]


async def test_a_function_that_hangs_takes_no_thread_from_another() -> None:
    release = threading.Event()

    @tool
    def hangs() -> str:
        """Hangs."""
        release.wait(10)
        return ""

    @tool
    def works() -> str:
        """Works."""
        return "fine"

    stuck = [asyncio.create_task(hangs.run({})) for _ in range(THREADS + 1)]
    await asyncio.sleep(0)
    assert await asyncio.wait_for(works.run({}), 2) == Text("fine")
    release.set()
    await asyncio.gather(*stuck)


async def test_threads_end_when_nothing_waits() -> None:
    @tool
    def quick() -> str:
        """Returns."""
        threads.append(threading.current_thread())
        return ""

    threads: list[threading.Thread] = []
    await asyncio.gather(*(quick.run({}) for _ in range(3 * THREADS)))
    for thread in threads:
        thread.join(2)
    assert not any(thread.is_alive() for thread in threads)
    assert len(threads) == 3 * THREADS

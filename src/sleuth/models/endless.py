"""A model that goes round in circles is stopped: it would fill its tokens and end with nothing."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from time import perf_counter

from sleuth.errors import EndlessOutput
from sleuth.models.base import Chunk, Model, Output, Request
from sleuth.trajectory import Usage

LONGEST_PERIOD = 80
"""Characters: of a greedy 1.5 B model, `($1 / ($2 / … ($9 / ($1 / ` was the longest seen."""

LEAST_REPEATED = 64
ROUNDS = 4


async def stream_until_endless(model: Model, request: Request) -> AsyncGenerator[Output, None]:
    """`model.stream`, stopped with EndlessOutput where the text repeats itself without end.

    Its `usage` is a lower bound, as no server counts what is broken off: one token a piece, and none of the prompt.
    """
    text, pieces = "", 0
    started = first = perf_counter()
    async with aclosing(model.stream(request)) as outputs:
        async for output in outputs:
            if isinstance(output, Chunk):
                first = first if pieces else perf_counter()
                text, pieces = text + output.text, pieces + 1
                if is_endless(text):
                    spent = perf_counter() - started
                    # "validated": what came was looked at and refused. What held it until then, only the engine could have said.
                    usage = Usage(0, 0, pieces, ttft_seconds=first - started, seconds=spent, enforced="validated")
                    raise EndlessOutput("the output repeated itself without end and was stopped", output=text, usage=usage)
            yield output


def is_endless(text: str) -> bool:
    """Whether the end of `text` is one piece over and over: at least `ROUNDS` times, and `LEAST_REPEATED` characters."""
    for period in range(1, LONGEST_PERIOD + 1):
        length = max(LEAST_REPEATED, ROUNDS * period)
        tail = text[-length:]
        if len(tail) == length and tail[period:] == tail[:-period]:
            return True
    return False

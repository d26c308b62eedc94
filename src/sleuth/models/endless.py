"""A model that goes round in circles is stopped: it would fill its tokens and end with nothing."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator

from sleuth.errors import EndlessOutput
from sleuth.models.base import Chunk, Model, Output, Request

LONGEST_PERIOD = 80
"""Characters: of a greedy 1.5 B model, `($1 / ($2 / … ($9 / ($1 / ` was the longest seen."""

LEAST_REPEATED = 64
ROUNDS = 4


async def stream_until_endless(model: Model, request: Request) -> AsyncIterator[Output]:
    """`model.stream`, stopped with EndlessOutput where the text repeats itself without end."""
    text = ""
    outputs = model.stream(request)
    try:
        async for output in outputs:
            if isinstance(output, Chunk):
                text += output.text
                if is_endless(text):
                    raise EndlessOutput("the output repeated itself without end and was stopped", output=text)
            yield output
    finally:
        if isinstance(outputs, AsyncGenerator):
            await outputs.aclose()


def is_endless(text: str) -> bool:
    """Whether the end of `text` is one piece over and over: at least `ROUNDS` times, and `LEAST_REPEATED` characters."""
    for period in range(1, LONGEST_PERIOD + 1):
        length = max(LEAST_REPEATED, ROUNDS * period)
        tail = text[-length:]
        if len(tail) == length and tail[period:] == tail[:-period]:
            return True
    return False

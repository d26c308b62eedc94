from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from sleuth.errors import EndlessOutput
from sleuth.models.base import Chunk, Completion, Message, Output, Request
from sleuth.models.endless import is_endless, stream_until_endless

ROUND = "".join(f"(${number} / " for number in range(1, 10))


@pytest.mark.parametrize("text", ["1" + "0" * 64, "SELECT " + ROUND * 5, "a, " * 40, "x" + " " * 70])
def test_a_text_that_ends_in_one_piece_over_and_over_is_endless(text: str) -> None:
    assert is_endless(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1" + "0" * 40,
        "SELECT " + ROUND * 2,
        " | ".join(f"{number}.00" for number in range(100, 160)),
        "0" * 64 + " and so on",
        "The penalty is 1 % a week. The penalty is 2 % a week. The penalty is 3 % a week. The penalty is 4 % a week.",
    ],
)
def test_what_goes_on_is_not(text: str) -> None:
    assert not is_endless(text)


class Stuck:
    """A model that never stops; `closed` says that it was made to."""

    name = "stuck"
    closed = False

    async def stream(self, request: Request) -> AsyncGenerator[Output, None]:
        try:
            yield Chunk('{"params": [1')
            while True:
                yield Chunk("0")
        finally:
            self.closed = True

    async def close(self) -> None:
        return None


async def test_the_generation_is_stopped_and_what_was_written_is_told() -> None:
    model = Stuck()
    with pytest.raises(EndlessOutput, match="repeated itself") as caught:
        async for _ in stream_until_endless(model, Request((Message("user", "x"),))):
            pass
    assert model.closed
    assert caught.value.output.startswith('{"params": [10')


async def test_what_an_endless_output_cost_is_counted() -> None:
    with pytest.raises(EndlessOutput) as caught:
        async for _ in stream_until_endless(Stuck(), Request((Message("user", "x"),))):
            pass
    usage = caught.value.usage
    assert usage is not None
    assert usage.completion_tokens == 1 + caught.value.output.count("0")
    assert 0 <= usage.ttft_seconds <= usage.seconds
    assert usage.enforced == "validated"


async def test_who_stops_listening_stops_the_generation_at_once() -> None:
    model = Stuck()
    outputs = stream_until_endless(model, Request((Message("user", "x"),)))
    await anext(outputs)
    await outputs.aclose()
    assert model.closed


async def test_other_outputs_pass_through() -> None:
    class Brief(Stuck):
        async def stream(self, request: Request) -> AsyncGenerator[Output, None]:
            yield Chunk("two ")
            yield Chunk("words")
            yield Completion("two words")

    outputs = [output async for output in stream_until_endless(Brief(), Request((Message("user", "x"),)))]
    assert [type(output) for output in outputs] == [Chunk, Chunk, Completion]

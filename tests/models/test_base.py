"""What holds of every model and request, whichever adapter it goes to."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from sleuth.errors import ModelError, UsageError
from sleuth.models.base import Chunk, Completion, Message, Output, Request, complete
from sleuth.structured_output.constraint import Choice, closed_object
from sleuth.tool import ToolSpec

LOOK = ToolSpec("look", "Look.", closed_object({}))
ASKED = (Message("user", "Which?"),)


def test_a_request_carries_a_constraint_or_tools_and_not_both() -> None:
    with pytest.raises(UsageError, match="a constraint or tools, not both"):
        Request(ASKED, constraint=Choice(("a",)), tools=(LOOK,))
    with pytest.raises(UsageError, match="not both"):
        replace(Request(ASKED, tools=(LOOK,)), constraint=Choice(("a",)))
    assert Request(ASKED, tools=(LOOK,)).constraint is None


class Talker:
    """Says `outputs`; `closed` says that its stream was ended, by itself or by who listened."""

    name = "talker"

    def __init__(self, *outputs: Output) -> None:
        self.closed = False
        self._outputs = outputs

    async def stream(self, request: Request) -> AsyncGenerator[Output, None]:
        try:
            for output in self._outputs:
                yield output
        finally:
            self.closed = True

    async def close(self) -> None:
        return None


async def test_who_asks_for_the_completion_leaves_no_stream_open() -> None:
    model = Talker(Chunk("a"), Completion("a"), Chunk("after the end"))
    assert (await complete(model, Request(ASKED))).text == "a"
    assert model.closed


async def test_a_stream_without_a_completion_is_an_error() -> None:
    with pytest.raises(ModelError, match="without a completion"):
        await complete(Talker(Chunk("a")), Request(ASKED))

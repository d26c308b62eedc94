"""The test double keeps a model's promises."""

from __future__ import annotations

import pytest

from sleuth.errors import ConstraintUnsupported, ConstraintViolated, ModelUnavailable, UsageError
from sleuth.models.base import Chunk, Completion, Message, RawToolCall, Request, complete
from sleuth.models.scripted import Scripted
from sleuth.structured_output.constraint import Choice, Regex

ASKED = Request((Message("user", "Which?"),))


@pytest.mark.parametrize("chunk_chars", [1, 3, 100])
async def test_the_same_text_in_any_split_is_the_same_completion(chunk_chars: int) -> None:
    outputs = [output async for output in Scripted(["déjà vu"], chunk_chars=chunk_chars).stream(ASKED)]
    *chunks, last = outputs
    assert isinstance(last, Completion)
    assert last.text == "".join(chunk.text for chunk in chunks if isinstance(chunk, Chunk)) == "déjà vu"


async def test_texts_calls_and_errors_come_in_turn_and_the_requests_are_kept() -> None:
    call = RawToolCall("a", "count", "{}")
    model = Scripted(["yes", call, [call, call], ModelUnavailable("gone")])
    assert (await complete(model, ASKED)).text == "yes"
    assert (await complete(model, ASKED)).tool_calls == (call,)
    assert (await complete(model, ASKED)).tool_calls == (call, call)
    with pytest.raises(ModelUnavailable, match="gone"):
        await complete(model, ASKED)
    assert model.requests == [ASKED] * 4
    assert model.remaining == 0


async def test_an_output_that_breaks_its_constraint_is_violated_as_with_a_real_model() -> None:
    request = Request(ASKED.messages, constraint=Choice(("yes", "no")))
    said = await complete(Scripted(["no"]), request)
    assert said.usage.enforced == "validated"
    with pytest.raises(ConstraintViolated) as caught:
        await complete(Scripted(["perhaps"]), request)
    assert caught.value.usage is not None
    assert caught.value.usage.completion_tokens == 1


async def test_a_constraint_that_cannot_be_kept_is_refused_and_not_counted_as_asked() -> None:
    model = Scripted(["b"])
    with pytest.raises(ConstraintUnsupported):
        await complete(model, Request(ASKED.messages, constraint=Regex("(?=a)b")))
    assert model.requests == []


async def test_one_question_too_many_is_an_error_that_counts() -> None:
    model = Scripted(["only"])
    await complete(model, ASKED)
    with pytest.raises(UsageError, match="was asked 2 times and has 1 outputs"):
        await complete(model, ASKED)

"""llama.cpp's own HTTP server: what holds there is seen to hold, and what does not is not called enforced."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from llama_http import llama_http

from sleuth.errors import ContextExceeded, ModelError
from sleuth.models.base import Completion, Message, Request, complete
from sleuth.models.openai_chat import OpenAIChat
from sleuth.models.probe import Item, probe
from sleuth.models.store import Store
from sleuth.structured_output.constraint import JsonSchema, closed_object
from sleuth.tool import ToolSpec

pytestmark = pytest.mark.model

KEY = "key-of-this-test"
CAPITAL = JsonSchema.of(closed_object({"capital": {"type": "string", "maxLength": 12}, "known": {"type": "boolean"}}))
SYSTEM = Message("system", "You answer questions about the capitals of countries, in few words. " * 7)
FORMS: tuple[Item, ...] = ("schema", "choice", "regex", "grammar")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    file: Path = asyncio.run(Store().pull("qwen2.5-coder-0.5b"))
    with llama_http(file, context_tokens=2048, api_key=KEY) as address:
        yield address


async def test_constraints_are_enforced_and_every_later_request_says_so(url: str) -> None:
    model = OpenAIChat(url, api_key=KEY)
    request = Request((SYSTEM, Message("user", "Tell me all about France!")), constraint=CAPITAL, max_tokens=60)
    before = await complete(model, request)
    found = await probe(model, [*FORMS, "streaming", "logprobs"])
    after = await complete(model, request)
    await model.close()
    assert {item: found.word(item) for item in FORMS} == dict.fromkeys(FORMS, "enforced")
    assert (found.word("streaming"), found.word("logprobs")) == ("works", "works")
    assert (before.usage.enforced, after.usage.enforced) == ("validated", "server")
    assert before.text == after.text


async def test_the_prefix_of_the_last_request_is_not_read_again(url: str) -> None:
    model = OpenAIChat(url, api_key=KEY)
    first = Request((SYSTEM, Message("user", "What is the capital of Portugal?")), max_tokens=12)
    said = await complete(model, first)
    more = (*first.messages, Message("assistant", said.text), Message("user", "And of Norway?"))
    again: Completion = await complete(model, Request(more, max_tokens=12))
    await model.close()
    assert again.usage.cached_tokens >= said.usage.prompt_tokens - 2
    assert 0 < again.usage.completion_tokens <= 12


async def test_tools_with_and_without_parameters_are_taken(url: str) -> None:
    model = OpenAIChat(url, api_key=KEY)
    tools = (
        ToolSpec("weather", "Weather of a city.", closed_object({"city": {"type": "string"}})),
        ToolSpec("today", "Today's date.", closed_object({})),
    )
    said = await complete(model, Request((Message("user", "What day is it?"),), tools=tools, max_tokens=40))
    await model.close()
    assert said.text or said.tool_calls
    assert said.usage.enforced == "off"


async def test_a_prompt_longer_than_the_context_is_told_apart(url: str) -> None:
    model = OpenAIChat(url, api_key=KEY)
    with pytest.raises(ContextExceeded, match=r"answered 400: .*exceeds the available context size"):
        await complete(model, Request((Message("user", "one two three four " * 800),)))
    await model.close()


async def test_a_wrong_key_is_refused_in_the_servers_words_and_not_repeated(url: str) -> None:
    model = OpenAIChat(url, model="any", api_key="wrong-key-of-this-test", dialect="llama_server")
    with pytest.raises(ModelError, match="answered 401: Invalid API Key") as caught:
        await complete(model, Request((SYSTEM,)))
    await model.close()
    assert "check the API key" in str(caught.value)
    assert "wrong-key" not in f"{caught.value} {model!r}"

"""A prompt that is longer than the context is told apart from every other failure, in whatever words a server says it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from chat_house import ChatHouse, Said, delta, events

from sleuth.errors import ContextExceeded, ModelError, ModelUnavailable
from sleuth.models.base import Message, Request, complete
from sleuth.models.llamacpp import _as_error  # pyright: ignore[reportPrivateUsage]
from sleuth.models.openai_chat import OpenAIChat
from sleuth.models.reply import exceeds_context

HELLO = Request((Message("user", "Hello"),))
SECRET = "sk-a-secret-key"

LLAMA = {
    "code": 400,
    "message": "request (9412 tokens) exceeds the available context size (8192 tokens), try increasing it",
    "type": "exceed_context_size_error",
    "n_prompt_tokens": 9412,
    "n_ctx": 8192,
}

SAID: dict[str, dict[str, Any]] = {
    "llama.cpp": {"error": LLAMA},
    "llama.cpp, by its words": {"error": {"message": LLAMA["message"], "type": "invalid_request_error"}},
    "OpenAI": {
        "error": {
            "message": "Your input is too long for this model.",
            "type": "invalid_request_error",
            "param": "messages",
            "code": "context_length_exceeded",
        }
    },
    "vLLM": {
        "error": {
            "message": "'max_tokens' or 'max_completion_tokens' is too large: 700. This model's maximum context length is 4096 "
            "tokens and your request has 3900 input tokens (700 > 4096 - 3900).",
            "type": "BadRequestError",
            "param": "max_tokens",
            "code": 400,
        }
    },
    "vLLM, as it was": {
        "object": "error",
        "message": "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
        "type": "BadRequestError",
        "code": 400,
    },
    "SGLang": {"message": "The input (5000 tokens) is longer than the model's context length (4096 tokens)."},
    "a gateway": {"detail": "maximum context length is 4096 tokens"},
}


@pytest.mark.parametrize("body", SAID.values(), ids=SAID)
async def test_a_server_that_refuses_so_long_a_prompt_is_understood(chat: ChatHouse, body: dict[str, Any]) -> None:
    chat.queue = [Said([json.dumps(body).encode()], 400, "application/json")]
    model = OpenAIChat(chat.url, model="tiny", dialect="vllm")
    with pytest.raises(ContextExceeded, match=r"answered 400: .*") as caught:
        await complete(model, HELLO)
    assert (caught.value.code, caught.value.fault, caught.value.retryable) == ("context_exceeded", "caller", False)
    assert "larger context" in str(caught.value.hint)
    assert (await complete(model, HELLO)).text
    await model.close()
    assert len(chat.bodies) == 2, "it is asked once, and without trying other fields"
    assert "max_tokens" in chat.bodies[1], "a prompt that was too long says nothing of the fields"


async def test_so_is_one_that_says_it_in_plain_text_or_inside_its_stream(chat: ChatHouse) -> None:
    words = f"longer than the model's context length ({SECRET})"
    chat.queue = [
        Said([words.encode()], 400, "text/plain"),
        events(delta("a"), {"error": {"message": words}}),
    ]
    model = OpenAIChat(chat.url, model="tiny", dialect="vllm", api_key=SECRET)
    for _ in range(2):
        with pytest.raises(ContextExceeded, match="longer than the model") as caught:
            await complete(model, HELLO)
        assert SECRET not in str(caught.value)
    await model.close()


@pytest.mark.parametrize("status", [429, 503])
async def test_a_server_that_is_overloaded_is_that_whatever_its_words(chat: ChatHouse, status: int) -> None:
    chat.queue = [Said([b"no memory for the maximum context length"], status, "text/plain")]
    model = OpenAIChat(chat.url, model="tiny", dialect="vllm", retries=0)
    with pytest.raises(ModelUnavailable):
        await complete(model, HELLO)
    await model.close()


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"error": None},
        {"error": {"message": "Invalid API key", "type": "authentication_error", "code": ["context_length_exceeded"]}},
        {"error": {"message": {"nested": "words"}, "type": {}}},
        {"error": "the context of this conversation is unclear"},
    ],
)
def test_other_failures_are_not_taken_for_it(body: dict[str, Any]) -> None:
    assert not exceeds_context(body)


def test_the_model_in_this_process_says_both_numbers_where_it_has_them() -> None:
    error = _as_error({"error": LLAMA})
    assert isinstance(error, ContextExceeded)
    assert error.message == "the prompt has 9412 tokens and the context holds 8192"
    bare = _as_error({"error": {"type": "exceed_context_size_error", "message": "too long"}})
    assert (type(bare), bare.message) == (ContextExceeded, "too long")
    other: ModelError = _as_error({"error": {"message": "out of memory"}})
    assert (type(other), other.message) == (ModelUnavailable, "the local model failed: out of memory")

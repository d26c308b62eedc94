"""The client of any OpenAI-compatible server, against a real one on loopback that behaves and misbehaves as told."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from time import perf_counter
from typing import Any

import pytest
from chat_house import ChatHouse, Said, delta, events, refusal

from sleuth.errors import ConstraintUnsupported, ConstraintViolated, ModelError, ModelUnavailable, UsageError
from sleuth.models.base import Chunk, Completion, Message, RawToolCall, Request, complete
from sleuth.models.openai_chat import OpenAIChat
from sleuth.models.probe import Probe, Verdict
from sleuth.structured_output.constraint import JsonSchema, Regex, closed_object
from sleuth.tool import ToolSpec

SECRET = "sk-a-secret-key"
HELLO = Request((Message("user", "Reply with the word hello and nothing else."),))
ANIMAL = JsonSchema.of(closed_object({"animal": {"enum": ["quokka", "axolotl"]}}))
EITHER = JsonSchema.of({"anyOf": [closed_object({"a": {"const": 1}}), closed_object({"b": {"const": 2}})]})

Open = Callable[..., OpenAIChat]


@pytest.fixture
async def connect(chat: ChatHouse) -> AsyncIterator[Open]:
    made: list[OpenAIChat] = []

    def to_chat(**options: Any) -> OpenAIChat:
        made.append(OpenAIChat(chat.url, **{"model": "tiny", "dialect": "vllm", "timeout_seconds": 5.0, **options}))
        return made[-1]

    yield to_chat
    for model in made:
        await model.close()


def asked(constraint: Any = None, tools: tuple[ToolSpec, ...] = (), **options: Any) -> Request:
    return Request(HELLO.messages, constraint=constraint, tools=tools, **options)


async def test_pieces_come_as_they_are_written_and_then_the_whole_with_its_usage(chat: ChatHouse, connect: Open) -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}}
    chat.queue = [events(delta(role="assistant"), delta("Guten "), delta("Täg"), delta(finish="stop"), usage)]
    outputs = [output async for output in connect().stream(HELLO)]
    assert outputs[:-1] == [Chunk("Guten "), Chunk("Täg")]
    said = outputs[-1]
    assert isinstance(said, Completion)
    assert (said.text, said.finish_reason) == ("Guten Täg", "stop")
    assert (said.usage.prompt_tokens, said.usage.cached_tokens, said.usage.completion_tokens) == (9, 4, 2)
    assert 0 < said.usage.ttft_seconds <= said.usage.seconds


async def test_the_request_says_all_that_was_asked_for(chat: ChatHouse, connect: Open) -> None:
    messages = (
        Message("system", "Be brief."),
        Message("assistant", "", tool_calls=(RawToolCall("c1", "look", '{"x": 1'), RawToolCall("c2", "look", '{"x": 1}'))),
        Message("tool", "seen", tool_call_id="c1"),
    )
    await complete(connect(headers={"X-Team": "blue"}, api_key=SECRET), Request(messages, max_tokens=5, temperature=0.5, seed=7))
    sent = chat.bodies[0]
    assert (sent["model"], sent["max_tokens"], sent["temperature"], sent["seed"]) == ("tiny", 5, 0.5, 7)
    assert (chat.headers[0]["Authorization"], chat.headers[0]["X-Team"]) == (f"Bearer {SECRET}", "blue")
    broken, whole = (call["function"]["arguments"] for call in sent["messages"][1]["tool_calls"])
    assert (broken, whole) == ("{}", '{"x": 1}')
    assert sent["messages"][2] == {"role": "tool", "content": "seen", "tool_call_id": "c1"}


async def test_one_connection_serves_request_after_request(chat: ChatHouse, connect: Open) -> None:
    model = connect()
    for _ in range(4):
        assert (await complete(model, HELLO)).text == "hello"
    assert len(chat.peers) == 1


async def test_a_model_that_is_not_named_is_the_first_that_is_listed(chat: ChatHouse, connect: Open) -> None:
    chat.models = [("first", "vllm"), ("second", "vllm")]
    model = connect(model=None, dialect=None)
    await asyncio.gather(complete(model, HELLO), complete(model, HELLO))
    assert model.name == "first"
    assert [body["model"] for body in chat.bodies] == ["first", "first"]
    assert chat.gets == ["/v1/models"]


async def test_a_server_that_lists_no_model_needs_a_name(chat: ChatHouse, connect: Open) -> None:
    chat.models = []
    with pytest.raises(UsageError, match="lists no model"):
        await complete(connect(model=None, dialect=None), HELLO)
    assert (await complete(connect(dialect=None), HELLO)).text == "hello"


async def test_a_server_that_will_not_list_its_models_says_why(chat: ChatHouse, connect: Open) -> None:
    chat.lists = refusal(401, f"no such key: {SECRET}")
    with pytest.raises(ModelError, match="401: no such key: …"):
        await complete(connect(model=None, dialect=None, api_key=SECRET), HELLO)
    assert (await complete(connect(dialect=None), HELLO)).text == "hello"


async def test_a_model_that_is_a_file_goes_by_its_name(connect: Open) -> None:
    assert connect(model="/srv/models/tiny.gguf").name == "tiny.gguf"
    assert connect(model="org/tiny").name == "org/tiny"


@pytest.mark.parametrize(
    ("owner", "pages", "dialect"),
    [
        ("llamacpp", {}, "llama_server_plain"),
        ("vllm", {}, "vllm"),
        ("sglang", {}, "sglang"),
        ("library", {}, "ollama"),
        ("me", {"/props": {"default_generation_settings": {}}}, "llama_server_plain"),
        ("me", {"/get_server_info": {"tokenizer_path": "x"}}, "sglang"),
        ("me", {"/version": {"version": "0.33.0"}}, "vllm"),
        ("me", {"/api/version": {"version": "0.40"}}, "ollama"),
        ("me", {}, "openai"),
    ],
)
async def test_the_engine_is_known_by_what_it_answers(
    chat: ChatHouse, connect: Open, owner: str, pages: dict[str, Any], dialect: str
) -> None:
    chat.models, chat.pages = [("other", "them"), ("tiny", owner)], pages
    assert await connect(dialect=None).meet() == ("tiny", dialect)


@pytest.mark.parametrize(
    ("answer", "dialect"),
    [
        ({"generation_settings/grammar": '%llguidance {}\nstart: %json {"const":1}'}, "llama_server"),
        ({"generation_settings": {"grammar": "%llguidance {}"}, "content": "1"}, "llama_server"),
        ({"generation_settings/grammar": 'root ::= "1"'}, "llama_server_plain"),
        ({"content": "1"}, "llama_server_plain"),
        ({}, "llama_server_plain"),
    ],
)
async def test_a_llama_cpp_that_would_die_of_llguidance_is_never_sent_any(
    chat: ChatHouse, connect: Open, answer: dict[str, Any], dialect: str
) -> None:
    chat.models, chat.pages = [("tiny", "llamacpp")], {"/completion": answer}
    model = connect(dialect=None)
    assert await model.meet() == ("tiny", dialect)
    await complete(model, asked(ANIMAL))
    assert ("%llguidance" in json.dumps(chat.bodies)) is (dialect == "llama_server")


async def test_what_the_engine_keeps_only_in_part_is_said_to_be_checked_only(chat: ChatHouse, connect: Open) -> None:
    model = connect(dialect="openai")
    model.probed = Probe("tiny", (Verdict("schema", "enforced", "seen"),), 0.1)
    bounded = JsonSchema.of(closed_object({"x": {"type": "string", "maxLength": 9}}))
    assert [(await complete(model, asked(form))).usage.enforced for form in (ANIMAL, bounded)] == ["server", "validated"]


async def test_openai_itself_is_not_asked_for_what_it_has_not(chat: ChatHouse, connect: Open) -> None:
    chat.models = [("tiny", "system")]
    assert await connect(dialect=None).meet() == ("tiny", "openai")
    assert chat.gets == ["/v1/models"]


@pytest.mark.parametrize("dialect", ["vllm", "sglang", "llama_server", "llama_server_plain", "ollama", "openai"])
async def test_a_kept_constraint_is_verified_and_said_to_be_checked_only(chat: ChatHouse, connect: Open, dialect: str) -> None:
    said = await complete(connect(dialect=dialect), asked(ANIMAL))
    assert json.loads(said.text)["animal"] in ("quokka", "axolotl")
    assert said.usage.enforced == "validated"


async def test_an_ignored_constraint_is_a_breach_and_never_a_completion(chat: ChatHouse, connect: Open) -> None:
    chat.keeps = False
    with pytest.raises(ConstraintViolated, match="not JSON") as caught:
        await complete(connect(), asked(ANIMAL))
    assert caught.value.output == "hello"
    assert caught.value.usage is not None
    assert (caught.value.usage.prompt_tokens, caught.value.usage.completion_tokens) == (9, 3)


async def test_a_root_that_openai_takes_only_wrapped_comes_back_unwrapped(chat: ChatHouse, connect: Open) -> None:
    outputs = [output async for output in connect(dialect="openai").stream(asked(EITHER))]
    assert [json.loads(output.text) for output in outputs] in ([{"a": 1}] * 2, [{"b": 2}] * 2)


async def test_what_cannot_be_kept_or_sent_is_refused_before_anything_is_sent(chat: ChatHouse, connect: Open) -> None:
    with pytest.raises(ConstraintUnsupported, match="uniqueItems"):
        await complete(connect(), asked(JsonSchema.of({"type": "array", "uniqueItems": True})))
    with pytest.raises(ConstraintUnsupported, match="no Regex"):
        await complete(connect(dialect="openai"), asked(Regex("a")))
    assert chat.bodies == []


async def test_an_output_cut_at_the_token_limit_says_so(chat: ChatHouse, connect: Open) -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}}
    chat.queue = [events(delta('{"animal": "quo'), delta(finish="length"), usage)]
    with pytest.raises(ConstraintViolated, match="cut after 4 tokens") as caught:
        await complete(connect(), asked(ANIMAL, max_tokens=4))
    assert "max_tokens" in str(caught.value.hint)
    assert caught.value.usage is not None
    assert (caught.value.usage.prompt_tokens, caught.value.usage.completion_tokens) == (9, 4)


async def test_an_output_that_turns_into_blanks_is_ended_long_before_the_token_limit(chat: ChatHouse, connect: Open) -> None:
    chat.queue = [Said([*events(delta('{"animal":'), *[delta(" \n" * 20)] * 40, done=False).parts], hang=True)]
    with pytest.raises(ConstraintViolated, match="blanks without end") as caught:
        await complete(connect(), asked(ANIMAL))
    assert len(caught.value.output) < 600
    assert caught.value.usage is not None
    assert 10 < caught.value.usage.completion_tokens <= 40


async def test_reasoning_that_leaves_nothing_said_is_told_apart_from_a_wrong_answer(chat: ChatHouse, connect: Open) -> None:
    chat.queue = [events(delta(reasoning_content="Hm, a zebra?"), delta("", finish="stop"))]
    with pytest.raises(ConstraintViolated, match="reasoned and then said nothing"):
        await complete(connect(), asked(ANIMAL))


async def test_an_overloaded_server_is_asked_again_after_the_time_it_names(chat: ChatHouse, connect: Open) -> None:
    date = format_datetime(datetime.now(UTC) - timedelta(seconds=3), usegmt=True)
    chat.queue = [refusal(429, "slow down", Retry_After="0.2"), refusal(503, "loading", Retry_After=date)]
    started = perf_counter()
    assert (await complete(connect(), HELLO)).text == "hello"
    assert 0.2 <= perf_counter() - started < 2.0
    assert len(chat.bodies) == 3


async def test_a_server_that_stays_overloaded_is_given_up_with_what_it_said(chat: ChatHouse, connect: Open) -> None:
    chat.queue = [refusal(503, "the queue is full", Retry_After="0")] * 3
    with pytest.raises(ModelUnavailable, match="503: the queue is full") as caught:
        await complete(connect(retries=2), HELLO)
    assert caught.value.retry_after_seconds == 0
    assert len(chat.bodies) == 3


async def test_a_wait_beyond_the_budget_is_left_to_the_caller(chat: ChatHouse, connect: Open) -> None:
    chat.queue = [refusal(429, "come back tomorrow", Retry_After="3600")]
    with pytest.raises(ModelUnavailable) as caught:
        await complete(connect(), HELLO)
    assert caught.value.retry_after_seconds == 3600
    assert len(chat.bodies) == 1


async def test_a_request_that_is_refused_fails_at_once_in_the_servers_words(chat: ChatHouse, connect: Open) -> None:
    chat.queue = [refusal(400, "The content of a message must be a string")]
    with pytest.raises(ModelError, match="400: The content of a message must be a string"):
        await complete(connect(), HELLO)
    assert len(chat.bodies) == 1


async def test_no_secret_stands_in_an_error_or_a_repr(chat: ChatHouse, connect: Open) -> None:
    chat.queue = [refusal(401, f"Incorrect API key provided: {SECRET}."), refusal(500, f"password hunter22 {SECRET}")]
    model = OpenAIChat(chat.url.replace("//", "//me:hunter22@"), model="tiny", dialect="vllm", api_key=SECRET)
    for said in ("Incorrect API key", "password"):
        with pytest.raises(ModelError, match=said) as caught:
            await complete(model, HELLO)
        assert "me:" not in str(caught.value)
        assert not any(secret in f"{caught.value!r} {caught.value} {model!r} {model.name}" for secret in (SECRET, "hunter22"))
    await model.close()


async def test_a_user_in_the_address_is_sent_as_basic_authentication(chat: ChatHouse) -> None:
    model = OpenAIChat(chat.url.replace("//", "//me:hunter22@"), model="tiny", dialect="vllm")
    assert (await complete(model, HELLO)).text == "hello"
    assert chat.headers[0]["Authorization"] == "Basic bWU6aHVudGVyMjI="
    await model.close()


async def test_fields_that_a_model_refuses_are_replaced_once_and_for_all(chat: ChatHouse, connect: Open) -> None:
    error = {"message": "Unsupported parameter: 'max_tokens'", "param": "max_tokens", "code": "unsupported_parameter"}
    chat.queue = [
        Said([json.dumps({"error": error}).encode()], 400, "application/json"),
        refusal(400, "Unsupported value: 'temperature' does not support 0.0 with this model."),
    ]
    model = connect()
    for _ in range(2):
        assert (await complete(model, HELLO)).text == "hello"
    for body in chat.bodies[2:]:
        assert not {"max_tokens", "temperature"} & set(body)
        assert body["max_completion_tokens"] == HELLO.max_tokens
    assert len(chat.bodies) == 4


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (Said([b'data: {"choices": [{"delta": {"content": "half'], cut=True), "broke off|cannot be read"),
        (events(delta("half"), done=False), "broke off"),
        (events(delta("half"), {"error": {"message": "CUDA out of memory"}}), "CUDA out of memory"),
        (events({"object": "error", "message": "grammar failed"}), "grammar failed"),
        (Said([b"data: \xff\xfe{{{\n\n"]), "cannot be read"),
        (Said([b"<html>Welcome</html>"], content_type="text/html"), "no completion"),
        (Said([b"<html>Welcome</html>"], content_type="application/json"), "cannot be read"),
        (Said([b'{"hello": "world"}'], content_type="application/json"), "no chat completion"),
        (Said([b"data: [1, 2]\n\n"]), "no chat completion"),
        (Said([b"data: " + b"[" * 50_000 + b"\n\n"]), "cannot be read"),
        (Said([]), "no completion"),
    ],
)
async def test_what_is_no_whole_answer_is_an_error_in_words(chat: ChatHouse, connect: Open, said: Said, words: str) -> None:
    chat.queue = [said]
    with pytest.raises(ModelUnavailable, match=words):
        await complete(connect(), HELLO)
    assert (await complete(connect(), HELLO)).text == "hello"


async def test_a_silent_server_is_given_up_in_time(chat: ChatHouse, connect: Open) -> None:
    for parts in ([], [b'data: {"choices": [{"delta": {"content": "a"}}]}\n\n']):
        chat.queue = [Said(parts, hang=True)]
        started = perf_counter()
        with pytest.raises(ModelUnavailable, match=r"silent for 0\.2 seconds"):
            await complete(connect(timeout_seconds=0.2), HELLO)
        assert perf_counter() - started < 2.0


async def test_an_address_where_nothing_listens_says_so_at_once() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        model = OpenAIChat(f"http://127.0.0.1:{free.getsockname()[1]}")
        started = perf_counter()
        with pytest.raises(ModelUnavailable, match="no model server answers"):
            await complete(model, HELLO)
        assert perf_counter() - started < 2.0
    await model.close()


@pytest.mark.parametrize("url", ["", "ftp://x/v1", "127.0.0.1:80", "http://", "http://[", "http://x:99999/"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="not the address"):
        OpenAIChat(url)


@pytest.mark.parametrize(
    ("given", "base"),
    [
        ("http://gpu:8000", "http://gpu:8000/v1"),
        ("http://gpu:8000/v1/", "http://gpu:8000/v1"),
        ("https://gate/team/llm", "https://gate/team/llm"),
        ("http://gpu/v1/chat/completions?x=1", "http://gpu/v1"),
    ],
)
def test_an_address_may_be_given_as_people_write_it(given: str, base: str) -> None:
    assert OpenAIChat(given).url == base


async def test_an_answer_that_is_not_streamed_is_taken_too(chat: ChatHouse, connect: Open) -> None:
    whole = {"choices": [{"message": {"content": [{"type": "text", "text": "hi"}]}, "finish_reason": "stop"}]}
    chat.queue = [Said([json.dumps(whole).encode()], content_type="application/json")]
    assert [output.text async for output in connect().stream(HELLO)] == ["hi", "hi"]


async def test_a_stream_without_its_last_line_is_whole_if_the_model_had_finished(chat: ChatHouse, connect: Open) -> None:
    chat.queue = [events(delta("hi"), delta(finish="stop"), done=False), events(delta("hi"))]
    for _ in range(2):
        said = await complete(connect(), HELLO)
        assert (said.text, said.finish_reason) == ("hi", "stop")


async def test_who_stops_listening_stops_the_server(chat: ChatHouse, connect: Open) -> None:
    chat.queue = [Said([*events(delta("a"), done=False).parts, *(b": wait\n\n" for _ in range(3))], hang=True)]
    stream = connect().stream(HELLO)
    assert await anext(stream) == Chunk("a")
    await stream.aclose()
    await asyncio.wait_for(chat.gone.wait(), 3.0)


def test_a_closed_model_opens_again_in_another_event_loop(chat_in_thread: str) -> None:
    model = OpenAIChat(chat_in_thread, model="tiny", dialect="vllm")

    async def once() -> str:
        said = await complete(model, HELLO)
        await model.close()
        return said.text

    assert [asyncio.run(once()) for _ in range(2)] == ["hello", "hello"]

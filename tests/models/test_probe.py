"""The probe tells a server that keeps constraints from one that ignores them, and from one of which nothing is known."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from chat_house import ChatHouse, delta, events, refusal

from sleuth.errors import ModelUnavailable
from sleuth.models.base import Message, Request, complete
from sleuth.models.llamacpp import LlamaCpp
from sleuth.models.openai_chat import OpenAIChat
from sleuth.models.probe import FORBIDDEN, ITEMS, Probe, Verdict, probe
from sleuth.models.scripted import Scripted
from sleuth.models.store import Store
from sleuth.structured_output.constraint import Choice, JsonSchema, closed_object
from sleuth.tool import ToolSpec

KINDS = ("schema", "choice", "regex", "grammar")
ANIMAL = JsonSchema.of(closed_object({"animal": {"enum": ["quokka", "axolotl"]}}))

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


def words(found: Probe) -> dict[str, str]:
    return {verdict.item: verdict.word for verdict in found.verdicts}


async def test_a_server_that_keeps_its_promises_is_found_to(chat: ChatHouse, connect: Open) -> None:
    heard: list[Verdict] = []
    found = await probe(connect(), on_verdict=heard.append)
    assert words(found) == {
        **dict.fromkeys((*KINDS, "tool_arguments"), "enforced"),
        **dict.fromkeys(("tool_calls", "parallel_calls", "streaming", "logprobs"), "works"),
    }
    assert tuple(heard) == found.verdicts
    assert [verdict.item for verdict in heard] == list(ITEMS)


async def test_a_server_that_ignores_constraints_is_off_and_a_breach_is_shown(chat: ChatHouse, connect: Open) -> None:
    chat.keeps = False
    found = await probe(connect())
    assert {words(found)[item] for item in (*KINDS, "tool_arguments")} == {"off"}
    schema = found.verdicts[0].reason
    assert schema.startswith("broken in 3 of 3") and "zebra" in schema and "/animal" in schema
    assert words(found)["tool_calls"] == "works"


@pytest.mark.parametrize("dialect", ["llama_server", "sglang", "openai", "ollama"])
async def test_what_a_dialect_does_not_offer_is_off_and_said_so(chat: ChatHouse, connect: Open, dialect: str) -> None:
    found = await probe(connect(dialect=dialect), KINDS)
    off = {"llama_server": set[str](), "sglang": {"grammar"}}.get(dialect, {"choice", "regex", "grammar"})
    assert {item for item, word in words(found).items() if word == "off"} == off
    assert {item for item, word in words(found).items() if word == "enforced"} == set(KINDS) - off
    assert all(verdict.reason.startswith("not offered") for verdict in found.verdicts if verdict.word == "off")


async def test_json_alone_is_not_the_schema(chat: ChatHouse, connect: Open) -> None:
    """A server that keeps JSON, and not what the schema says of it."""
    chat.keeps = False
    free = [events(delta('{"animal": "zebra"}'), delta(finish="stop")) for _ in range(2)]
    chat.queue = [*free, *(events(delta('{"code": "hello"}'), delta(finish="stop")) for _ in range(4))]
    (verdict,) = (await probe(connect(), ["schema"])).verdicts
    assert verdict.word == "off"


async def test_a_free_answer_that_keeps_the_constraint_by_chance_proves_nothing(chat: ChatHouse, connect: Open) -> None:
    chat.queue = [events(delta('{"animal": "quokka"}'), delta(finish="stop"))]
    (verdict,) = (await probe(connect(), ["schema"])).verdicts
    assert (verdict.word, "proves nothing" in verdict.reason) == ("unverified", True)


async def test_outputs_that_were_cut_or_refused_prove_nothing(chat: ChatHouse, connect: Open) -> None:
    free = events(delta("zebra"), delta(finish="stop"))
    for answer in (events(delta('{"animal": "quo'), delta(finish="length")), refusal(400, "no grammars today")):
        chat.queue = [free, answer]
        (verdict,) = (await probe(connect(), ["schema"])).verdicts
        assert verdict.word == "unverified"


async def test_one_breach_is_enough(chat: ChatHouse, connect: Open) -> None:
    free = events(delta("zebra"), delta(finish="stop"))
    chat.queue = [free, events(delta('{"animal": "zebra"}'), delta(finish="stop"))]
    (verdict,) = (await probe(connect(), ["schema"])).verdicts
    assert verdict.word == "off" and verdict.reason.startswith("broken in 1 of 3")


async def test_calls_that_come_back_as_text_are_seen(chat: ChatHouse, connect: Open) -> None:
    chat.parses_calls = False
    found = await probe(connect(), ["tool_calls", "tool_arguments", "parallel_calls"])
    assert words(found) == {"tool_calls": "off", "tool_arguments": "unverified", "parallel_calls": "unverified"}


async def test_a_dead_server_cannot_be_probed(chat: ChatHouse, connect: Open) -> None:
    chat.queue = [refusal(500, "no GPU")]
    with pytest.raises(ModelUnavailable, match="no GPU"):
        await probe(connect())


async def test_usage_says_server_only_for_what_was_seen_to_be_enforced(chat: ChatHouse, connect: Open) -> None:
    model = connect()
    schema = Request((Message("user", "Which?"),), constraint=ANIMAL)
    choice = Request((Message("user", "Which?"),), constraint=Choice(("a", "b")))
    tools = Request((Message("user", 'Call it with "a"'),), tools=(ToolSpec("it", "It.", closed_object({"x": {"enum": ["a"]}})),))
    await probe(model, ["schema"])
    assert [(await complete(model, request)).usage.enforced for request in (schema, choice, tools)] == [
        "server",
        "validated",
        "off",
    ]
    await probe(model, ["choice", "tool_arguments"])
    assert [(await complete(model, request)).usage.enforced for request in (schema, choice, tools)] == ["server"] * 3
    chat.keeps = False
    await probe(model, ["schema"])
    assert model.probed is not None and model.probed.word("schema") == "off" and model.probed.word("choice") == "enforced"


async def test_a_model_in_this_process_is_probed_without_what_only_servers_have() -> None:
    prompts = [prompt for prompt, _ in FORBIDDEN["choice"]]
    model = Scripted(["zebra", "quokka", "hello", "umbra", "one two three four five"])
    found = await probe(model, ["choice", "streaming", "logprobs"])
    assert words(found) == {"choice": "enforced", "streaming": "works"}
    assert [request.messages[-1].content for request in model.requests[:4:2]] == prompts


@pytest.mark.model
async def test_the_model_in_this_process_keeps_every_kind_of_constraint() -> None:
    model = LlamaCpp(await Store().pull("smollm2-135m"), context_tokens=2048, keep_prefixes=False)
    found = await asyncio.wait_for(probe(model, [*KINDS, "streaming", "logprobs"]), 120)
    assert words(found) == {**dict.fromkeys(KINDS, "enforced"), "streaming": "works"}
    await model.close()

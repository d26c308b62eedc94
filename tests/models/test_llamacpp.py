"""The model in this process: form kept, prefix reused, stopped when no one listens, and every failure in words."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sleuth.errors import ConstraintUnsupported, ConstraintViolated, ContextExceeded, ModelNotFound, ModelUnavailable
from sleuth.models.base import Chunk, Completion, Message, RawToolCall, Request, complete
from sleuth.models.cores import physical_cores
from sleuth.models.engine import Engine
from sleuth.models.llamacpp import LlamaCpp, _enforces  # pyright: ignore[reportPrivateUsage]
from sleuth.models.store import Store
from sleuth.structured_output.constraint import Choice, JsonSchema, Regex
from sleuth.tool import ToolSpec

CAPITAL = JsonSchema.of(
    {
        "type": "object",
        "properties": {"capital": {"type": "string", "maxLength": 12}, "known": {"type": "boolean"}},
        "required": ["capital", "known"],
        "additionalProperties": False,
    }
)
SYSTEM = Message("system", "You answer questions about the capitals of countries, in few words. " * 7)


@pytest.fixture(scope="module")
def file() -> Path:
    return asyncio.run(Store().pull("smollm2-135m"))


@pytest.fixture(scope="module")
def model(file: Path) -> Iterator[LlamaCpp]:
    model = LlamaCpp(file, context_tokens=2048, keep_prefixes=False)
    yield model
    asyncio.run(model.close())


def asked(question: str, **options: Any) -> Request:
    return Request((SYSTEM, Message("user", question)), **options)


@pytest.mark.model
async def test_a_constraint_is_kept_by_the_engine_and_said_to_be(model: LlamaCpp) -> None:
    said = await complete(model, asked("Tell me all about France!", constraint=CAPITAL, max_tokens=60))
    assert set(json.loads(said.text)) == {"capital", "known"}
    assert said.usage.enforced == "masked"
    assert said.finish_reason == "stop"


@pytest.mark.model
@pytest.mark.parametrize("constraint", [Choice(("umbra", "penumbra")), Regex(r"[0-9]{3}-[A-F]{2}")], ids=["choice", "regex"])
async def test_every_kind_of_constraint_reaches_the_engine(model: LlamaCpp, constraint: Choice | Regex) -> None:
    said = await complete(model, asked("Say hello.", constraint=constraint))
    assert said.usage.enforced == "masked"


@pytest.mark.model
async def test_the_chunks_are_the_text_and_free_text_claims_no_form(model: LlamaCpp) -> None:
    outputs = [output async for output in model.stream(asked("What is the capital of Spain?", max_tokens=12))]
    *chunks, last = outputs
    assert isinstance(last, Completion)
    assert "".join(chunk.text for chunk in chunks if isinstance(chunk, Chunk)) == last.text != ""
    assert len(chunks) > 1
    assert last.usage.enforced == "off"
    assert 0 < last.usage.completion_tokens <= 12
    assert 0 < last.usage.ttft_seconds <= last.usage.seconds


@pytest.mark.model
async def test_a_request_that_extends_the_last_one_prefills_only_the_rest(model: LlamaCpp) -> None:
    first = asked("What is the capital of Portugal?", constraint=CAPITAL, max_tokens=60)
    said = await complete(model, first)
    more = (Message("assistant", said.text), Message("user", "And of Norway?"))
    again = await complete(model, Request((*first.messages, *more), constraint=CAPITAL, max_tokens=60))
    assert again.usage.cached_tokens >= said.usage.prompt_tokens
    assert again.usage.prompt_tokens - again.usage.cached_tokens < 40


@pytest.mark.model
async def test_closing_the_stream_stops_the_generation(model: LlamaCpp) -> None:
    stream = model.stream(asked("Tell a story that never ends.", max_tokens=1500))
    assert isinstance(await anext(stream), Chunk)
    await stream.aclose()
    async with asyncio.timeout(5):  # 1500 tokens take four times as long
        assert (await complete(model, asked("Hello", max_tokens=2))).text


@pytest.mark.model
async def test_cancelling_while_the_prompt_is_read_frees_the_engine_soon(model: LlamaCpp) -> None:
    long = asyncio.create_task(complete(model, asked("ten green bottles, " * 350, max_tokens=500)))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(long, 0.2)
    async with asyncio.timeout(5):
        assert (await complete(model, asked("Hello", max_tokens=2))).text


@pytest.mark.model
async def test_requests_made_at_once_are_answered_one_after_the_other(model: LlamaCpp) -> None:
    words = ["umbra", "penumbra", "antumbra"]
    said = await asyncio.gather(*(complete(model, asked("Say it.", constraint=Choice((word,)))) for word in words))
    assert [completion.text for completion in said] == words


@pytest.mark.model
def test_one_model_serves_event_loops_that_follow_each_other(model: LlamaCpp) -> None:
    said = [asyncio.run(complete(model, asked("Say it.", constraint=Choice(("umbra",))))).text for _ in range(2)]
    assert said == ["umbra", "umbra"]


@pytest.mark.model
async def test_an_output_cut_by_max_tokens_breaks_its_constraint_and_says_so(model: LlamaCpp) -> None:
    with pytest.raises(ConstraintViolated, match="cut after 4 tokens") as caught:
        await complete(model, asked("What is the capital of Chile?", constraint=CAPITAL, max_tokens=4))
    assert caught.value.output != ""
    assert "max_tokens" in str(caught.value.hint)
    usage = caught.value.usage
    assert usage is not None
    assert usage.completion_tokens == 4 < usage.prompt_tokens


@pytest.mark.model
async def test_a_prompt_longer_than_the_context_is_the_callers_error_with_both_numbers(model: LlamaCpp) -> None:
    with pytest.raises(ContextExceeded, match=r"the prompt has \d{4} tokens and the context holds 2048") as caught:
        await complete(model, asked("one two three four " * 800))
    assert (caught.value.fault, caught.value.retryable) == ("caller", False)


@pytest.mark.model
async def test_native_tools_are_passed_on_and_what_comes_back_is_reported(model: LlamaCpp) -> None:
    weather = ToolSpec("weather", "Weather of a city.", {"type": "object", "properties": {"city": {"type": "string"}}})
    call = RawToolCall("call_1", "weather", '{"city": "Rome"}')
    messages = (SYSTEM, Message("user", "Rome?"), Message("assistant", "", (call,)), Message("tool", "Sunny.", (), "call_1"))
    said = await complete(model, Request(messages, tools=(weather,), max_tokens=20))
    assert said.text or said.tool_calls
    assert said.usage.enforced == "off"


@pytest.mark.model
async def test_the_next_process_need_not_read_the_system_message_again(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLEUTH_MODELS", str(tmp_path))
    system = Message("system", "You know many rules about contracts and their numbers. " * 12)
    request = Request((system, Message("user", "Name one.")), max_tokens=8)
    said: list[Completion] = []
    for _ in range(2):
        model = LlamaCpp(file, context_tokens=1024)
        said.append(await complete(model, request))
        await model.close()
    first, second = said
    assert first.text == second.text
    assert first.usage.cached_tokens < 20 < 100 < second.usage.cached_tokens
    (kept,) = (tmp_path / ".prefixes").iterdir()
    kept.write_bytes(kept.read_bytes()[:1000])
    broken = LlamaCpp(file, context_tokens=1024)
    read_again = await complete(broken, request)
    assert read_again.finish_reason == "length"
    assert read_again.usage.cached_tokens < 20
    await broken.close()


@pytest.mark.model
@pytest.mark.parametrize("kept", [False, True], ids=["read", "from a file"])
async def test_two_prompts_in_turn_are_both_remembered(
    file: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    monkeypatch.setenv("SLEUTH_MODELS", str(tmp_path_factory.mktemp("models")))
    answering = Message("system", "You write answers from evidence and nothing else. " * 12)
    one = asked("What is the capital of Kenya?", max_tokens=4)
    two = Request((answering, Message("user", "Write it.")), max_tokens=4)
    if kept:
        earlier = LlamaCpp(file, context_tokens=1024)
        await complete(earlier, two)
        await earlier.close()
    model = LlamaCpp(file, context_tokens=1024)
    await complete(model, one)
    await complete(model, two)
    again = await complete(model, one)
    await model.close()
    assert again.usage.prompt_tokens - again.usage.cached_tokens < 20


@pytest.mark.model
async def test_loading_and_answering_print_nothing(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    quiet = LlamaCpp(file, context_tokens=512)
    await complete(quiet, Request((Message("user", "Hello"),), max_tokens=2))
    await quiet.close()
    assert capfd.readouterr() == ("", "")


@pytest.mark.model
async def test_a_closed_model_is_loaded_again_when_it_is_asked(file: Path) -> None:
    model = LlamaCpp(file, context_tokens=512)
    for _ in range(2):
        assert (await complete(model, Request((Message("user", "Hello"),), max_tokens=2))).usage.completion_tokens > 0
        await model.close()


@pytest.mark.model
async def test_closing_the_model_ends_what_is_being_generated_with_an_error(file: Path) -> None:
    model = LlamaCpp(file, context_tokens=2048)
    stream = model.stream(Request((Message("user", "Tell a story that never ends."),), max_tokens=1500))
    assert isinstance(await anext(stream), Chunk)
    async with asyncio.timeout(10):
        await model.close()
        with pytest.raises(ModelUnavailable, match="was stopped before it had finished"):
            async for output in stream:
                assert isinstance(output, Chunk)


@pytest.mark.model
async def test_a_file_cut_short_cannot_be_loaded_and_the_hint_says_why(file: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.gguf"
    with file.open("rb") as whole:
        short.write_bytes(whole.read(3_000_000))
    with pytest.raises(ModelUnavailable, match=r"could not load short\.gguf") as caught:
        await LlamaCpp(short).load()
    assert "cut short" in str(caught.value.hint)


async def test_what_is_not_a_gguf_file_is_refused_before_llama_cpp_sees_it(tmp_path: Path) -> None:
    (tmp_path / "page.gguf").write_text("<html>")
    with pytest.raises(ModelUnavailable, match="is not a GGUF file"):
        await LlamaCpp(tmp_path / "page.gguf").load()


async def test_a_missing_model_is_missed_at_the_first_request(tmp_path: Path) -> None:
    model = LlamaCpp(tmp_path / "none.gguf")
    with pytest.raises(ModelNotFound, match="there is no file"):
        await complete(model, asked("Hello"))


async def test_a_constraint_no_grammar_can_keep_is_refused_before_the_model_is_touched(tmp_path: Path) -> None:
    model = LlamaCpp(tmp_path / "none.gguf")
    with pytest.raises(ConstraintUnsupported):
        await complete(model, asked("Hello", constraint=Regex("(?=a)b")))


class FreeTalker:
    """A server that takes any grammar and keeps none."""

    listening_address = "http://127.0.0.1:9"

    def handle_chat_completions(self, body: dict[str, Any], callback: Callable[..., bool] | None = None, /) -> dict[str, Any]:
        assert body["grammar"]
        return {"choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}]}


def test_the_probe_tells_an_engine_that_keeps_no_constraint() -> None:
    assert not _enforces(Engine(FreeTalker()))


def test_two_threads_of_one_core_count_once(tmp_path: Path) -> None:
    for number, siblings in ((0, "0,1"), (1, "0,1")):
        topology = tmp_path / f"cpu{number}" / "topology"
        topology.mkdir(parents=True)
        (topology / "thread_siblings_list").write_text(siblings + "\n")
    assert physical_cores(tmp_path) == 1
    assert physical_cores(tmp_path / "nothing") >= 1

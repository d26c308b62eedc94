"""Whole questions with a scripted model: what is asked of it, what it is told, and what comes out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest

from sleuth.agent import Agent
from sleuth.errors import ModelUnavailable, SourceUnavailable, UsageError
from sleuth.event import AnswerStarted, CallStarted, Decided, Event, Finished, IterationStarted, Observed, Started, TextDelta
from sleuth.limits import Limits
from sleuth.models.base import RawToolCall
from sleuth.models.scripted import Scripted
from sleuth.result import Passage, Passages, Rows
from sleuth.source import Card
from sleuth.tool import FunctionTool, Tool, tool


@tool
def count(of: str) -> Rows:
    """How many there are. NOT for rules."""
    return Rows(("n",), ((47,),), f"SELECT COUNT(*) FROM {of}")


@tool
def rules(query: str) -> Passages:
    """What the documents say. NOT for counts."""
    return Passages((Passage(f"On {query}: within 30 days.", "policy.pdf", "Policy", 2, "4.1"),))


@tool
def broken(query: str) -> str:
    """Always down."""
    raise SourceUnavailable("the index is down")


def calls(*parts: tuple[str, str, dict[str, object]], thought: str = "Look it up.") -> str:
    return json.dumps({"thought": thought, "calls": [{"part": p, "tool": t, "args": a} for p, t, a in parts]})


def finish(how: str, thought: str = "That is all.") -> str:
    return json.dumps({"thought": thought, "finish": how})


def says(*claims: tuple[list[int], str]) -> str:
    """What the model writes of one part."""
    told = [{"text": text, "evidence": ids} for ids, text in claims]
    return json.dumps({"found": True, "claims": told} if told else {"found": False})


BOTH = calls(("the count", "count", {"of": "contracts"}), ("the rule", "rules", {"query": "returns"}))
ANSWER = (says(([1], "There are 47 contracts.")), says(([2], "Returns are taken within 30 days.")))
TOOLS: list[FunctionTool] = [count, rules]


async def events_of(model: Scripted, tools: Sequence[Tool] = TOOLS, **options: object) -> list[Event]:
    agent = Agent(model, tools=tools, **options)  # type: ignore[arg-type]
    return [event async for event in agent.stream("How many, and which rule?")]


async def test_a_question_of_two_parts_is_looked_up_at_once_and_answered_with_evidence() -> None:
    model = Scripted([BOTH, finish("answer"), *ANSWER])
    events = await events_of(model)
    kinds = [type(event) for event in events if not isinstance(event, TextDelta)]
    assert kinds == [
        Started,
        IterationStarted,
        Decided,
        CallStarted,
        CallStarted,
        Observed,
        Observed,
        IterationStarted,
        Decided,
        AnswerStarted,
        Finished,
    ]
    final = events[-1]
    assert isinstance(final, Finished)
    result = final.answer
    assert result.text == "There are 47 contracts [1].\nReturns are taken within 30 days [2]."
    assert result.stop_reason == "answered"
    assert [claim.evidence for claim in result.citations] == [(1,), (2,)]
    assert str(result.evidence[1].locator) == "policy.pdf, p. 2, clause 4.1"


async def test_each_decision_extends_the_one_before_byte_for_byte() -> None:
    model = Scripted([BOTH, finish("answer"), *ANSWER])
    await events_of(model)
    first, second = (request.messages for request in model.requests[:2])
    assert second[: len(first)] == first


async def test_each_part_is_put_into_words_from_its_own_evidence_alone() -> None:
    model = Scripted([BOTH, finish("answer"), *ANSWER])
    await events_of(model)
    (_, counted), (_, ruled) = (request.messages for request in model.requests[2:])
    assert "the count?" in counted.content and "47" in counted.content and "within 30 days" not in counted.content
    assert "the rule?" in ruled.content and "within 30 days" in ruled.content and "47" not in ruled.content


async def test_what_the_model_cannot_do_is_not_in_its_form() -> None:
    model = Scripted([BOTH, finish("answer"), *ANSWER])
    await events_of(model)
    forms = [json.dumps(request.constraint.schema) for request in model.requests]  # type: ignore[union-attr]
    assert '"answer", "insufficient"' not in forms[0]
    assert '"answer", "insufficient"' in forms[1]
    assert '"const": "count"' in forms[0]


async def test_a_tool_that_fails_is_told_to_the_model_and_said_in_the_answer() -> None:
    model = Scripted(
        [
            calls(("the count", "count", {"of": "contracts"}), ("the rule", "broken", {"query": "returns"})),
            finish("answer"),
            says(([1], "There are 47 contracts.")),
        ]
    )
    events = await events_of(model, [count, broken])
    final = events[-1]
    assert isinstance(final, Finished)
    assert "broken failed: the index is down" in model.requests[1].messages[-1].content
    assert final.answer.note == "broken failed (the index is down)"
    assert final.answer.stop_reason == "answered"


async def test_a_repeated_call_is_answered_from_what_is_known() -> None:
    ran: list[str] = []

    @tool
    def once(query: str) -> str:
        """Counts its own calls."""
        ran.append(query)
        return "found it"

    same = calls(("the thing", "once", {"query": "x"}))
    model = Scripted([same, same, says(([1], "It was found there."))])
    events = await events_of(model, [once])
    assert ran == ["x"]
    assert isinstance(events[-1], Finished)
    assert "was made before; its result is [1]" in events[-1].answer.trajectory.steps[1].observations[0].text
    assert events[-1].answer.answered


async def test_giving_up_ends_as_insufficient_with_the_reason() -> None:
    events = await events_of(Scripted([finish("insufficient", "No source holds shoe sizes.")]))
    final = events[-1]
    assert isinstance(final, Finished)
    assert final.answer.stop_reason == "insufficient"
    assert "No source holds shoe sizes." in final.answer.text
    assert not final.answer.answered


async def test_an_answer_in_which_no_part_was_found_is_insufficient() -> None:
    one = calls(("the rule", "rules", {"query": "shoes"}))
    events = await events_of(Scripted([one, finish("answer"), says()]))
    assert isinstance(events[-1], Finished)
    assert events[-1].answer.stop_reason == "insufficient"


async def test_what_the_last_turn_asked_for_in_vain_is_said() -> None:
    @tool
    def none(query: str) -> Passages:
        """Holds nothing."""
        return Passages(())

    both = calls(("the count", "count", {"of": "contracts"}), ("the moon", "none", {"query": "moon"}))
    events = await events_of(Scripted([both, finish("answer"), ANSWER[0]]), [count, none])
    final = events[-1]
    assert isinstance(final, Finished)
    assert final.answer.text == "There are 47 contracts [1].\nNot found in the sources: the moon."
    assert final.answer.stop_reason == "answered"


async def test_the_limit_of_iterations_ends_with_the_best_cited_answer() -> None:
    different = [calls(("the rule", "rules", {"query": f"rule {n}"})) for n in range(3)]
    words = says(([3], "Returns are taken within 30 days."))
    events = await events_of(Scripted([*different, words]), limits=Limits(iterations=3))
    final = events[-1]
    assert isinstance(final, Finished)
    assert final.answer.stop_reason == "iterations"
    assert final.answer.answered
    assert final.answer.note == "stopped at the limit of iterations"


async def test_a_model_that_dies_with_evidence_in_hand_ends_with_what_was_found() -> None:
    events = await events_of(Scripted([BOTH, ModelUnavailable("the server closed the connection")]))
    final = events[-1]
    assert isinstance(final, Finished)
    assert final.answer.stop_reason == "model_error"
    assert [claim.evidence for claim in final.answer.citations] == [(1,), (2,)]
    assert "the server closed the connection" in (final.answer.note or "")


async def test_a_model_that_dies_before_anything_was_found_raises() -> None:
    with pytest.raises(ModelUnavailable):
        await events_of(Scripted([ModelUnavailable("nobody there")]))


async def test_a_part_that_breaks_its_form_falls_back_to_the_evidence_and_what_was_written_stays() -> None:
    events = await events_of(Scripted([BOTH, finish("answer"), ANSWER[0], "Returns are taken within 4,711 days."]))
    final = events[-1]
    assert isinstance(final, Finished)
    assert "4,711" not in final.answer.text
    assert final.answer.text == "There are 47 contracts [1].\nOn returns: within 30 days [2]."
    assert "the rest is quoted as it was found" in (final.answer.note or "")
    assert final.answer.stop_reason == "model_error"
    assert final.answer.cited


async def test_a_broken_decision_is_told_to_the_model_and_it_may_mend_it() -> None:
    events = await events_of(Scripted(["I would call count.", BOTH, finish("answer"), *ANSWER]))
    assert isinstance(events[-1], Finished)
    assert events[-1].answer.stop_reason == "answered"


async def test_an_endless_decision_is_stopped_and_asked_for_again_as_if_it_had_not_been() -> None:
    model = Scripted(['{"thought": "' + "x" * 100, BOTH, finish("answer"), *ANSWER])
    events = await events_of(model)
    assert isinstance(events[-1], Finished)
    assert events[-1].answer.stop_reason == "answered"
    first, second = model.requests[:2]
    assert first.messages == second.messages
    assert (first.temperature, second.temperature) == (0.0, 0.7)


class Shelf:
    """A source with a switch."""

    name = "shelf"

    def __init__(self, *, down: bool) -> None:
        self.down = down

    async def open(self) -> Card:
        if self.down:
            raise SourceUnavailable("the shelf is locked")
        return Card("shelf", "documents", "Shelf", ("3 books",))

    def tools(self) -> list[Tool]:
        return [rules]

    async def close(self) -> None:
        return None


async def test_a_source_that_is_down_is_left_out_and_the_answer_says_so() -> None:
    model = Scripted([calls(("the count", "count", {"of": "x"})), finish("answer"), says(([1], "There are 47."))])
    result = await Agent(model, sources=[Shelf(down=True)], tools=[count]).run("How many?")
    assert result.note == "shelf was not available (the shelf is locked)"
    assert "- rules(" not in model.requests[0].messages[0].content


async def test_with_every_source_down_the_reason_is_raised() -> None:
    with pytest.raises(SourceUnavailable, match="locked"):
        await Agent(Scripted([]), sources=[Shelf(down=True)]).run("How many?")


async def test_native_calls_are_checked_here_whatever_the_server_promised() -> None:
    def called(name: str, arguments: str) -> RawToolCall:
        return RawToolCall("srv_1", name, arguments)

    model = Scripted(
        [
            [called("count", '{"of": 7}')],
            [called("serch", '{"query": "x"}')],
        ]
    )
    result = await Agent(model, tools=TOOLS, mode="native").run("How many?")
    assert result.stop_reason == "model_error"
    assert "there is no tool 'serch'" in result.text


async def test_native_calls_run_and_every_id_is_answered_in_order() -> None:
    model = Scripted(
        [
            [RawToolCall("a", "count", '{"of": "contracts"}'), RawToolCall("b", "rules", '{"query": "returns"}')],
            "ANSWER",
            says(([1], "There are 47 contracts.")),
        ]
    )
    result = await Agent(model, tools=TOOLS, mode="native").run("How many?")
    assert result.answered
    messages = model.requests[1].messages
    asked = [call.id for message in messages for call in message.tool_calls]
    told = [message.tool_call_id for message in messages if message.role == "tool"]
    assert asked == told
    assert len(asked) == 2


def test_sync_and_async_give_the_same_trajectory() -> None:
    def fresh() -> Agent:
        return Agent(Scripted([BOTH, finish("answer"), *ANSWER]), tools=TOOLS)

    with fresh() as agent:
        in_sync = agent.ask("How many, and which rule?")
    in_async = asyncio.run(fresh().run("How many, and which rule?"))
    assert in_sync.text == in_async.text
    assert [step.action for step in in_sync.trajectory.steps] == [step.action for step in in_async.trajectory.steps]


async def test_an_empty_question_and_an_agent_without_tools_are_refused() -> None:
    with pytest.raises(UsageError, match="empty"):
        await Agent(Scripted([]), tools=TOOLS).run("  ")
    with pytest.raises(UsageError, match="at least one"):
        Agent(Scripted([]))

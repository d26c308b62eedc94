"""Whole questions with a scripted model: what is asked of it, what it is told, and what comes out."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise

import pytest
from story_script import ANSWER, BOTH, TOOLS, Shelf, broken, calls, count, events_of, finish, rules, says

from sleuth.agent import Agent
from sleuth.errors import UsageError
from sleuth.event import (
    AnswerStarted,
    CallStarted,
    Decided,
    Finished,
    IterationStarted,
    Observed,
    PartStarted,
    Started,
    TextDelta,
)
from sleuth.models.base import RawToolCall
from sleuth.models.scripted import Scripted
from sleuth.result import Passages, Rows
from sleuth.tool import Arguments, Example, ToolSpec, tool
from sleuth.trajectory import Action, Answer, Malformed


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
        PartStarted,
        PartStarted,
        Finished,
    ]
    final = events[-1]
    assert isinstance(final, Finished)
    result = final.answer
    assert result.text == "There are 47 contracts [1].\nReturns are taken within 30 days [2]."
    assert result.stop_reason == "answered"
    assert [claim.evidence for claim in result.citations] == [(1,), (2,)]
    assert str(result.evidence[1].locator) == "policy.pdf, p. 2, clause 4.1"


async def test_each_decision_extends_the_one_before_byte_for_byte_whatever_happened_in_it() -> None:
    failing = calls(("the rest", "broken", {"query": "x y"}))
    model = Scripted([BOTH, "no JSON", failing, finish("answer"), *ANSWER])
    await events_of(model, [count, rules, broken])
    decisions = [request.messages for request in model.requests[:4]]
    assert [len(messages) for messages in decisions] == [2, 4, 6, 8]
    assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(decisions))


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


@tool
def members(city: str) -> Rows:
    """How many members there are. NOT for rules."""
    return Rows(("n",), ((0,),), "SELECT COUNT(*) FROM members WHERE city = $1", (city,))


NO_MEMBERS = calls(("members in Oslo", "members", {"city": "Oslo"}))
RULES_OF_OSLO = calls(("members in Oslo", "rules", {"query": "Oslo"}))


async def test_after_an_empty_result_another_source_is_asked_and_what_it_knows_is_the_answer() -> None:
    model = Scripted([NO_MEMBERS, RULES_OF_OSLO, finish("answer"), says(([2], "Members from Oslo join within 30 days."))])
    (*_, final) = await events_of(model, [members, rules])
    assert isinstance(final, Finished) and final.answer.text == "Members from Oslo join within 30 days [2]."
    assert final.answer.note == "members was asked too, and its query found nothing"
    second = model.requests[1]
    assert "Still open: members in Oslo" in second.messages[-1].content
    assert '"members"' not in json.dumps(second.constraint.schema)  # type: ignore[union-attr]


class Loans:
    """A tool whose example has a date."""

    spec = ToolSpec(
        "loans",
        "Loans since a day.",
        {"type": "object", "properties": {"params": {"type": "array"}}, "required": ["params"], "additionalProperties": False},
        examples=(Example("How many loans since 2022?", "loans since 2022", {"params": ["2022-01-01", "poetry"]}),),
    )

    async def run(self, arguments: Arguments) -> Rows:
        return Rows(("n",), ((12,),), "SELECT COUNT(*) AS n FROM loans")


async def test_a_date_taken_from_the_example_is_not_run_and_the_model_is_told() -> None:
    echo = calls(("loans of poetry", "loans", {"params": ["2022-01-01", "poetry"]}))
    model = Scripted(
        [echo, calls(("loans of poetry", "loans", {"params": ["poetry"]})), finish("answer"), says(([1], "12 loans."))]
    )
    agent = Agent(model, tools=[Loans()])
    answer = await agent.run("How many loans of poetry were there?")
    told = model.requests[1].messages[-1].content
    assert "loans failed: 2022-01-01 stands in the example, not in the question (leave that condition out of the query)" in told
    assert [len(step.observations) for step in answer.trajectory.steps] == [1, 1, 0]
    model = Scripted([echo, finish("answer"), says(([1], "There were 12 loans."))])
    assert (await Agent(model, tools=[Loans()]).run("How many loans of poetry since 2022?")).text == "There were 12 loans [1]."


@tool
def fines(since: str) -> Rows:
    """The total of the fines. NOT for rules."""
    return Rows(("total",), ((None,),), "SELECT SUM(fine) AS total FROM loans WHERE day >= $1", (since,))


async def test_a_query_without_a_value_is_never_put_into_words_by_the_model() -> None:
    model = Scripted([calls(("fines since 2025", "fines", {"since": "2025-01-01"})), finish("answer")])
    (*_, final) = await events_of(model, [fines])
    assert isinstance(final, Finished) and final.answer.text == "The query found nothing: fines since 2025 [1]."


@tool
def length_of(river: str) -> int:
    """How long a river is, in km. NOT for counts."""
    return 657


async def test_what_a_function_gave_back_is_read_with_its_call_and_cannot_be_denied() -> None:
    told = says(([1], "The Guadalquivir is 657 km long."))
    model = Scripted([calls(("its length", "length_of", {"river": "Guadalquivir"})), finish("answer"), told])
    (*_, final) = await events_of(model, [length_of])
    asked = model.requests[-1]
    assert '[1] length_of(river="Guadalquivir"): 657' in asked.messages[-1].content
    assert "false" not in json.dumps(asked.constraint.schema["properties"]["found"])  # type: ignore[union-attr,index]
    assert isinstance(final, Finished) and final.answer.text == "The Guadalquivir is 657 km long [1]."


async def test_the_language_of_the_question_is_asked_for_by_name_but_for_english() -> None:
    for question, said in (("¿Cuántos contratos hay en total?", "Write the text in Spanish."), ("How many are there?", None)):
        model = Scripted([calls(("the count", "count", {"of": "contracts"})), finish("answer"), says(([1], "Hay 47 contratos."))])
        await Agent(model, tools=TOOLS).run(question)
        asked = model.requests[-1].messages[-1].content
        assert asked.endswith(said) if said else "Write the text in" not in asked


async def test_where_no_other_source_knows_the_empty_result_is_the_answer() -> None:
    model = Scripted([NO_MEMBERS, RULES_OF_OSLO, finish("answer"), says(), says(([1], "There are 0 members in Oslo."))])
    (*_, final) = await events_of(model, [members, rules])
    assert isinstance(final, Finished) and final.answer.text == "There are 0 members in Oslo [1]."
    assert final.answer.stop_reason == "answered"


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


async def test_a_call_made_before_for_a_part_in_other_words_is_no_gap_in_the_answer() -> None:
    reworded = calls(("number of contracts", "count", {"of": "contracts"}), ("the moon", "rules", {"query": "moon"}))
    model = Scripted([calls(("the count", "count", {"of": "contracts"})), reworded, finish("answer"), *ANSWER])
    events = await events_of(model)
    final = events[-1]
    assert isinstance(final, Finished)
    assert final.answer.text == "There are 47 contracts [1].\nReturns are taken within 30 days [2]."
    assert "Still open" not in model.requests[2].messages[-1].content


async def test_a_part_stays_open_until_it_is_found() -> None:
    @tool
    def none(query: str) -> Passages:
        """Holds nothing."""
        return Passages(())

    both = calls(("the count", "count", {"of": "contracts"}), ("phase of the moon", "none", {"query": "moon"}))
    other = calls(("the rule", "rules", {"query": "returns"}))
    again = calls(("phase of the moon today", "rules", {"query": "moon"}))
    model = Scripted([both, other, again, finish("answer"), *ANSWER, says(([3], "It is within 30 days."))])
    await events_of(model, [count, rules, none])
    asked = [request.messages[-1].content for request in model.requests[1:4]]
    assert ["Still open: phase of the moon." in told for told in asked] == [True, True, False]


async def test_a_broken_decision_is_told_to_the_model_and_it_may_mend_it() -> None:
    events = await events_of(Scripted(["I would call count.", BOTH, finish("answer"), *ANSWER]))
    assert isinstance(events[-1], Finished)
    assert events[-1].answer.stop_reason == "answered"


async def test_a_source_that_is_down_is_left_out_and_the_answer_says_so() -> None:
    model = Scripted([calls(("the count", "count", {"of": "x"})), finish("answer"), says(([1], "There are 47."))])
    result = await Agent(model, sources=[Shelf(down=True)], tools=[count]).run("How many?")
    assert result.note == "shelf was not available (the shelf is locked)"
    assert "- rules(" not in model.requests[0].messages[0].content


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
    assert result.trajectory.steps[-1].action == Malformed("there is no tool 'serch'; there are count, rules")
    assert "broke the form" in result.text and "serch" not in result.text


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
    assert in_sync.evidence == in_async.evidence
    assert in_sync.stop_reason == in_async.stop_reason

    def told(answer: Answer) -> list[tuple[str, Action, list[str]]]:
        return [(step.raw, step.action, [seen.text for seen in step.observations]) for step in answer.trajectory.steps]

    assert told(in_sync) == told(in_async)


async def test_an_empty_question_and_an_agent_without_tools_are_refused() -> None:
    with pytest.raises(UsageError, match="empty"):
        await Agent(Scripted([]), tools=TOOLS).run("  ")
    with pytest.raises(UsageError, match="at least one"):
        Agent(Scripted([]))

"""However a run ends, it ends with what was found, a reason, and nothing left running."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest
from story_script import ANSWER, BOTH, TOOLS, Shelf, Slow, calls, count, events_of, finish, says

from sleuth.agent import Agent
from sleuth.errors import ConstraintViolated, ContextExceeded, ModelUnavailable, SourceUnavailable, UsageError
from sleuth.event import Event, Finished, Observed, TextDelta
from sleuth.limits import Limits
from sleuth.models.scripted import Scripted
from sleuth.source import Card
from sleuth.tool import Tool, tool
from sleuth.trajectory import GiveUp, Usage


async def test_giving_up_ends_as_insufficient() -> None:
    events = await events_of(Scripted([finish("insufficient", "No source holds shoe sizes.")]))
    final = events[-1]
    assert isinstance(final, Finished)
    assert final.answer.stop_reason == "insufficient"
    assert final.answer.text == "The sources do not hold enough evidence to answer: no source seems to know it"
    assert not final.answer.answered


async def test_an_answer_in_which_no_part_was_found_is_insufficient() -> None:
    one = calls(("the rule", "rules", {"query": "shoes"}))
    events = await events_of(Scripted([one, finish("answer"), says()]))
    assert isinstance(events[-1], Finished)
    assert events[-1].answer.stop_reason == "insufficient"


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


async def test_a_prompt_that_grew_too_long_ends_with_what_was_found() -> None:
    events = await events_of(Scripted([BOTH, ContextExceeded("the prompt has 9,000 tokens, the context 8,192")]))
    final = events[-1]
    assert isinstance(final, Finished)
    assert [claim.evidence for claim in final.answer.citations] == [(1,), (2,)]
    assert "9,000 tokens" in (final.answer.note or "")


async def test_what_a_broken_decision_cost_is_counted() -> None:
    broken = ConstraintViolated("cut", output="{", usage=Usage(100, 0, 20, enforced="validated"))
    events = await events_of(Scripted([broken, BOTH, finish("answer"), *ANSWER]))
    final = events[-1]
    assert isinstance(final, Finished)
    assert (final.answer.usages[0].prompt_tokens, final.answer.usages[0].completion_tokens) == (100, 20)
    assert final.answer.trajectory.spent.prompt_tokens >= 100


async def test_a_model_that_dies_before_anything_was_found_raises() -> None:
    with pytest.raises(ModelUnavailable):
        await events_of(Scripted([ModelUnavailable("nobody there")]))


async def test_why_the_model_gave_up_stays_in_the_trajectory_for_nothing_bears_it_out() -> None:
    events = await events_of(Scripted([BOTH, finish("insufficient", "No source holds shoe sizes."), *ANSWER]))
    final = events[-1]
    assert isinstance(final, Finished)
    assert (final.answer.stop_reason, final.answer.note) == ("insufficient", None)
    assert final.answer.answered
    assert final.answer.trajectory.steps[-1].action == GiveUp("No source holds shoe sizes.")


async def test_what_was_said_before_is_no_evidence_so_a_follow_up_must_look_something_up() -> None:
    model = Scripted([BOTH, finish("answer"), *ANSWER])
    await Agent(model, tools=TOOLS).run("And the rule?", history=[("How many?", "There are 47 [1].")])
    assert "insufficient" not in json.dumps(model.requests[0].constraint.schema)  # type: ignore[union-attr]
    assert "insufficient" in json.dumps(model.requests[1].constraint.schema)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("quick", "reason", "text"),
    [
        (0, "seconds", "There is no answer: the limit of 0.2 seconds was reached"),
        (1, "seconds", "n\n47 [1].\nOn returns: within 30 days [2]."),
        (3, "seconds", "There are 47 contracts [1].\nOn returns: within 30 days [2]."),
    ],
    ids=["before anything", "with evidence", "while writing"],
)
async def test_the_limit_of_seconds_ends_with_what_there_is(
    quick: int, reason: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sleuth.run.GRACE_SECONDS", 0.1)
    model = Slow([BOTH, finish("answer"), *ANSWER], quick)
    events = await events_of(model, limits=Limits(seconds=0.2))
    final = events[-1]
    assert isinstance(final, Finished)
    assert (final.answer.stop_reason, final.answer.text) == (reason, text)
    assert model.stopped


async def test_what_was_refused_is_not_repeated_to_the_reader() -> None:
    refused = ConstraintViolated(
        'at /claims/0/text: "There are 48 bolts." does not match "^[^0-9]"', output="There are 48 bolts."
    )
    for outputs in ([refused, refused], [BOTH, finish("answer"), refused]):
        (*_, final) = await events_of(Scripted(outputs))
        assert isinstance(final, Finished) and final.answer.stop_reason == "model_error"
        assert (
            "48" not in f"{final.answer.text} {final.answer.note}"
            and "broke the form" in f"{final.answer.text} {final.answer.note}"
        )


def test_an_agent_closed_while_it_is_asked_ends_the_question_with_an_error() -> None:
    model = Slow([], quick=0)
    agent, raised = Agent(model, tools=TOOLS), list[BaseException]()

    def asks() -> None:
        try:
            agent.ask("How many?")
        except UsageError as error:
            raised.append(error)

    thread = threading.Thread(target=asks)
    thread.start()
    assert model.began.wait(timeout=10)
    agent.close()
    thread.join(timeout=10)
    assert not thread.is_alive() and "closed while it was asked" in str(raised[0])


async def test_a_listener_that_is_slow_is_never_struck_by_the_limit() -> None:
    agent = Agent(Scripted([BOTH, finish("answer"), *ANSWER]), tools=TOOLS, limits=Limits(seconds=0.05))
    seen: list[Event] = []
    async for event in agent.stream("How many, and which rule?"):
        seen.append(event)
        if isinstance(event, TextDelta) and len(seen) < 6:
            await asyncio.sleep(0.1)
    assert isinstance(seen[-1], Finished)


async def test_whoever_stops_listening_stops_the_model_and_the_tools_at_once() -> None:
    stopped = asyncio.Event()

    @tool
    async def hangs(query: str) -> str:
        """Never returns."""
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return "never"

    model = Slow([], quick=0)
    stream = Agent(model, tools=TOOLS).stream("How many?")
    async for event in stream:
        if isinstance(event, TextDelta):
            break
    await stream.aclose()
    assert model.stopped

    both = calls(("the count", "count", {"of": "contracts"}), ("the rule", "hangs", {"query": "x"}))
    stream = Agent(Scripted([both]), tools=[count, hangs]).stream("How many?")
    async for event in stream:
        if isinstance(event, Observed):
            break
    await stream.aclose()
    assert stopped.is_set()


async def test_two_questions_at_once_open_a_source_once_and_all_is_closed_whatever_one_raises() -> None:
    class Counted(Shelf):
        opened = closed = 0

        async def open(self) -> Card:
            self.opened += 1
            await asyncio.sleep(0)
            return await super().open()

        async def close(self) -> None:
            self.closed += 1

    class Stubborn(Counted):
        name = "stubborn"

        def tools(self) -> list[Tool]:
            return [count]

        async def close(self) -> None:
            await super().close()
            raise RuntimeError("no")

    first, second = Stubborn(down=False), Counted(down=False)
    agent = Agent(Scripted([finish("insufficient"), finish("insufficient")]), sources=[first, second])
    await asyncio.gather(agent.run("How many?"), agent.run("How many?"))
    with pytest.raises(RuntimeError, match="no"):
        await agent.aclose()
    assert (first.opened, second.opened, first.closed, second.closed) == (1, 1, 1, 1)


async def test_a_part_that_breaks_its_form_falls_back_to_the_evidence_and_what_was_written_stays() -> None:
    events = await events_of(Scripted([BOTH, finish("answer"), ANSWER[0], "Returns are taken within 4,711 days."]))
    final = events[-1]
    assert isinstance(final, Finished)
    assert "4,711" not in final.answer.text
    assert final.answer.text == "There are 47 contracts [1].\nOn returns: within 30 days [2]."
    assert "the rest is quoted as it stands" in (final.answer.note or "")
    assert final.answer.stop_reason == "model_error"
    assert final.answer.cited


async def test_an_endless_decision_is_stopped_and_asked_for_again_without_the_tool_it_was_stuck_in() -> None:
    endless = '{"thought": "It is there.", "calls": [{"part": "rule", "tool": "rules", "args": {"query": "' + "x" * 100
    model = Scripted([endless, calls(("the count", "count", {"of": "contracts"})), finish("answer"), ANSWER[0]])
    events = await events_of(model)
    assert isinstance(events[-1], Finished)
    assert events[-1].answer.stop_reason == "answered"
    first, second = model.requests[:2]
    assert first.messages == second.messages
    assert ['"rules"' in str(request.constraint) for request in (first, second)] == [True, False]
    assert (first.temperature, second.temperature) == (0.0, 0.7)


async def test_with_every_source_down_the_reason_is_raised() -> None:
    with pytest.raises(SourceUnavailable, match="locked"):
        await Agent(Scripted([]), sources=[Shelf(down=True)]).run("How many?")

"""The loop is a pure function of the trajectory: every turn it can take is a table."""

from __future__ import annotations

import pytest

from sleuth.evidence import Evidence, Locator
from sleuth.limits import Limits, Spent
from sleuth.loop import Act, Decide, Move, Stop, Write, next_move
from sleuth.result import Cell, Failure, Pages, Result, Rows, Text
from sleuth.tool import ToolCall
from sleuth.trajectory import Action, Calls, Conclude, GiveUp, Malformed, Observation, Step, Trajectory

LIMITS = Limits(iterations=3, seconds=60, tokens=1000)


def call(number: int, query: str = "x", tool: str = "look") -> ToolCall:
    return ToolCall(f"call_{number}", tool, {"query": query})


def trajectory(*steps: Step, spent: Spent | None = None) -> Trajectory:
    grown = Trajectory("q")
    for step in steps:
        grown = grown.extended(step, Spent(iterations=1))
    return grown if spent is None else Trajectory("q", grown.steps, grown.ledger, spent)


def looked(*calls: ToolCall, evidence_from: int = 1, found: bool = True) -> Step:
    observations = tuple(
        Observation(
            one,
            Text("t"),
            "t",
            (Evidence(evidence_from + place, "t", Locator("text", "look"), "internal", "look"),) if found else (),
        )
        for place, one in enumerate(calls)
    )
    return Step("t", Calls(calls), "{}", observations)


def move_after(action: Action, *before: Step) -> Move:
    return next_move(trajectory(*before, Step("t", action, "{}")), LIMITS)


def test_the_first_move_is_a_decision_that_cannot_conclude_from_nothing() -> None:
    assert next_move(trajectory(), LIMITS) == Decide(may_conclude=False)


def test_calls_are_run() -> None:
    assert move_after(Calls((call(1), call(2, "y")))) == Act((call(1), call(2, "y")))


def test_of_equal_calls_in_one_turn_only_the_first_is_run() -> None:
    assert move_after(Calls((call(1), call(2)))) == Act((call(1),), (call(2),))


def test_a_call_made_before_is_not_run_again() -> None:
    assert move_after(Calls((call(2), call(3, "new"))), looked(call(1))) == Act((call(3, "new"),), (call(2),))


def repeated(number: int, result: Result) -> Step:
    return Step("t", Calls((call(number),)), "{}", (Observation(call(number), result, "known"),))


def test_after_a_turn_of_repeats_the_answer_is_written() -> None:
    after = next_move(trajectory(looked(call(1)), repeated(2, Text("t"))), LIMITS)
    assert after == Write("answered")


def test_a_failed_call_may_be_put_differently_but_not_repeated_for_ever() -> None:
    failure = Failure("look", "no such column")
    once = trajectory(looked(call(9, "other")), repeated(1, failure), repeated(2, failure))
    twice = trajectory(looked(call(9, "other")), repeated(1, failure), repeated(2, failure), repeated(3, failure))
    assert next_move(once, Limits()) == Decide(may_conclude=True, afresh=True, without=frozenset({"look"}))
    assert next_move(twice, Limits()) == Write("answered")


def test_after_new_evidence_the_model_decides_freely() -> None:
    assert next_move(trajectory(looked(call(1))), LIMITS) == Decide(may_conclude=True)


def test_after_calls_that_found_nothing_it_cannot_conclude_yet() -> None:
    decision = next_move(trajectory(looked(call(1), found=False)), LIMITS)
    assert decision == Decide(may_conclude=False, afresh=True, without=frozenset({"look"}))


@pytest.mark.parametrize("rows", [(), ((0,),), ((0, None),)])
def test_a_query_that_came_back_empty_is_evidence_but_another_source_is_asked_first(rows: tuple[tuple[Cell, ...], ...]) -> None:
    asked = ToolCall("c1", "sql", {"query": "SELECT …"})
    said = Evidence(1, "no rows", Locator("rows", "shop", statement="SELECT …"), "internal", "sql")
    empty = Observation(asked, Rows(("n", "total")[: len(rows[0]) if rows else 2], rows, "SELECT …"), "no rows", (said,))
    after = next_move(trajectory(Step("t", Calls((asked,)), "{}", (empty,))), LIMITS)
    assert after == Decide(may_conclude=True, afresh=True, without=frozenset({"sql"}))


@pytest.mark.parametrize("rows", [((0,), (0,)), ((0, "Lyon"),), ((3,),)])
def test_zeros_that_say_something_are_no_empty_result(rows: tuple[tuple[Cell, ...], ...]) -> None:
    assert not Rows(("n", "city")[: len(rows[0])], rows, "SELECT …").empty


def test_a_tool_that_searched_and_found_nothing_is_not_asked_next() -> None:
    nothing = Observation(ToolCall("c1", "web", {"q": "x"}), Pages(()), "nothing found")
    failed = Observation(ToolCall("c2", "docs", {"q": "x"}), Failure("docs", "no index"), "docs failed")
    after = next_move(trajectory(Step("t", Calls((nothing.call, failed.call)), "{}", (nothing, failed))), LIMITS)
    assert after == Decide(may_conclude=False, afresh=True, without=frozenset({"web"}))


def test_a_conclusion_is_written() -> None:
    assert move_after(Conclude(), looked(call(1))) == Write("answered")


def test_a_conclusion_from_nothing_stops_as_insufficient() -> None:
    assert move_after(Conclude()) == Stop("insufficient", "nothing was found")


def test_giving_up_from_nothing_stops_with_the_reason_and_else_writes_what_there_is() -> None:
    assert move_after(GiveUp("no source knows it"), looked(call(1), found=False)) == Stop(
        "insufficient", "no source seems to know it"
    )
    assert move_after(GiveUp("no source knows the rest"), looked(call(1))) == Write("insufficient")


def test_one_malformed_reply_is_forgiven_two_running_are_not() -> None:
    broken = Step("", Malformed("not JSON"), "x")
    assert isinstance(next_move(trajectory(broken), LIMITS), Decide)
    assert next_move(trajectory(broken, broken), LIMITS) == Stop(
        "model_error", "the model's replies broke the form asked for, more than once"
    )
    assert next_move(trajectory(looked(call(1)), broken, broken), Limits()) == Write("model_error")


def test_every_limit_writes_from_what_was_found_or_says_which_it_was() -> None:
    for spent, reason in (
        (Spent(iterations=3), "iterations"),
        (Spent(seconds=60), "seconds"),
        (Spent(prompt_tokens=900, completion_tokens=100), "tokens"),
    ):
        assert next_move(trajectory(looked(call(1)), spent=spent), LIMITS) == Write(reason)
        stop = next_move(trajectory(looked(call(1), found=False), spent=spent), LIMITS)
        assert isinstance(stop, Stop)
        assert stop.reason == reason


def test_calls_already_decided_are_still_run_at_the_limit() -> None:
    pending = trajectory(Step("t", Calls((call(1),)), "{}"), spent=Spent(iterations=3))
    assert next_move(pending, LIMITS) == Act((call(1),))

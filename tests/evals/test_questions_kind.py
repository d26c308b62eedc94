"""Whole evaluations with a scripted model over real sources."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from case_tree import answer, asks, calls, case, finish, write_lines

from sleuth.errors import ModelError, ModelNotFound, ModelUnavailable, UsageError
from sleuth.evals import questions
from sleuth.evals.cases import CaseError, read_lines
from sleuth.evals.report import Outcome, Report, Settings
from sleuth.models.base import RawToolCall
from sleuth.models.scripted import Said, Scripted
from sleuth.result import Json, json_object

STAFF = [{"db": "staff"}]
BOTH = [{"db": "shop"}, {"db": "staff"}]
COUNT = calls(asks("sql_query", "SELECT COUNT(*) FROM Employee WHERE City = $1", "London"))
LONDON = case("london", "How many employees live in London?", needs=["sql_query"], answer=2, answer_type="number", sql=STAFF)
LEAVE = ("the leave", "vector_search", {"query": "days of leave"})
DAYS = case("leave", "How many days of leave?", needs=["vector_search"], answer=28, answer_type="number")


def evaluated(
    tree: Path, records: Sequence[dict[str, object]], said: Sequence[Said], **settings: object
) -> tuple[Report, Scripted]:
    file = write_lines(tree / "dev" / "cases.jsonl", records)
    lines = read_lines(file)
    model = Scripted(said)
    evaluation = questions.evaluation(lines, lines, Settings(file, model=model, **settings))  # type: ignore[arg-type]

    async def collect() -> list[Outcome]:
        return [outcome async for outcome in evaluation.outcomes()]

    outcomes = asyncio.run(collect())
    return Report("questions", len(lines), tuple(outcomes), evaluation.figures()), model


def row(report: Report, place: int) -> dict[str, Json]:
    rows = report.figures["rows"]
    assert isinstance(rows, list)
    return json_object(rows[place])


def test_a_right_answer_with_the_right_tool_passes(tree: Path) -> None:
    report, model = evaluated(tree, [LONDON], [COUNT, finish(), answer("There are 2 employees in London.")])
    assert (report.count("passed"), report.count("failed"), report.unscored) == (1, 0, 0)
    assert row(report, 0)["tools"] == ["sql_query"]
    arguments = {"query": "SELECT COUNT(*) FROM Employee WHERE City = $1", "params": ["London"]}
    assert row(report, 0)["calls"] == [{"tool": "sql_query", "arguments": arguments}]
    assert report.figures["passed"] == {"count": 1, "of": 1, "share": 1.0}
    assert report.figures["stop_reasons"] == {"answered": 1}
    assert report.outcomes[0].cells[:4] == (LONDON["question"], "sql_query", "There are 2 employees in London [1].", "right")
    assert model.remaining == 0


def test_a_right_answer_by_another_way_fails_and_says_both_figures_apart(tree: Path) -> None:
    needs = {**LONDON, "needs": ["sql_query", "vector_search"]}
    report, _ = evaluated(tree, [needs], [COUNT, finish(), answer("There are 2 employees in London.")])
    assert report.outcomes[0].why == "used sql_query, needed sql_query + vector_search"
    assert report.outcomes[0].cells[3].startswith("answer right, tools not: used sql_query")
    assert (row(report, 0)["answer_right"], row(report, 0)["tools_right"], row(report, 0)["passed"]) == (True, False, False)


def test_a_wrong_answer_says_what_it_states_instead(tree: Path) -> None:
    oslo = calls(asks("sql_query", "SELECT COUNT(*) FROM Employee WHERE City = $1", "Oslo"))
    report, _ = evaluated(tree, [LONDON], [oslo, finish(), answer("There is 1 employee in London.")])
    assert report.as_json()["failures"] == [{"id": "london", "why": "states 1 instead of 2"}]


def test_several_databases_have_a_tool_each_of_one_kind(tree: Path) -> None:
    records = [{**LONDON, "sql": BOTH}]
    ask = calls(asks("sql_query_staff", "SELECT COUNT(*) FROM Employee WHERE City = $1", "London"))
    report, model = evaluated(tree, records, [ask, finish(), answer("There are 2 employees in London.")])
    assert report.count("passed") == 1
    names = [line.split("(")[0] for line in model.requests[0].messages[0].content.splitlines() if line.startswith("- ")]
    assert names == ["- sql_query_shop", "- sql_query_staff", "- vector_search", "- web_search"]


def test_the_workspace_is_the_same_for_every_case_of_the_file(tree: Path) -> None:
    said = [calls(LEAVE), finish(), answer("There are 28 days of leave.")]
    staff = calls(asks("sql_query_staff", "SELECT COUNT(*) FROM Employee WHERE City = $1", "London"))
    shop = case("albums", "How many albums?", answer=5, answer_type="number", sql=[{"db": "shop"}])
    report, model = evaluated(
        tree,
        [DAYS, LONDON, shop],
        [*said, staff, finish(), answer("There are 2 employees in London."), finish("insufficient")],
    )
    decisions = [request for request in model.requests if "what the tools know" in request.messages[0].content.lower()]
    heads = {request.messages[0].content for request in decisions}
    assert len(heads) == 1
    assert [outcome.verdict for outcome in report.outcomes] == ["passed", "passed", "failed"]


def test_other_values_of_the_column_are_extras_of_a_set(tree: Path) -> None:
    record = case("bands", "Which artists have two albums?", answer=["Iron Kettle", "Deep Teal"], answer_type="set")
    listing = calls(asks("sql_query", "SELECT Name FROM Artist"))
    extra = answer("They are Iron Kettle, Deep Teal and Buddy Grey.")
    report, _ = evaluated(tree, [{**record, "sql": [{"db": "shop"}]}], [listing, finish(), extra])
    assert report.outcomes[0].why == "also names Buddy Grey"


def test_first_and_last_names_are_one_column_for_a_set(tree: Path) -> None:
    record = case("who", "Who lives in Oslo?", answer=["Ada Moon"], answer_type="set", sql=STAFF)
    listing = calls(asks("sql_query", "SELECT FirstName, LastName FROM Employee"))
    report, _ = evaluated(tree, [record], [listing, finish(), answer("Ada Moon and Cyd Sol live there.")])
    assert report.outcomes[0].why == "also names Cyd Sol"


def test_what_cannot_be_scored_is_not_asked_and_in_no_mean(tree: Path) -> None:
    records = [
        case("open", "Why?", answer=None, answer_type="number"),
        case("odd", "Why?", answer="x", answer_type="essay"),
        LONDON,
    ]
    report, model = evaluated(tree, records, [COUNT, finish(), answer("There are 2 employees in London.")])
    told = report.as_json()
    assert (told["passed"], told["failed"], told["unscored"], told["failures"]) == (1, 0, 2, [])
    assert json_object(told["figures"])["unscored"] == [
        {"id": "open", "why": "the case has no answer"},
        {"id": "odd", "why": "unknown answer_type 'essay'"},
    ]
    assert report.figures["passed"] == {"count": 1, "of": 1, "share": 1.0}
    assert len(model.requests) == 3


def test_abstaining_is_right_where_the_sources_hold_nothing(tree: Path) -> None:
    record = case("salary", "What does Ada earn?", answer=None, answer_type="abstain", sql=STAFF)
    report, _ = evaluated(tree, [record], [finish("insufficient")])
    assert report.count("passed") == 1
    assert row(report, 0)["tools_right"] is None


def test_languages_and_stop_reasons_are_counted_apart(tree: Path) -> None:
    german = case("urlaub", "Wie viele Tage Urlaub?", needs=["vector_search"], answer=28, answer_type="number")
    said = [calls(LEAVE), finish(), answer("There are 28 days of leave."), finish("insufficient")]
    report, _ = evaluated(tree, [DAYS, {**german, "lang": "de"}], said)
    languages = json_object(report.figures["by_language"])
    assert languages["en"] == {"scored": 1, "answer_right": 1, "tools_right": 1, "passed": 1}
    assert languages["de"] == {"scored": 1, "answer_right": 0, "tools_right": 0, "passed": 0}
    assert report.figures["stop_reasons"] == {"answered": 1, "insufficient": 1}


@pytest.mark.parametrize("error", [ModelUnavailable("nobody there"), ModelNotFound("no such model"), ModelError("refused")])
def test_a_model_that_never_answers_ends_the_evaluation(tree: Path, error: ModelError) -> None:
    with pytest.raises(type(error)):
        evaluated(tree, [DAYS], [error])


def test_a_model_that_goes_away_later_leaves_cases_unscored_and_one_that_breaks_fails_them(tree: Path) -> None:
    records = [DAYS, {**DAYS, "id": "second"}, {**DAYS, "id": "third"}]
    said = [
        calls(LEAVE),
        finish(),
        answer("There are 28 days of leave."),
        ModelUnavailable("gone for a while"),
        ModelError("the context is too small"),
    ]
    report, _ = evaluated(tree, records, said)
    assert [(outcome.verdict, outcome.why) for outcome in report.outcomes] == [
        ("passed", None),
        ("unscored", "could not be asked: gone for a while"),
        ("failed", "the run failed: the context is too small; used no tool, needed vector_search"),
    ]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"needs": "sql_query"}, "line 1: 'needs' must be a list"),
        ({"answer": "many"}, "'answer' of a number must be a number"),
        ({"tolerance": -1}, "'tolerance' must be a number"),
        ({"question": ""}, "'question' must be a text"),
        ({"answer": [1, 2]}, "must be a single value"),
    ],
)
def test_a_case_of_the_wrong_shape_is_named_before_anything_is_asked(tree: Path, fields: dict[str, object], why: str) -> None:
    with pytest.raises(CaseError, match=why):
        evaluated(tree, [{**DAYS, **fields}], [])


def test_a_database_that_is_not_there_is_named_with_its_line(tree: Path) -> None:
    with pytest.raises(CaseError, match=r"line 2: there is no database 'ships'"):
        evaluated(tree, [LONDON, {**DAYS, "sql": [{"db": "ships"}]}], [])


def test_native_calls_of_the_same_model_stand_beside_its_own_first_turns(tree: Path) -> None:
    printed = 'I will call it.\n```json\n{"name": "vector_search", "arguments": {"query": "days of leave"}}\n```'
    schema = [calls(LEAVE), finish(), answer("There are 28 days of leave.")]
    records = [{**DAYS, "id": name} for name in ("parsed", "broken", "printed", "unknown")]
    native: list[Said] = [
        [RawToolCall("1", "vector_search", '{"query": "days of leave"}')],
        [RawToolCall("1", "vector_search", '{"query": "days')],
        printed,
        [RawToolCall("1", "search", "{}"), RawToolCall("2", "web_search", '{"query": 7}')],
    ]
    report, model = evaluated(tree, records, [*schema * 4, *native], compare="native")
    assert {key: json_object(report.figures["native"])[key] for key in ("questions", "calls", "parsed", "valid_arguments")} == {
        "questions": 4,
        "calls": 4,
        "parsed": 2,
        "valid_arguments": 1,
    }
    told = json_object(report.figures["native"])
    assert (told["right_tool"], told["questions_all_right"], told["with_a_call"]) == (2, 1, 3)
    assert (told["printed_as_text"], told["printed_right_tool"]) == (1, 1)
    rows = report.figures["native_rows"]
    assert isinstance(rows, list)
    assert rows[2] == {"id": "printed", "calls": [], "text": printed, "error": None}
    own = json_object(report.figures["schema"])
    assert (own["calls"], own["parsed"], own["right_tool"], own["questions_all_right"]) == (4, 4, 4, 4)
    assert list(own) == list(told)
    assert [bool(request.tools) for request in model.requests] == [False] * 12 + [True] * 4


def test_a_comparison_with_itself_or_with_nothing_known_is_refused(tree: Path) -> None:
    with pytest.raises(UsageError, match="themselves"):
        evaluated(tree, [DAYS], [], compare="native", mode="native")
    with pytest.raises(UsageError, match="no comparison"):
        evaluated(tree, [DAYS], [], compare="nativ")

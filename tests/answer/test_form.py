from __future__ import annotations

import json
from datetime import date
from decimal import Decimal

import pytest

from sleuth.answer.ask import claim_messages
from sleuth.answer.form import Part, claims_form, is_sure, parts_of
from sleuth.errors import ConstraintViolated
from sleuth.evidence import Evidence, Locator
from sleuth.limits import Spent
from sleuth.observe.render import observe
from sleuth.result import Cell, Rows, Text
from sleuth.structured_output.compile import check
from sleuth.structured_output.verify import verify
from sleuth.tool import ToolCall
from sleuth.trajectory import Calls, Observation, Step, StopReason, Trajectory

QUESTION = "How many above 100k€ in 2025, and which conditions?"
STATEMENT = "SELECT COUNT(*), SUM(amount) FROM contracts WHERE region = $1"

ROWS = Evidence(1, "n | total\n47 | 8300000.00", Locator("rows", "db", statement=STATEMENT, params=("EU",)), "internal", "sql")
PENALTY = Evidence(2, "0.5 % a week", Locator("passage", "c.pdf", 3, "8.3"), "internal", "look", ("d.pdf", "e.pdf"))
CAP = Evidence(3, "up to 10 %", Locator("passage", "c.pdf", 3, "8.4"), "internal", "look")
COUNT = Part("count and total", (ROWS,), "[1] n | total\n47 | 8300000.00", ("47", "8300000.00"))
TERMS = Part("conditions", (PENALTY, CAP), "[2] 0.5 % a week\n[3] up to 10 %")


def told(ids: list[int], text: str) -> str:
    return json.dumps({"found": True, "claims": [{"text": text, "evidence": ids}]}, ensure_ascii=False)


def holds(part: Part, output: str) -> bool:
    try:
        verify(output, claims_form(part, QUESTION, 4, sure=is_sure(part, "answered")))
    except ConstraintViolated:
        return False
    return True


@pytest.mark.parametrize("part", [COUNT, TERMS], ids=["rows", "passages"])
def test_the_form_compiles_to_a_mask(part: Part) -> None:
    check(claims_form(part, QUESTION, 4, sure=is_sure(part, "answered")))


@pytest.mark.parametrize(
    "output",
    [
        told([1], "There are 47 contracts above 100,000 in 2025, 8.3 M€ in total."),
        told([1], "In all there are 47, worth 8,300,000.00 EUR."),
    ],
)
def test_a_claim_over_one_row_states_each_figure_of_it(output: str) -> None:
    assert holds(COUNT, output)


@pytest.mark.parametrize(
    "output",
    [
        told([1], "There are 47 contracts."),
        told([1], "There are 47 contracts, 47 of them worth 8.3 M€."),
        told([1], "They are worth 8.3 M€."),
        told([1], "There are 48 contracts worth 8.3 M€."),
        told([2], "There are 47 contracts worth 8.3 M€."),
        told([], "There are 47 contracts worth 8.3 M€."),
        '{"found": false}',
    ],
    ids=["no total", "twice", "no count", "unseen number", "evidence of another part", "no evidence", "denied"],
)
def test_what_a_claim_over_one_row_cannot_be(output: str) -> None:
    assert not holds(COUNT, output)


@pytest.mark.parametrize(
    ("output", "valid"),
    [
        (told([2, 3], "Late delivery costs 0.5 % a week, up to 10 % (clause 8.3)."), True),
        (told([2], "It stands in 3 documents of 2025."), True),
        ('{"found": false}', True),
        (told([1], "Late delivery costs 0.5 % a week."), False),
        (told([2], "Late delivery costs 47 EUR a week."), False),
        (told([2], "There are 100 of them."), False),
    ],
    ids=[
        "all seen",
        "how many documents",
        "not found",
        "evidence of another part",
        "number of another part",
        "short form's digits",
    ],
)
def test_a_claim_over_passages_states_what_stands_in_them(output: str, valid: bool) -> None:
    assert holds(TERMS, output) == valid


def test_rows_and_passages_are_asked_for_in_their_own_words() -> None:
    _, counted = claim_messages(COUNT, QUESTION, 2, sure=True)
    assert f"Looked up in the database: {STATEMENT} with $1=EU\n" in counted.content
    _, termed = claim_messages(TERMS, QUESTION, 2, sure=False)
    assert "Question: conditions?" in termed.content and QUESTION not in termed.content


def test_a_question_of_one_part_is_asked_as_it_was_put_and_after_what() -> None:
    _, asked = claim_messages(TERMS, QUESTION, 1, [("How many in 2024?", "There were 5.")], sure=False)
    assert f"Question: {QUESTION}" in asked.content
    assert "Asked before: How many in 2024?" in asked.content and "There were 5" not in asked.content


def test_evidence_of_equal_parts_is_joined_and_what_brought_none_is_no_part() -> None:
    def observed(number: int, part: str, *evidence: Evidence) -> Observation:
        return Observation(ToolCall(f"call_{number}", "look", part=part), Text(""), f"text {number}", evidence)

    first = Step("t", Calls(()), "", (observed(1, "count", ROWS), observed(2, "terms", PENALTY), observed(3, "moon")))
    again = Step("t", Calls(()), "", (observed(4, "terms", CAP),))
    found = parts_of(Trajectory(QUESTION).extended(first, Spent()).extended(again, Spent()))
    assert [(part.text, [item.id for item in part.evidence], part.shown) for part in found] == [
        ("count", [1], "text 1"),
        ("terms", [2, 3], "text 2\ntext 4"),
    ]


def figures(*row: Cell, chars: int = 900, rows: int = 1) -> tuple[str, ...]:
    """Of a result with this row, looked up and shown."""
    call = ToolCall("call_1", "sql", part="count")
    result = Rows(tuple(f"c{n}" for n in range(len(row))), (row,) * rows, STATEMENT)
    text, evidence = observe(call, result, first_id=1, chars=chars)
    step = Step("t", Calls(()), "", (Observation(call, result, text, evidence),))
    (part,) = parts_of(Trajectory(QUESTION).extended(step, Spent()))
    return part.figures


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ((47, Decimal("8300000.00"), 1.5), ("47", "8300000.00", "1.5")),
        (("a | 9", 47), ("47",)),
        (("2025", date(2025, 3, 1), "C-7", 47), ("47",)),
        ((True, None, 47), ("47",)),
        ((-5,), ("5",)),
        ((float("nan"), 1e300, 47), ("47",)),
        ((1, 2, 3, 4), ()),
    ],
    ids=["numbers", "a bar in a text", "a year and an id", "truth", "negative", "not plain", "a table"],
)
def test_the_figures_of_a_row_are_its_numbers_by_type(row: tuple[Cell, ...], told: tuple[str, ...]) -> None:
    assert figures(*row) == told


def test_equal_figures_of_a_row_are_told_once() -> None:
    assert figures(10, 10) == ("10",)


@pytest.mark.parametrize(
    ("text", "reason", "sure"),
    [("657", "answered", True), ("657", "iterations", True), ("657", "insufficient", False), ("word " * 100, "answered", False)],
)
def test_a_few_words_of_a_function_answer_its_call_unless_the_model_gave_up(text: str, reason: StopReason, sure: bool) -> None:
    item = Evidence(1, text, Locator("text", 'length("Rhine")'), "internal", "length")
    assert is_sure(Part("length", (item,), text), reason) is sure


def test_several_rows_have_no_figures_and_what_was_not_shown_is_none() -> None:
    assert figures(47, rows=2) == ()
    assert figures("word " * 100, 47, chars=100) == ()


def test_a_claim_over_a_negative_figure_states_it_with_or_without_its_sign() -> None:
    part = Part("change", (Evidence(1, "n\n-5", Locator("rows", "db"), "internal", "sql"),), "", ("5",))
    assert holds(part, told([1], "It fell by 5 in all."))
    assert holds(part, told([1], "The change was -5 in all."))
    assert not holds(part, told([1], "It fell a little."))

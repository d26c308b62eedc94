from __future__ import annotations

import json

import pytest

from sleuth.answer.compose import answer_form, parts_of, quoted, read_answer
from sleuth.errors import ConstraintViolated, EvidenceError
from sleuth.evidence import Evidence, Ledger, Locator
from sleuth.limits import Limits, Spent
from sleuth.result import Text
from sleuth.structured_output.compile import check
from sleuth.structured_output.verify import verify
from sleuth.tool import ToolCall
from sleuth.trajectory import Calls, Observation, Step, Trajectory


def observed(number: int, part: str, *evidence: Evidence) -> Observation:
    return Observation(ToolCall(f"call_1_{number}", "look", part=part), Text(""), "", evidence)


def seen(number: int, text: str) -> Evidence:
    return Evidence(number, text, Locator("passage", f"doc{number}.pdf", page=4, clause="8.3"), "internal", "look")


QUESTION = "How many above 100k€ in 2025, and which conditions?"
STEP = Step(
    "t",
    Calls(()),
    "",
    (observed(1, "count", seen(1, "n\n47")), observed(2, "conditions", seen(2, "0.5 % a week"), seen(3, "up to 10 %"))),
)
TRAJECTORY = Trajectory(QUESTION).extended(STEP, Spent())
FORM = answer_form(TRAJECTORY, Limits())


def answer(*parts: object) -> str:
    return json.dumps({"answer": parts}, ensure_ascii=False)


def found(part: str, *claims: tuple[list[int], str]) -> dict[str, object]:
    return {"part": part, "found": True, "claims": [{"text": text, "evidence": ids} for ids, text in claims]}


COUNT = found("count", ([1], "There are 47 contracts above 100,000 in 2025."))
MISSING = {"part": "conditions", "found": False}


def test_the_form_compiles_to_a_mask() -> None:
    check(FORM)


def test_parts_keep_the_evidence_their_calls_brought() -> None:
    assert [(part.text, [item.id for item in part.evidence]) for part in parts_of(TRAJECTORY)] == [
        ("count", [1]),
        ("conditions", [2, 3]),
    ]


def test_claims_become_a_text_with_markers_and_citations() -> None:
    conditions = found("conditions", ([2, 3], "Late delivery costs 0.5 % a week, up to 10 % (clause 8.3)"))
    written = read_answer(verify(answer(COUNT, conditions), FORM), TRAJECTORY)
    assert written.text == (
        "There are 47 contracts above 100,000 in 2025 [1].\nLate delivery costs 0.5 % a week, up to 10 % (clause 8.3) [2][3]."
    )
    assert [claim.evidence for claim in written.citations] == [(1,), (2, 3)]
    assert written.missing == ()


def test_a_part_without_evidence_is_said_to_be_missing() -> None:
    written = read_answer(verify(answer(COUNT, MISSING), FORM), TRAJECTORY)
    assert written.missing == ("conditions",)
    assert "Not found in the sources: conditions." in written.text


@pytest.mark.parametrize(
    "claim",
    [
        ([2], "There are 47 contracts in all."),
        ([9], "There are 47 contracts in all."),
        ([], "There are 47 contracts in all."),
        ([1], "There are 48 contracts in all."),
        ([1], "There are 0.5 percent of them."),
    ],
    ids=["evidence of another part", "unknown evidence", "no evidence", "unseen number", "number of another part"],
)
def test_a_claim_outside_its_evidence_breaks_the_form(claim: tuple[list[int], str]) -> None:
    with pytest.raises(ConstraintViolated):
        verify(answer(found("count", claim), MISSING), FORM)


def test_a_part_can_neither_be_left_out_nor_invented() -> None:
    with pytest.raises(ConstraintViolated):
        verify(answer(COUNT), FORM)
    with pytest.raises(ConstraintViolated):
        verify(answer(COUNT, MISSING, MISSING), FORM)


def test_the_evidence_can_be_quoted_without_a_model() -> None:
    written = quoted(TRAJECTORY)
    assert [claim.evidence for claim in written.citations] == [(1,), (2,), (3,)]
    assert "0.5 % a week [2]." in written.text


def test_an_unknown_id_raises_and_is_never_dropped() -> None:
    with pytest.raises(EvidenceError, match=r"\[7\]"):
        Ledger((seen(1, "x"),)).cite("claim", [7])


def test_without_evidence_there_is_no_form() -> None:
    with pytest.raises(ValueError, match="no evidence"):
        answer_form(Trajectory("q"), Limits())

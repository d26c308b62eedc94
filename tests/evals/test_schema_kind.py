"""The kind `schema`: what a mask and the check accept, held against what is valid."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sleuth.evals.cases import CaseError, read_lines
from sleuth.evals.report import Outcome, Settings
from sleuth.evals.schemas import evaluation
from sleuth.result import Json

CASES: list[dict[str, Json]] = [
    {"id": "kept", "schema": {"not": {"type": "string"}}, "cases": [{"data": 1, "valid": True}, {"data": "a", "valid": False}]},
    {"id": "checked", "schema": {"uniqueItems": True}, "cases": [{"data": [1], "valid": True}, {"data": [1, 1], "valid": False}]},
    {"id": "nothing", "schema": False, "cases": [{"data": 1, "valid": False}]},
    {"id": "order", "schema": {"properties": {"a": {}, "b": {}}}, "cases": [{"data": {"b": 1, "a": 2}, "valid": True}]},
    {"id": "refused", "schema": {"$ref": "#/$defs/x"}, "cases": [{"data": 1, "valid": True}]},
    {"id": "mislabelled", "schema": {"type": "integer"}, "cases": [{"data": 1, "valid": False}]},
    {"id": "remote", "schema": {"$ref": "http://x"}, "cases": [{"data": 1, "valid": True}], "needs_remote": True},
    {"id": "said", "schema": {"format": "date"}, "cases": [{"data": "x", "valid": True}], "required": True},
    {
        "id": "asserted",
        "schema": {"format": "date"},
        "cases": [{"data": "x", "valid": False}, {"data": "2024-02-29", "valid": True}],
    },
    {
        "id": "disputed",
        "schema": True,
        "cases": [{"data": 1, "valid": False, "python_jsonschema_agrees": False}, {"data": 2, "valid": True}],
    },
]


def written(tmp_path: Path, cases: list[dict[str, Json]]) -> Path:
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(json.dumps(case) for case in cases))
    return path


async def test_each_case_gets_its_verdict_and_the_figures_count_them(tmp_path: Path) -> None:
    path = written(tmp_path, CASES)
    lines = read_lines(path)
    scored = evaluation(lines, lines, Settings(path))
    outcomes: dict[str, Outcome] = {outcome.id: outcome async for outcome in scored.outcomes()}
    assert {name: outcome.verdict for name, outcome in outcomes.items()} == {
        **dict.fromkeys(("kept", "checked", "nothing", "said", "asserted", "disputed"), "passed"),
        **dict.fromkeys(("order", "refused", "mislabelled"), "failed"),
        "remote": "unscored",
    }
    assert [outcomes[name].cells[2] for name in ("kept", "checked", "refused")] == ["mask", "mask and check", "nothing"]
    assert "is not in the schema" in (outcomes["refused"].why or "")
    assert scored.figures() == {
        "schemas": 9,
        "pass": 6,
        "over_accept": 1,
        "over_reject": 1,
        "refused": 1,
        "silently_wrong": 1,
        "mask_alone": 7,
        "left_to_the_check": 1,
        "pass_rate": 0.6667,
        "backend": "llguidance",
    }


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ({"id": "a", "schema": 1, "cases": []}, "line 1: 'schema' must be an object, true or false"),
        ({"id": "a", "schema": {}}, "line 1: 'cases' must be a list of objects"),
        ({"id": "a", "schema": {}, "cases": [{"valid": True}]}, "line 1: 'cases' must be a list of objects"),
    ],
)
def test_a_line_of_another_shape_is_refused(case: dict[str, Json], said: str, tmp_path: Path) -> None:
    path = written(tmp_path, [case])
    lines = read_lines(path)
    with pytest.raises(CaseError, match=said):
        evaluation(lines, lines, Settings(path))

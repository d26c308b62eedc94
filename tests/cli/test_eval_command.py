"""`sleuth eval run`: what is printed where, and the exit status."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import types
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from sleuth.cli import eval as command
from sleuth.errors import UsageError
from sleuth.evals.cases import Line
from sleuth.evals.kinds import KINDS
from sleuth.evals.report import Outcome, Settings
from sleuth.result import Json


class Parity:
    """A kind as small as it can be: a case passes if its `n` is even; one without `n` is unscored."""

    columns = ("case", "n")

    def __init__(self, chosen: Sequence[Line], settings: Settings, *, stop_after: int | None = None) -> None:
        self._chosen = chosen
        self._settings = settings
        self._stop_after = stop_after
        self._seen = 0

    async def outcomes(self) -> AsyncIterator[Outcome]:
        self._settings.tell("sources: none [needed]")
        for line in self._chosen:
            if self._seen == self._stop_after:
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.wait_for(asyncio.Event().wait(), timeout=5)
            n = line.fields.get("n")
            self._seen += 1
            if not isinstance(n, int):
                yield Outcome(line.id, "unscored", "no n", (line.id, ""))
            elif n % 2:
                yield Outcome(line.id, "failed", f"{n} is odd", (line.id, str(n)))
            else:
                yield Outcome(line.id, "passed", None, (line.id, str(n)))

    def figures(self) -> dict[str, Json]:
        here: dict[str, Json] = {"seen": self._seen, "share": 0.5, "nothing": None}
        return {**here, "left": {"calls": 1, "parsed": 2}, "right": {"calls": 3, "parsed": 4}, "rows": [1]}


@pytest.fixture
def parity(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    module = types.ModuleType("parity_kind")
    module.evaluation = lambda lines, chosen, settings: Parity(chosen, settings)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "parity_kind", module)
    monkeypatch.setitem(KINDS, "parity", "parity_kind")
    return module


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    file = tmp_path / "cases.jsonl"
    file.write_text('{"id": "two", "n": 2}\n{"id": "three [3]", "n": 3}\n{"id": "none"}\n', "utf-8")
    return file


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    command.add(parser.add_subparsers())
    args = parser.parse_args(["eval", "run", *words])
    return args.run(args)


def test_json_is_the_report_with_its_seven_names_and_nothing_else(
    parity: types.ModuleType, cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--kind", "parity", str(cases), "--json") == 0
    printed = capsys.readouterr()
    report = json.loads(printed.out)
    assert list(report) == ["kind", "cases", "passed", "failed", "unscored", "figures", "failures"]
    assert (report["kind"], report["cases"], report["passed"], report["failed"], report["unscored"]) == ("parity", 3, 1, 1, 1)
    assert report["failures"] == [{"id": "three [3]", "why": "3 is odd"}]
    assert report["figures"]["unscored"] == [{"id": "none", "why": "no n"}]
    assert "partial" not in report["figures"]
    assert "[2/3] three [3] failed: 3 is odd" in printed.err
    assert "sources: none [needed]" in printed.err


def test_without_json_there_is_a_table_and_the_figures(
    parity: types.ModuleType, cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--kind", "parity", str(cases)) == 0
    shown = capsys.readouterr().out
    assert "three [3]" in shown
    assert "3 cases: 1 passed, 1 failed, 1 unscored" in shown
    assert "share: 0.5" in shown and "nothing: not known" in shown
    row = next(line for line in shown.splitlines() if "parsed" in line)
    assert "2" in row and "4" in row


def test_ctrl_c_prints_what_is_scored_marked_partial(
    parity: types.ModuleType, cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parity.evaluation = lambda lines, chosen, settings: Parity(chosen, settings, stop_after=1)  # type: ignore[attr-defined]
    assert run("--kind", "parity", str(cases), "--json") == 130
    report = json.loads(capsys.readouterr().out)
    assert (report["cases"], report["passed"], report["failed"], report["unscored"]) == (3, 1, 0, 2)
    assert (report["figures"]["partial"], report["figures"]["not_reached"]) == (True, 2)
    assert run("--kind", "parity", str(cases)) == 130
    assert "(stopped early: partial)" in capsys.readouterr().out


def test_a_limit_and_a_seed_choose_the_cases(parity: types.ModuleType, cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--kind", "parity", str(cases), "--json", "--limit", "1") == 0
    assert json.loads(capsys.readouterr().out)["cases"] == 1
    assert run("--kind", "parity", str(cases), "--json", "--limit", "2", "--seed", "3") == 0
    assert json.loads(capsys.readouterr().out)["cases"] == 2


def test_what_is_asked_wrongly_is_a_usage_error(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError, match="did you mean 'questions'"):
        run("--kind", "qestions", str(cases))
    with pytest.raises(UsageError, match="there is no --limit"):
        run("--kind", "questions", str(cases), "--seed", "1")
    with pytest.raises(UsageError, match=r"line 1: 'question' must be a text"):
        run("--kind", "questions", str(cases))
    for words in (["--kind", "questions", str(cases), "--limit", "0"], [str(cases)]):
        with pytest.raises(SystemExit) as ended:
            run(*words)
        assert ended.value.code == 2
    assert "must be at least 1" in capsys.readouterr().err


def test_an_error_once_it_runs_leaves_no_report(
    parity: types.ModuleType, cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class Refusing(Parity):
        async def outcomes(self) -> AsyncIterator[Outcome]:
            raise UsageError("no model here")
            yield

    parity.evaluation = lambda lines, chosen, settings: Refusing(chosen, settings)  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match="no model here"):
        run("--kind", "parity", str(cases), "--json")
    assert capsys.readouterr().out == ""

"""`sleuth demo` with a model that says what it is told: the case, the index and the stand-in are real."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sleuth.cli import demo
from sleuth.cli.main import main
from sleuth.config import load
from sleuth.models.scripted import Scripted

COUNT = json.dumps(
    {
        "thought": "Parts: the contracts; the price of copper.",
        "calls": [
            {
                "part": "the contracts",
                "tool": "sql_query",
                "args": {"query": "SELECT COUNT(*) AS n FROM contracts WHERE amount > $1", "params": [400000]},
            },
            {"part": "the price", "tool": "web_search", "args": {"query": "copper price"}},
        ],
    }
)
ENOUGH = json.dumps({"thought": "That is all of it.", "finish": "answer"})
COUNTED = json.dumps({"found": True, "claims": [{"evidence": [1], "text": "There are 3 contracts."}]})
PRICED = json.dumps({"found": True, "claims": [{"evidence": [2], "text": "Copper has its price."}]})


@pytest.mark.slow
def test_the_demo_answers_over_its_own_case_and_accounts_for_every_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "open_model", lambda where: Scripted([COUNT, ENOUGH, COUNTED, PRICED]))
    into = tmp_path / "case"
    words = ["demo", "--into", str(into), "--model", "scripted", "--question", "How many, and what is copper?", "--json"]
    assert main(words) == 0
    captured = capsys.readouterr()
    told = json.loads(captured.out)
    assert [item["kind"] for item in told["evidence"]] == ["rows", "page"]
    assert list(told["times"]) == ["sample case", "index", "iteration 1", "iteration 2", "answer", "total"]
    assert told["peak_memory_bytes"] > 50_000_000
    assert "A stand-in for the web answers at http://127.0.0.1:" in captured.err
    config = load(into / "sleuth.toml")
    assert [source.name for source in config.sources()] == ["contracts", "documents"]

    (into / "sleuth.toml").write_text("# mine\n" + demo.CONFIG)
    monkeypatch.setattr(demo, "open_model", lambda where: Scripted([COUNT, ENOUGH, COUNTED, PRICED]))
    assert main([word for word in words if word != "--json"]) == 0
    shown = capsys.readouterr().out
    assert "Iteration 1" in shown and "peak memory" in shown and "total" in shown
    assert (into / "sleuth.toml").read_text().startswith("# mine"), "what a person has changed is kept"


def test_a_folder_that_cannot_be_written_is_said_to_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("in the way")
    assert main(["demo", "--into", str(tmp_path / "file")]) == 2
    assert "the sample case cannot be written to" in capsys.readouterr().err

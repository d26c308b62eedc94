from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import pytest

from sleuth.cli import index
from sleuth.errors import SourceUnavailable


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    index.add(parser.add_subparsers())
    args = parser.parse_args(["index", *words])
    return args.run(args)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("The refund is paid within 14 days.")
    (tmp_path / "docs" / "b [draft].pdf").write_bytes(b"%PDF broken")
    return tmp_path / "docs"


def test_unreadable_files_are_listed_with_why(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(folder), "--into", str(tmp_path / "index")) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "1 documents, 1 passages" in shown
    assert "b [draft].pdf" in shown and "not a whole PDF" in shown


def test_json_is_the_report_and_nothing_else(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(folder), "--into", str(tmp_path / "index"), "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["documents"], report["added"], report["unreadable"][0][0]) == (1, 1, "b [draft].pdf")


def test_the_status_is_1_when_nothing_could_be_read(folder: Path, tmp_path: Path) -> None:
    (folder / "a.txt").unlink()
    assert run(str(folder), "--into", str(tmp_path / "index")) == 1


def test_an_empty_folder_is_an_error_for_the_caller(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceUnavailable, match="it is empty"):
        run(str(tmp_path / "empty"), "--into", str(tmp_path / "index"))


_INTERRUPTED = """
import argparse, os, signal, sys
from sleuth.cli import index
from sleuth.sources.documents.embed.minilm import MiniLM

whole, calls = MiniLM.embed, []
def embed(self, texts):
    calls.append(texts)
    if len(calls) == 3:
        os.kill(os.getpid(), signal.SIGINT)
    return whole(self, texts)
MiniLM.embed = embed

parser = argparse.ArgumentParser()
index.add(parser.add_subparsers())
args = parser.parse_args(["index", *sys.argv[1:]])
sys.exit(args.run(args))
"""


def test_an_interrupt_ends_with_a_word_and_the_same_command_goes_on(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in "cdef":
        (folder / f"{name}.txt").write_text(f"The rule of {name}.")
    words = [str(folder), "--into", str(tmp_path / "index"), "--json"]
    stopped = subprocess.run([sys.executable, "-c", _INTERRUPTED, *words], capture_output=True, text=True, timeout=30)
    assert stopped.returncode == 130, stopped.stderr
    assert "Stopped." in stopped.stderr and "Traceback" not in stopped.stderr
    assert stopped.stdout == ""
    assert run(*words) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["unchanged"], report["added"]) == (2, 3)


def test_registering_the_command_loads_no_engine() -> None:
    program = (
        "import sys, sleuth.cli.index; print(sorted({'onnxruntime', 'qdrant_edge', 'numpy', 'pypdfium2'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True)
    assert shown.stdout.strip() == "[]"

"""Files and functions one can read in a sitting, in a form that a tool keeps."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
EVERYTHING = [*SOURCES, *sorted((ROOT / "tests").rglob("*.py")), *sorted((ROOT / "docs").rglob("*.py"))]

FILE_LINES = 400
FUNCTION_LINES = 60


def lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def test_no_file_is_longer_than_400_lines() -> None:
    assert {str(path.relative_to(ROOT)): lines(path) for path in EVERYTHING if lines(path) > FILE_LINES} == {}


def test_no_function_is_longer_than_60_lines() -> None:
    long: dict[str, int] = {}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > FUNCTION_LINES:
                    long[f"{path.relative_to(ROOT)}:{node.name}"] = length
    assert long == {}


def test_every_module_with_code_says_what_it_is_for() -> None:
    trees = {str(path.relative_to(ROOT)): ast.parse(path.read_text("utf-8")) for path in SOURCES}
    assert [name for name, tree in trees.items() if tree.body and not ast.get_docstring(tree)] == []


def test_each_exception_to_a_check_has_its_reason() -> None:
    """Behind the mark, or in a comment on one of the three lines above it."""
    mark = re.compile(r"#\s*(?:pyright: ignore|type: ignore|noqa)(?:\[[^\]]*\]|: [A-Z0-9, ]+)?(.*)")
    bare: list[str] = []
    for path in SOURCES:
        text = path.read_text("utf-8").splitlines()
        for number, line in enumerate(text):
            found = mark.search(line)
            above = any("# " in before and not mark.search(before) for before in text[max(0, number - 3) : number])
            if found and not re.search(r"\w{3}", found[1]) and not above:
                bare.append(f"{path.relative_to(ROOT)}:{number + 1}")
    assert bare == []


@pytest.mark.parametrize("words", [("check", "."), ("format", "--check", ".")])
def test_ruff_has_nothing_to_say(words: tuple[str, ...]) -> None:
    """Its rules hold the complexity of a function at 12 and every import at the top of its file."""
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or "ruff"
    ran = subprocess.run([ruff, *words, "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-1000:]

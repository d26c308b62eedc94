"""The pages say what is so: examples run, every command is there, every key of the configuration too."""

from __future__ import annotations

import dataclasses
import json
import re
import runpy
import sqlite3
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from sleuth import agent as agent_module
from sleuth.config import build, load
from sleuth.config.tables import Tables
from sleuth.models.scripted import Scripted

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "src"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def calls(*parts: tuple[str, str, dict[str, object]]) -> str:
    return json.dumps({"thought": "Look up each part.", "calls": [{"part": p, "tool": t, "args": a} for p, t, a in parts]})


def told(number: int, text: str) -> str:
    return json.dumps({"found": True, "claims": [{"text": text, "evidence": [number]}]})


COUNT = ("the EU orders", "sql_query", {"query": "SELECT COUNT(*) AS n FROM orders WHERE region = $1", "params": ["EU"]})
RULE = ("the returns", "vector_search", {"query": "how long are returns taken"})
ENDS = json.dumps({"thought": "That is all of it.", "finish": "answer"})
TWO = told(1, "There are 2 orders from the EU.")
ONE_PART = (calls(COUNT), ENDS, TWO)
TWO_PARTS = (calls(COUNT, RULE), ENDS, TWO, told(2, "Returns are taken within 30 days."))

PRINTED: dict[str, tuple[Sequence[str], str]] = {
    "ask.py": (
        TWO_PARTS,
        "There are 2 orders from the EU [1].\nReturns are taken within 30 days [2].\n"
        "[1] database, SELECT COUNT(*) AS n FROM orders WHERE region = $1 with $1=EU\n[2] policy.md, clause 4.1, “Time”\n",
    ),
    "stream.py": (
        ONE_PART,
        "1: Look up each part.\nsql_query: [1] n\n2\n2: That is all of it.\nThere are 2 orders from the EU [1]. (answered)\n",
    ),
    "function_tool.py": ((), 'There are 12 bolts [1].\n{"article": "bolt", "pieces": 12}\n'),
    "from_config.py": (ONE_PART, "There are 2 orders from the EU [1].\n"),
}
"""What the model says in each example, and what the example then prints."""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data that the examples speak of."""
    with sqlite3.connect(tmp_path / "shop.sqlite") as connection:
        connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, region TEXT)")
        connection.executemany("INSERT INTO orders (region) VALUES (?)", [("EU",), ("UK",), ("EU",)])
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "policy.md").write_text("# Returns\n\n## 4.1 Time\n\nReturns are taken within 30 days of delivery.\n")
    (tmp_path / "sleuth.toml").write_text('[[database]]\nurl = "shop.sqlite"\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.py")))
def test_each_example_runs_and_prints_what_it_should(
    name: str, shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outputs, printed = PRINTED[name]
    for module in (agent_module, build):
        monkeypatch.setattr(module, "open_model", lambda *args, **options: Scripted(outputs))
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    assert capsys.readouterr().out == printed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_block_of_code_in_the_pages_is_one_of_the_examples(page: Path) -> None:
    examples = {path.read_text("utf-8").strip() for path in EXAMPLES.iterdir() if path.is_file()}
    blocks = re.findall(r"```(?:python|toml)\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    assert [block for block in blocks if block.strip() not in examples] == []
    assert blocks or page.name not in ("README.md", "python.md", "configuration.md")


def test_every_key_of_the_configuration_is_on_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_API_KEY", "k")
    monkeypatch.setenv("DATABASE_URL", "sales.duckdb")
    config = load(EXAMPLES / "sleuth.toml")
    assert len(config.sources()) == 3 and config.model().name == "my-model"
    page = (ROOT / "docs" / "configuration.md").read_text("utf-8")
    tables = config.tables
    for table in (tables, tables.model, tables.limits, tables.database[0], tables.documents[0], tables.web):
        for field in dataclasses.fields(table):  # pyright: ignore[reportArgumentType]
            assert re.search(rf"\b{field.name}\b", page), field.name
    defaults = Tables().limits
    assert tables.limits == defaults, "the page shows the defaults"


def test_every_command_and_option_is_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the lines: argparse breaks them differently from one Python to the next."""
    monkeypatch.setenv("COLUMNS", "100")
    made = runpy.run_path(str(ROOT / "docs" / "make_commands.py"))["page"]()
    written = (ROOT / "docs" / "commands.md").read_text("utf-8")
    assert "".join(written.split()) == "".join(made.split()), "run: python docs/make_commands.py"


def test_the_readme_begins_with_its_two_lines() -> None:
    lines = [line.strip() for line in (ROOT / "README.md").read_text("utf-8").splitlines() if line.startswith("    ")]
    assert lines[:2] == [
        "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/sleuth demo",
        ".venv/bin/pip install -e '.[dev]' && .venv/bin/pytest",
    ]


def test_links_between_the_pages_lead_somewhere() -> None:
    for page in [*PAGES, *(ROOT / name for name in ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"))]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_dependency_is_pinned_in_the_lock() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    pinned = set(re.findall(r"^([a-z0-9-]+)(?:\[[^\]]*\])?==", (ROOT / "requirements.lock").read_text("utf-8"), re.MULTILINE))
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {re.split(r"[\[<>=!~ ]", item, maxsplit=1)[0].lower() for item in wanted}
    assert names - pinned == set(), "run: just lock"

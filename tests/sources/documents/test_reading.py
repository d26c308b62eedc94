"""Each format, from real files, and the broken ones."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import docx
import pytest
from reportlab.lib import pdfencrypt
from reportlab.pdfgen.canvas import Canvas

from sleuth.errors import UnreadableDocument
from sleuth.sources.documents.document import Document
from sleuth.sources.documents.read.formats import read

LONG = "The supplier delivers the goods to the warehouse of the buyer within ten working days of the order and bears the cost. "


def paragraphs(document: Document) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks]


def test_pdf_text_keeps_its_pages_headings_and_clauses(write_pdf: Callable[..., Path]) -> None:
    document = read(
        write_pdf("a.pdf", [["Supply agreement", "1 Scope", LONG * 3], ["8 Delivery", "8.3 Late-delivery penalty", LONG]])
    )
    assert document.pages == 2
    assert document.title == "Supply agreement"
    assert paragraphs(document)[1:3] == ["1 Scope", (LONG * 3).strip()]
    last = document.blocks[-1]
    assert (last.page, last.clause, last.headings[-1].text) == (2, "8.3", "Late-delivery penalty")


def test_pdf_headers_and_footers_that_repeat_are_dropped(write_pdf: Callable[..., Path]) -> None:
    document = read(write_pdf("a.pdf", [["Supply agreement", LONG], ["More", LONG], ["The end", LONG]]))
    assert "confidential" not in document.text
    assert "Page" not in document.text


def test_a_pdf_paragraph_cut_by_the_end_of_a_page_is_one_again(write_pdf: Callable[..., Path]) -> None:
    document = read(write_pdf("a.pdf", [["Title", "The penalty is due for each"], ["full week of delay and no more."]]))
    assert "The penalty is due for each full week of delay and no more." in document.text
    assert document.blocks[-1].page == 1


def test_rows_of_a_pdf_table_stay_apart(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "t.pdf"))
    canvas.drawString(
        72, 720, "The prices of this agreement are those of the table below, in euros and without tax, as of January."
    )
    for row, (item, price) in enumerate([("Paper", "12.50"), ("Ink", "40.00")]):
        canvas.drawString(72, 690 - 14 * row, item)
        canvas.drawString(150, 690 - 14 * row, price)
    canvas.save()
    lines = read(tmp_path / "t.pdf").text.splitlines()
    assert [line.split() for line in lines if line[:3] in ("Pap", "Ink")] == [["Paper", "12.50"], ["Ink", "40.00"]]


def test_the_title_a_pdf_carries_is_taken(write_pdf: Callable[..., Path]) -> None:
    assert read(write_pdf("a.pdf", [["Heading", LONG]], title="Framework contract")).title == "Framework contract"


def test_many_threads_may_read_at_once(write_pdf: Callable[..., Path]) -> None:
    paths = [
        write_pdf(f"{number}.pdf", [[f"Agreement {number}", *[LONG] * 20], ["Annex A", LONG], ["Annex B", LONG]])
        for number in range(4)
    ]
    with ThreadPoolExecutor(4) as pool:
        assert [document.title for document in pool.map(read, paths * 3)] == [f"Agreement {number}" for number in range(4)] * 3


def test_a_pdf_without_text_is_said_to_be_scanned(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "scan.pdf"))
    for _ in range(2):
        canvas.rect(72, 72, 300, 300, fill=1)
        canvas.showPage()
    canvas.save()
    with pytest.raises(UnreadableDocument, match="no text in 2 pages: a scanned document") as error:
        read(tmp_path / "scan.pdf")
    assert error.value.hint and "OCR" in error.value.hint


def test_an_encrypted_pdf_is_said_to_be_encrypted(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "locked.pdf"), encrypt=pdfencrypt.StandardEncryption("user", "owner", strength=128))
    canvas.drawString(72, 720, "secret")
    canvas.save()
    with pytest.raises(UnreadableDocument, match="encrypted"):
        read(tmp_path / "locked.pdf")


@pytest.mark.parametrize("suffix", [".pdf", ".docx"])
def test_broken_bytes_are_an_unreadable_document(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"broken{suffix}").write_bytes(b"%PDF-1.7\nnot really PK\x03\x04" + bytes(range(256)))
    with pytest.raises(UnreadableDocument, match="not a whole"):
        read(tmp_path / f"broken{suffix}")


def test_word_headings_tables_and_title_are_read(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("Returns policy", 0)
    document.add_heading("2. Refunds", 1)
    document.add_paragraph("Refunds are paid within 14 days.")
    table = document.add_table(2, 2)
    for cell, text in zip([*table.rows[0].cells, *table.rows[1].cells], ["Reason", "Who pays", "Defect", "We do"], strict=True):
        cell.text = text
    document.save(str(tmp_path / "returns.docx"))
    found = read(tmp_path / "returns.docx")
    assert found.title == "Returns policy"
    assert paragraphs(found)[-1] == "Reason | Who pays\nDefect | We do"
    assert [str(heading) for heading in found.blocks[2].headings] == ["Returns policy", "2 Refunds"]
    assert found.blocks[2].clause == "2"


def test_html_is_read_without_its_furniture(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        "<html><head><title> Travel\n expenses </title><style>p{}</style></head><body><nav>Home</nav><h1>Travel</h1>"
        "<h2>Limits</h2><p>A hotel costs <b>at most</b> 150&nbsp;€.<p>Unclosed &amp; fine<ul><li>Meals: 45 €</ul>"
        "<table><tr><td>Car<td>0.30</table><script>x()</script><footer>© 2025</footer></body></html>",
        "utf-8",
    )
    found = read(tmp_path / "page.html")
    assert found.title == "Travel expenses"
    assert paragraphs(found) == [
        "Travel",
        "Limits",
        "A hotel costs at most 150 €.",
        "Unclosed & fine",
        "Meals: 45 €",
        "Car | 0.30",
    ]
    assert [str(heading) for heading in found.blocks[-1].headings] == ["Travel", "Limits"]


def test_html_in_a_declared_encoding_is_decoded_with_it(tmp_path: Path) -> None:
    (tmp_path / "page.htm").write_bytes("<meta charset='iso-8859-2'><p>Łódź</p>".encode("iso-8859-2"))
    assert read(tmp_path / "page.htm").text == "Łódź"


def test_markdown_headings_are_read_and_code_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "---\nowner: x\n---\n# Onboarding\n\nSetext\n------\nA **bold** word.\n\n```\n# no heading\n```\n\n"
        "### 2.1 Approval ###\nDone.\n"
    )
    found = read(tmp_path / "a.md")
    assert found.title == "Onboarding"
    assert paragraphs(found) == ["Onboarding", "Setext", "A bold word.", "```\n# no heading\n```", "2.1 Approval", "Done."]
    assert [str(heading) for heading in found.blocks[-1].headings] == ["Onboarding", "Setext", "2.1 Approval"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Límite: 150 €".encode(), "Límite: 150 €"),
        (codecs.BOM_UTF8 + "Límite".encode(), "Límite"),
        ("Límite".encode("utf-16"), "Límite"),
        ("Límite de gastos".encode("utf-16-be"), "Límite de gastos"),
        ("Límite de gastos".encode("utf-16-le"), "Límite de gastos"),
        ("Límite: 150 €".encode("cp1252"), "Límite: 150 €"),
        (b"one\r\ntwo\rthree", "one\ntwo\nthree"),
    ],
    ids=["utf-8", "utf-8 with mark", "utf-16 with mark", "utf-16-be", "utf-16-le", "windows-1252", "line ends"],
)
def test_plain_text_is_decoded_from_what_people_write(tmp_path: Path, content: bytes, expected: str) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    assert read(tmp_path / "a.txt").text == expected


def test_a_numbered_heading_above_its_text_is_found_in_plain_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("AGREEMENT\n\n1. Scope\nThe goods.\n\n1.1 Delay\nA penalty is due.\n")
    found = read(tmp_path / "a.txt")
    assert [(block.clause, block.is_heading) for block in found.blocks] == [
        (None, False), ("1", True), ("1", False), ("1.1", True), ("1.1", False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.txt", b"\x00\x01\x02\x00\x00\x00" * 40, "zero bytes"),
        ("a.txt", b" \n\n ", "no text"),
        ("a.html", b"<html><script>x</script></html>", "no text"),
        ("a.md", b"", "no text"),
        ("a.xlsx", b"PK", "no reader"),
    ],
)
def test_a_file_that_gives_no_text_says_why(tmp_path: Path, name: str, content: bytes, why: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadableDocument, match=why):
        read(tmp_path / name)


def test_an_empty_word_document_has_no_text(tmp_path: Path) -> None:
    docx.Document().save(str(tmp_path / "a.docx"))
    with pytest.raises(UnreadableDocument, match="no text"):
        read(tmp_path / "a.docx")


def test_a_file_that_went_away_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocument, match="No such file"):
        read(tmp_path / "gone.txt")

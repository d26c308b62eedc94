"""The documents of the sample case that are not plain text: contracts as PDF, the returns policy as DOCX. Byte-stable."""

from __future__ import annotations

import io
import random
import zipfile
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import docx
from clauses import WORDINGS, Wording
from reportlab.lib.enums import TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageBreak, PageTemplate, Paragraph, Spacer, Table

if TYPE_CHECKING:
    from make import Contract

FIXED = datetime(2026, 11, 2, 9, 0, 0)

TITLE = ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=20, leading=26, spaceAfter=10)
ARTICLE = ParagraphStyle("article", fontName="Helvetica-Bold", fontSize=13, leading=17, spaceBefore=14, spaceAfter=4)
CLAUSE = ParagraphStyle("clause", fontName="Helvetica-Bold", fontSize=10.5, leading=14, spaceBefore=8, spaceAfter=2)
BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=10.5, leading=15, alignment=TA_JUSTIFY)


def write_contract(path: Path, contract: Contract, rng: random.Random) -> None:
    wording = WORDINGS[contract.language]
    values = {
        "id": contract.id,
        "provider": contract.provider,
        "country": contract.country,
        "category": contract.category,
        "amount": money(contract.amount, contract.language),
        "starts": contract.starts_on.isoformat(),
        "ends": contract.ends_on.isoformat(),
        "people": rng.choice(("two", "three", "four", "five")),
        "notice": str(rng.choice((30, 60, 90))),
        "payment": str(rng.choice((30, 45, 60))),
        "warranty": str(rng.choice((12, 24, 36))),
        "check": str(rng.choice((5, 10, 15))),
        "cpi_cap": rng.choice(("2", "3", "4", "5")),
        "penalty": rng.choice(("0.5", "1", "1.5")),
        "penalty_cap": rng.choice(("5", "10", "15")),
    }
    if contract.language != "en":
        values |= {key: values[key].replace(".", ",") for key in ("penalty",)}
    flow: list[object] = [Paragraph(wording.title.format(**values), TITLE), *title_page(contract, wording, values), PageBreak()]
    for number, heading, text in articles(contract, wording):
        flow.append(Paragraph(f"{number} {heading}", CLAUSE if "." in number else ARTICLE))
        if text:
            flow.append(Paragraph(text.format(**values), BODY))
    path.parent.mkdir(parents=True, exist_ok=True)
    build_pdf(path, flow, f"{contract.id} · Meridian Retail Group", wording.page, wording.title.format(**values))


def articles(contract: Contract, wording: Wording) -> list[tuple[str, str, str]]:
    """The articles in order, with the special conditions that this contract agrees."""
    listed = list(wording.articles)
    listed.append(wording.cpi if contract.cpi else wording.fixed_price)
    if contract.penalty:
        listed.append(wording.penalty)
    for place, kind in enumerate(contract.rare, 1):
        heading, text = wording.rare[kind]
        listed += [("9", "Other special conditions", "")] if place == 1 else []
        listed.append((f"9.{place}", heading, text))
    return sorted(listed, key=lambda item: [int(part) for part in item[0].split(".")])


def title_page(contract: Contract, wording: Wording, values: dict[str, str]) -> list[object]:
    labels = wording.labels
    special = [labels["cpi"]] if contract.cpi else []
    special += [labels["penalty"]] if contract.penalty else []
    special += [f"{wording.rare[kind][0]} (9.{place})" for place, kind in enumerate(contract.rare, 1)]
    rows = [
        (labels["provider"], f"{contract.provider}, {contract.country}"),
        (labels["region"], contract.region),
        (labels["category"], contract.category),
        (labels["amount"], values["amount"]),
        (labels["signed"], contract.signed_on.isoformat()),
        (labels["term"], f"{values['starts']} – {values['ends']}"),
        (labels["special"], "; ".join(special) or labels["none"]),
    ]
    cells = [[Paragraph(f"{left}:", CLAUSE), Paragraph(right, BODY)] for left, right in rows]
    return [
        Paragraph(f"{labels['between']} {contract.provider}", BODY),
        Spacer(1, 14 * mm),
        Table(cells, colWidths=[52 * mm, 108 * mm], hAlign="LEFT"),
    ]


def money(amount: Decimal, language: str) -> str:
    text = f"{amount:,.2f}"
    return f"{text} EUR" if language == "en" else f"{text.translate(str.maketrans(',.', '.,'))} EUR"


def build_pdf(path: Path, flow: list[object], header: str, page_label: str, title: str) -> None:
    def decorate(canvas: Canvas, document: BaseDocTemplate) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(25 * mm, A4[1] - 14 * mm, header)
        canvas.drawRightString(A4[0] - 25 * mm, 12 * mm, page_label.format(page=document.page))

    # `invariant` takes the clock and the random document id out of the file.
    document = BaseDocTemplate(str(path), pagesize=A4, title=title, author="Meridian Retail Group", invariant=1)
    frame = Frame(25 * mm, 22 * mm, A4[0] - 50 * mm, A4[1] - 46 * mm)
    document.addPageTemplates([PageTemplate(frames=[frame], onPage=decorate)])
    document.build(flow)


def write_returns_policy(path: Path) -> None:
    document = docx.Document()
    document.add_heading("Returns policy", 0)
    document.add_paragraph(
        "In force since 1 March 2026. It applies to orders of all customers in the European Union and the United Kingdom."
    )
    sections = (
        (
            "1 Time to return",
            ["Goods may be returned within 30 days of delivery. For goods made to measure there is no right of return."],
        ),
        (
            "2 Condition of the goods",
            [
                "Goods must be unused and in their original packaging. A customer who has assembled furniture may return it only if it is defective.",
                "Damaged goods: report the damage within 5 days of delivery with a photograph. We collect damaged goods at our own cost and replace "
                "them or refund the full price, whichever the customer prefers.",
            ],
        ),
        (
            "3 Refund",
            [
                "The refund is paid within 14 days of the arrival of the goods, by the means of payment of the order. The cost of the original "
                "delivery is refunded; express surcharges are not.",
            ],
        ),
        (
            "4 Cost of the return",
            ["The customer pays the return of goods that are not defective: a flat 12 EUR for parcels and 49 EUR for furniture."],
        ),
    )
    for heading, paragraphs in sections:
        document.add_heading(heading, 1)
        for paragraph in paragraphs:
            document.add_paragraph(paragraph)
    properties = document.core_properties
    properties.author, properties.title = "Customer service", "Returns policy"
    properties.created = properties.modified = FIXED
    buffer = io.BytesIO()
    document.save(buffer)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(restamped(buffer.getvalue()))


def restamped(archive: bytes) -> bytes:
    """The same archive with one time stamp for all its members."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(zipfile.ZipInfo(name, FIXED.timetuple()[:6]), source.read(name), zipfile.ZIP_DEFLATED)
    return out.getvalue()

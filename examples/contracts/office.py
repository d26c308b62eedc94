"""The documents of the sample case that are not plain text: contracts as PDF, the returns policy as DOCX. Byte-stable."""

from __future__ import annotations

import io
import random
import zipfile
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import docx
from english import ENGLISH
from german import GERMAN
from reportlab.lib.colors import grey
from reportlab.lib.enums import TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageBreak, PageTemplate, Paragraph, Spacer, Table
from spanish import SPANISH
from wording import Clause, Wording

if TYPE_CHECKING:
    from make import Contract

WORDINGS = {"en": ENGLISH, "es": SPANISH, "de": GERMAN}

FIXED = datetime(2026, 11, 2, 9, 0, 0)

TITLE = ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=20, leading=26, spaceAfter=10)
ARTICLE = ParagraphStyle(
    "article", fontName="Helvetica-Bold", fontSize=13, leading=17, spaceBefore=14, spaceAfter=4, keepWithNext=1
)
CLAUSE = ParagraphStyle(
    "clause", fontName="Helvetica-Bold", fontSize=10.5, leading=14, spaceBefore=8, spaceAfter=2, keepWithNext=1
)
BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=10.5, leading=15, alignment=TA_JUSTIFY)


def write_contract(path: Path, contract: Contract, rng: random.Random) -> None:
    wording = WORDINGS[contract.language]
    values = terms(contract, wording, rng)
    title = wording.title.format(**values)
    flow: list[object] = [Paragraph(title, TITLE), *title_page(contract, wording, values), PageBreak()]
    for number, heading, text in articles(contract, wording, rng):
        flow.append(Paragraph(f"{number} {heading}", CLAUSE if "." in number else ARTICLE))
        if text:
            flow.append(Paragraph(text.format(**values), BODY))
    flow += [*signatures(contract, wording, values), *annexes(contract, wording, rng)]
    path.parent.mkdir(parents=True, exist_ok=True)
    build_pdf(path, flow, f"{contract.id} · Meridian Retail Group", wording.page, title)


def terms(contract: Contract, wording: Wording, rng: random.Random) -> dict[str, str]:
    """What the placeholders of the wording stand for in this contract."""
    return {
        "id": contract.id,
        "provider": contract.provider,
        "country": wording.countries.get(contract.country, contract.country),
        "category": wording.categories.get(contract.category, contract.category),
        "scope": wording.scope[contract.category],
        "amount": money(contract.amount, contract.language),
        "signed": contract.signed_on.isoformat(),
        "starts": contract.starts_on.isoformat(),
        "ends": contract.ends_on.isoformat(),
        "people": rng.choice(wording.numerals),
        "notice": str(rng.choice((30, 60, 90))),
        "payment": str(rng.choice((30, 45, 60))),
        "warranty": str(rng.choice((12, 24, 36))),
        "check": str(rng.choice((5, 10, 15))),
        "insurance": local(f"{rng.choice((1, 2, 3, 5)) * 1_000_000:,}", contract.language),
        "cpi_cap": rng.choice(("2", "3", "4", "5")),
        "penalty": local(rng.choice(("0.5", "1", "1.5")), contract.language),
        "penalty_cap": rng.choice(("5", "10", "15")),
    }


def articles(contract: Contract, wording: Wording, rng: random.Random) -> list[Clause]:
    """The articles in order, with the special conditions that this contract agrees."""
    listed = [
        (number, heading, rng.choice((text, *wording.variants.get(number, ())))) for number, heading, text in wording.articles
    ]
    listed.append(_agreed(wording.cpi, wording) if contract.cpi else wording.fixed_price)
    if contract.penalty:
        listed.append(_agreed(wording.penalty, wording))
    if contract.rare:
        listed.append(("11", wording.further, ""))
    for place, kind in enumerate(contract.rare, 1):
        listed.append(_agreed((f"11.{place}", *wording.rare[kind]), wording))
    return sorted(listed, key=lambda item: [int(part) for part in item[0].split(".")])


def _agreed(clause: Clause, wording: Wording) -> Clause:
    """A special condition says that it is one."""
    number, heading, text = clause
    return number, heading, f"{wording.agreed}. {text}"


def title_page(contract: Contract, wording: Wording, values: dict[str, str]) -> list[object]:
    labels = wording.labels
    special = [labels["cpi"]] if contract.cpi else []
    special += [labels["penalty"]] if contract.penalty else []
    special += [f"{wording.rare[kind][0]} (11.{place})" for place, kind in enumerate(contract.rare, 1)]
    rows = [
        (labels["provider"], f"{contract.provider}, {values['country']}"),
        (labels["region"], contract.region),
        (labels["category"], values["category"]),
        (labels["amount"], values["amount"]),
        (labels["signed"], values["signed"]),
        (labels["term"], f"{values['starts']} – {values['ends']}"),
        (labels["special"], "; ".join(special) or labels["none"]),
    ]
    cells = [[Paragraph(f"{left}:", CLAUSE), Paragraph(right, BODY)] for left, right in rows]
    return [
        Paragraph(f"{labels['between']} {contract.provider}", BODY),
        Spacer(1, 14 * mm),
        Table(cells, colWidths=[52 * mm, 108 * mm], hAlign="LEFT", style=[("VALIGN", (0, 0), (-1, -1), "TOP")]),
    ]


def signatures(contract: Contract, wording: Wording, values: dict[str, str]) -> list[object]:
    parties = [
        Paragraph(wording.labels["signs"].format(party=party), BODY) for party in ("Meridian Retail Group", contract.provider)
    ]
    return [
        Spacer(1, 8 * mm),
        Paragraph(wording.labels["signatures"].format(**values), BODY),
        Spacer(1, 4 * mm),
        Table([parties], colWidths=[80 * mm, 80 * mm], hAlign="LEFT"),
    ]


def annexes(contract: Contract, wording: Wording, rng: random.Random) -> list[object]:
    """Annex A spreads the deliverables over the term; the lines of Annex B add up to the contract amount."""
    labels, lines = wording.labels, wording.deliverables[contract.category]
    days = (contract.ends_on - contract.starts_on).days
    due = [contract.starts_on + timedelta(days=days * place // (len(lines) + 1)) for place in range(1, len(lines) + 1)]
    first, last = (Decimal(rng.randint(8, 24)) / 100 for _ in range(2))
    parts = [(contract.amount * share).quantize(Decimal("0.01")) for share in (first, last)]
    prices = [parts[0], contract.amount - sum(parts), parts[1]]
    return [
        Spacer(1, 10 * mm),
        Paragraph(labels["annex_a"], ARTICLE),
        listing((labels["deliverable"], labels["due"]), [(line, day.isoformat()) for line, day in zip(lines, due, strict=True)]),
        Paragraph(labels["annex_b"], ARTICLE),
        listing(
            (labels["position"], labels["price"]),
            [
                *((line, money(price, contract.language)) for line, price in zip(wording.prices, prices, strict=True)),
                (labels["total"], money(contract.amount, contract.language)),
            ],
        ),
    ]


def listing(head: tuple[str, str], rows: list[tuple[str, str]]) -> Table:
    cells = [[Paragraph(left, CLAUSE), Paragraph(right, CLAUSE)] for left, right in (head,)]
    cells += [[Paragraph(left, BODY), Paragraph(right, BODY)] for left, right in rows]
    return Table(cells, colWidths=[115 * mm, 45 * mm], hAlign="LEFT", style=[("LINEBELOW", (0, 0), (-1, -1), 0.25, grey)])


def local(number: str, language: str) -> str:
    """1,234.5 as the language writes it."""
    return number if language == "en" else number.translate(str.maketrans(",.", ".,"))


def money(amount: Decimal, language: str) -> str:
    return f"{local(f'{amount:,.2f}', language)} EUR"


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

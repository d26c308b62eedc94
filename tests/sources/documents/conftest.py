"""Real files, written by the libraries people write them with, and the real embedding model."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate

from sleuth.sources.documents.embed.minilm import MiniLM

Pages = Sequence[Sequence[str]]
"""For each page its paragraphs; one that begins with a number and is short is set as a heading."""


@pytest.fixture(scope="session")
def minilm() -> MiniLM:
    return MiniLM()


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction] - pytest uses it
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def build_pdf(path: Path, pages: Pages, header: str = "Meridian Retail S.A. | confidential", **options: object) -> Path:
    """A PDF with the given paragraphs on each page, and a header and a footer that repeat."""
    path.parent.mkdir(parents=True, exist_ok=True)
    styles = getSampleStyleSheet()
    story = []
    for page in pages:
        for text in page:
            is_heading = text[0].isdigit() and len(text) < 60 and not text.endswith(".")
            story.append(Paragraph(text, styles["Heading2" if is_heading else "BodyText"]))
        story.append(PageBreak())

    def furniture(canvas: Canvas, document: SimpleDocTemplate) -> None:
        canvas.drawString(72, A4[1] - 40, header)
        canvas.drawString(72, 30, f"Page {document.page} of {len(pages)}")

    SimpleDocTemplate(str(path), pagesize=A4, **options).build(story, onFirstPage=furniture, onLaterPages=furniture)
    return path


@pytest.fixture
def write_pdf(tmp_path: Path) -> Callable[..., Path]:
    return lambda name, pages, **options: build_pdf(tmp_path / name, pages, **options)


PENALTY = (
    "If the Goods arrive later than agreed, {name} pays {rate} % of the value of the delayed Goods for each full week of delay, "
    "up to 10 % of the value of the order. The Buyer may deduct the penalty from the invoice."
)
REVISION = (
    "Every January the prices follow the harmonised index of consumer prices published for the preceding November, at most by "
    "{rate} % in either direction. Both parties confirm the new prices in writing."
)


@pytest.fixture(scope="session")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six contracts (a penalty in all, a price revision in the first four), a policy and a procedure; not to be written to."""
    case = tmp_path_factory.mktemp("case")
    names = ("Acme Logistik GmbH", "Iberia Suministros", "Nordic Steel", "Lyon Textiles", "Porto Papel", "Galway Glass")
    for number, name in enumerate(names, 1):
        first = [f"Supply agreement C-2025-{number:03d}", f"between Meridian Retail and {name}", "1 Scope"]
        first.append(f"{name} delivers the goods listed in Annex A in the quantities that the Buyer orders from time to time.")
        second = ["8 Delivery", "8.3 Late-delivery penalty", PENALTY.format(name=name, rate=f"0.{number}")]
        if number <= 4:
            second += ["9 Prices", "9.1 Price revision", REVISION.format(rate=number + 1)]
        build_pdf(case / "contracts" / f"C-2025-{number:03d}.pdf", [first, second])
    (case / "contracts" / "prices.xlsx").write_bytes(b"PK")
    (case / "gastos.md").write_text("# Gastos de viaje\n\n## Límites\n\nEl hotel cuesta como máximo 150 € por noche.\n", "utf-8")
    (case / "returns.html").write_text("<h1>Returns policy</h1><h2>Refunds</h2><p>Money back within 14 days.</p>")
    return case


@pytest.fixture
def contracts(case: Path, tmp_path: Path) -> Path:
    """The six contracts and a file of another kind, to be changed at will."""
    return shutil.copytree(case / "contracts", tmp_path / "contracts")

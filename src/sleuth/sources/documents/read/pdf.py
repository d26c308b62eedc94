"""PDF: text page by page, headers and footers dropped, lines joined into the paragraphs they were broken from."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import cast

import pypdfium2 as pdfium

from sleuth.errors import UnreadableDocument
from sleuth.sources.documents.document import Document, Piece, build, carries_number, like_numbered_heading

_EDGE = 3
"""Lines at the top and at the bottom of a page that may be a header or a footer."""
_BROKEN_WORD = re.compile("[\ufffe\x02\u00ad]\n?")
"""How PDFium marks a word that was hyphenated at the end of a line."""
_BULLET = re.compile(r"[•‣▪●○–—·*-]\s|\(?[a-z]\)\s|\([ivx]+\)\s")
_NO_TITLE = re.compile(r"(untitled|\(?anonymous\)?|microsoft word - .*|.*\.(docx?|pdf|indd|tex))?", re.IGNORECASE)
_ONE_AT_A_TIME = threading.Lock()
"""PDFium may be used by one thread at a time, also for different files."""


@dataclass(frozen=True, slots=True)
class _Line:
    """`left` and `right` are x, `top` and `bottom` are y in points, y upwards from the page's foot."""

    text: str
    left: float
    right: float
    top: float
    bottom: float


def read(path: Path) -> Document:
    with _ONE_AT_A_TIME:
        pages, named = _read(path)
    if not any(pages):
        raise UnreadableDocument(
            f"no text in {len(pages)} pages: a scanned document", hint="run it through OCR first (ocrmypdf in.pdf out.pdf)"
        )
    bodies = _without_furniture(pages)
    title = next(line.text for page in (*bodies, *pages) for line in page) if _NO_TITLE.fullmatch(named) else named
    pieces = [piece for number, page in enumerate(bodies, 1) for piece in _pieces(page, number)]
    return build(title if len(title) <= 160 else path.stem, _joined_over_pages(pieces), pages=len(pages))


def _read(path: Path) -> tuple[list[list[_Line]], str]:
    """The lines of each page, and the title the file carries ("" for none)."""
    try:
        pdf = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        if "password" in str(error).lower():
            raise UnreadableDocument("the PDF is encrypted", hint="save a copy without a password") from None
        raise UnreadableDocument("not a whole PDF: its structure cannot be read", hint="print it to a new PDF") from None
    try:
        return [_lines(pdf[number]) for number in range(len(pdf))], pdf.get_metadata_dict().get("Title", "").strip()
    finally:
        pdf.close()


def _lines(page: pdfium.PdfPage) -> list[_Line]:
    text_page = page.get_textpage()
    try:
        text = text_page.get_text_range()
        count = text_page.count_chars()
        lines: list[_Line] = []
        start = 0
        for raw in text.splitlines(keepends=True):
            line = raw.strip("\r\n")
            first = start + len(line) - len(line.lstrip())
            last = start + len(line.rstrip()) - 1
            start += len(raw)
            # One character of the text is one of PDFium's, but for rare ligatures and surrogates; a box is a hint, not a truth.
            if line.strip() and last < count:
                left, bottom, _, top = _box(text_page, first)
                _, _, right, _ = _box(text_page, last)
                lines.append(_Line(line.strip(), left, right, top, bottom))
            elif line.strip():
                lines.append(_Line(line.strip(), 0, 0, 0, 0))
        return lines
    finally:
        text_page.close()
        page.close()


def _box(text_page: pdfium.PdfTextPage, number: int) -> tuple[float, float, float, float]:
    """Left, bottom, right, top of a character."""
    box = text_page.get_charbox(number)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - untyped there
    return cast("tuple[float, float, float, float]", box)


def _without_furniture(pages: Sequence[list[_Line]]) -> list[list[_Line]]:
    """Pages without the lines that stand at the edge of most of them, whatever numbers are in them."""
    written = [page for page in pages if page]
    if len(written) < 2:
        return list(pages)
    seen = Counter(key for page in written for key in {_masked(line) for line in page[:_EDGE] + page[-_EDGE:]})
    repeated = {key for key, times in seen.items() if times >= 2 and times > len(written) / 2}

    def body(page: list[_Line]) -> list[_Line]:
        start, end = 0, len(page)
        while start < min(_EDGE, end) and _masked(page[start]) in repeated:
            start += 1
        while end > max(len(page) - _EDGE, start) and _masked(page[end - 1]) in repeated:
            end -= 1
        return page[start:end]

    return [body(page) for page in pages]


def _masked(line: _Line) -> str:
    return re.sub(r"\d+", "#", line.text).casefold()


def _pieces(lines: Sequence[_Line], page: int) -> list[Piece]:
    """Paragraphs: cut where the distance between lines grows, before a numbered line, and after a short numbered line.

    A line that ends well before the right margin ends what it says (a row of a table, an address): a newline follows it, else
    a space.
    """
    if not lines:
        return []
    pitches = sorted(above.bottom - below.bottom for above, below in pairwise(lines) if above.bottom > below.bottom)
    pitch = pitches[len(pitches) // 4] if pitches else 0.0
    margin = max(line.right for line in lines)
    width = margin - min(line.left for line in lines)
    paragraphs: list[str] = []
    above: _Line | None = None
    for line in lines:
        if above is None or _begins(above, line, pitch, short=above.right < margin - 0.15 * width):
            paragraphs.append(line.text)
        else:
            ends_early = above.right < margin - 0.2 * width
            paragraphs[-1] += ("\n" if ends_early else " ") + line.text
        above = line
    return [Piece(_BROKEN_WORD.sub("", text).replace("\0", ""), page) for text in paragraphs]


def _begins(above: _Line, line: _Line, pitch: float, *, short: bool) -> bool:
    if carries_number(line.text) or _BULLET.match(line.text):
        # A number at the start of a line may have been broken there: "within / 30 days of the invoice".
        return short or above.text[-1] in ".;:" or line.top > above.top
    if short and like_numbered_heading(above.text):
        return True
    gap = above.bottom - line.bottom
    return gap < 0 or (pitch > 0 and gap > 1.45 * pitch)


def _joined_over_pages(pieces: Sequence[Piece]) -> list[Piece]:
    """A paragraph that a page's end cut in mid-sentence is one again; it stands on the page it began on."""
    joined: list[Piece] = []
    for piece in pieces:
        before = joined[-1] if joined else None
        if before and before.page != piece.page and piece.text[0].islower() and before.text[-1] not in ".;:!?":
            joined[-1] = Piece(f"{before.text} {piece.text}", before.page)
        else:
            joined.append(piece)
    return joined

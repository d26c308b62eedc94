"""Word documents: paragraphs with their heading styles, tables row by row."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import docx
from docx.opc.exceptions import OpcError
from docx.table import Table
from docx.text.paragraph import Paragraph

from sleuth.errors import UnreadableDocument
from sleuth.sources.documents.document import Document, Piece, build

_HEADING_STYLE = re.compile(r"heading (\d)", re.IGNORECASE)
"""python-docx names the built-in styles in English, whatever language Word was set to."""


def read(path: Path) -> Document:
    try:
        document = docx.Document(str(path))
        pieces = [_table(item) if isinstance(item, Table) else _paragraph(item) for item in document.iter_inner_content()]
        title = document.core_properties.title
    except (OpcError, zipfile.BadZipFile, KeyError, ValueError):
        raise UnreadableDocument("not a whole Word document", hint="open it in Word and save it again") from None
    if not any(piece.text.strip() for piece in pieces):
        raise UnreadableDocument("no text in this Word document")
    return build(title or next((piece.text for piece in pieces if piece.level), path.stem), pieces)


def _paragraph(paragraph: Paragraph) -> Piece:
    style = (paragraph.style.name if paragraph.style else None) or ""
    found = _HEADING_STYLE.match(style)
    return Piece(paragraph.text, level=int(found[1]) + 1 if found else int(style == "Title"))


def _table(table: Table) -> Piece:
    """One line a row; a cell merged over several columns once."""
    rows = (dict.fromkeys(cell.text.strip() for cell in row.cells) for row in table.rows)
    return Piece("\n".join(" | ".join(row) for row in rows))

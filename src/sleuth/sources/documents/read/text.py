"""Plain text, and bytes into text for all formats that are text."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from sleuth.errors import UnreadableDocument
from sleuth.sources.documents.document import Document, Piece, build, like_numbered_heading

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins like UTF-16's mark, so it is asked first
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PARAGRAPH = re.compile(r"\n[ \t]*\n+")


def read(path: Path) -> Document:
    text = decoded(path.read_bytes())
    pieces: list[Piece] = []
    for paragraph in _PARAGRAPH.split(text):
        pieces += _pieces(paragraph)
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return build(first if 0 < len(first) <= 100 else path.stem, pieces)


def _pieces(paragraph: str) -> list[Piece]:
    """A first line that carries a number stands alone, so that a heading directly above its text is seen as one."""
    first, _, rest = paragraph.strip().partition("\n")
    return [Piece(first), Piece(rest)] if rest and like_numbered_heading(first.strip()) else [Piece(paragraph)]


def decoded(content: bytes) -> str:
    """By byte order mark, else UTF-8, else UTF-16 where every other byte is zero, else Windows-1252; each line end one newline.

    Raises UnreadableDocument for bytes that are no text.
    """
    return _decode(content).replace("\r\n", "\n").replace("\r", "\n")


def _decode(content: bytes) -> str:
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content.decode(encoding, errors="replace")
    head = content[:4_096]
    if b"\0" in head:
        even, odd = head[::2].count(0), head[1::2].count(0)
        if max(even, odd) > 0.4 * len(head) / 2 and min(even, odd) == 0:
            return content.decode("utf-16-be" if even else "utf-16-le", errors="replace")
        raise UnreadableDocument("not a text: it holds zero bytes", hint="give it the ending of its real format")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")

"""HTML: headings, paragraphs, list items and table rows; what is furniture of the page is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, cast

from lxml import etree, html  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType] - compiled, without stubs: see _Node

from sleuth.errors import UnreadableDocument
from sleuth.sources.documents.document import Document, Piece, build
from sleuth.sources.documents.read.text import decoded

_SKIPPED = {"script", "style", "template", "noscript", "nav", "footer", "aside", "form", "button", "svg", "head", "iframe"}
_INLINE = re.compile(
    "a|abbr|b|bdi|bdo|cite|code|data|dfn|em|font|i|img|ins|kbd|label|mark|q|s|samp|small|span|strong|sub|sup|td|th|time|tt|u|var|wbr"
)
_DECLARED = re.compile(rb"<meta[^>]+charset=[\"']?\s*([A-Za-z0-9_-]+)", re.IGNORECASE)
_SPACE = re.compile(r"\s+")


class _Node(Protocol):
    """What is used of lxml's elements; `tag` is a function for comments and processing instructions."""

    tag: object
    text: str | None
    tail: str | None

    def __iter__(self) -> Iterator[_Node]: ...
    def findtext(self, path: str) -> str | None: ...


def read(path: Path) -> Document:
    root = _parsed(path.read_bytes())
    pieces = [piece for piece in _Reader().read(root) if piece.text]
    if not pieces:
        raise UnreadableDocument("no text in this HTML page")
    title = _SPACE.sub(" ", root.findtext(".//title") or "").strip()
    return build(title or next((piece.text for piece in pieces if piece.level), path.stem), pieces)


def _parsed(content: bytes) -> _Node:
    declared = _DECLARED.search(content[:4_096])
    try:
        text = content.decode(declared[1].decode("ascii")) if declared else decoded(content)
    except (LookupError, UnicodeDecodeError):
        text = decoded(content)
    try:
        # As bytes: lxml refuses text with an XML encoding declaration in it.
        parser = html.HTMLParser(encoding="utf-8")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        return cast("_Node", html.document_fromstring(text.encode("utf-8", "replace"), parser=parser))  # pyright: ignore[reportUnknownMemberType]
    except (etree.ParserError, etree.XMLSyntaxError) as error:  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        raise UnreadableDocument(f"not an HTML page: {error}") from None


class _Reader:
    """Gathers running text and cuts it into a piece at each block element."""

    def __init__(self) -> None:
        self._pieces: list[Piece] = []
        self._running: list[str] = []

    def read(self, root: _Node) -> list[Piece]:
        self._visit(root)
        self._cut()
        return self._pieces

    def _visit(self, node: _Node) -> None:
        tag = node.tag
        if not isinstance(tag, str) or tag in _SKIPPED:
            return
        block = not _INLINE.fullmatch(tag)
        level = int(tag[1]) if re.fullmatch("h[1-6]", tag) else 0
        if block:
            self._cut()
        self._running.append(node.text or "")
        for child in node:
            self._visit(child)
            self._running.append(child.tail or "")
        if tag in ("td", "th"):
            self._running.append(" | ")
        if block:
            self._cut(level)

    def _cut(self, level: int = 0) -> None:
        text = _SPACE.sub(" ", "".join(self._running)).strip(" |")
        self._running.clear()
        if text:
            self._pieces.append(Piece(text, level=level))

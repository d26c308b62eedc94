"""Markdown: headings as CommonMark marks them; the rest stays as written."""

from __future__ import annotations

import re
from pathlib import Path

from sleuth.sources.documents.document import Document, Piece, build
from sleuth.sources.documents.read.text import decoded

_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")  # CommonMark 0.31, section 4.2
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*")  # section 4.3
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")  # section 4.5
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_EMPHASIS = re.compile(r"(\*\*|__|(?<!`)`(?!`))(.+?)\1")


def read(path: Path) -> Document:
    pieces = list(_pieces(_FRONT_MATTER.sub("", decoded(path.read_bytes()))))
    title = next((piece.text for piece in pieces if piece.level), path.stem)
    return build(title, pieces)


def _pieces(text: str) -> list[Piece]:
    pieces: list[Piece] = []
    paragraph: list[str] = []
    fence = ""

    def close(level: int = 0) -> None:
        if paragraph:
            pieces.append(Piece(_plain("\n".join(paragraph)), level=level))
            paragraph.clear()

    for line in text.split("\n"):
        marker = _FENCE.match(line)
        if fence or marker:
            if marker and not fence:
                fence = marker[1]
            elif marker and marker[1].startswith(fence):
                fence = ""
            paragraph.append(line)
        elif heading := _ATX.fullmatch(line):
            close()
            pieces.append(Piece(_plain(heading[2] or ""), level=len(heading[1])))
        elif len(paragraph) == 1 and (underline := _SETEXT.fullmatch(line)):
            close(level=1 if underline[1].startswith("=") else 2)
        elif line.strip():
            paragraph.append(line)
        else:
            close()
    close()
    return pieces


def _plain(text: str) -> str:
    return _EMPHASIS.sub(r"\2", text).strip()

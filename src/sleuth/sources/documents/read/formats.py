"""Which reader reads which file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sleuth.errors import UnreadableDocument
from sleuth.sources.documents.document import Document
from sleuth.sources.documents.read import docx, html, markdown, pdf, text

_READERS: dict[str, Callable[[Path], Document]] = {
    ".pdf": pdf.read,
    ".docx": docx.read,
    ".html": html.read,
    ".htm": html.read,
    ".md": markdown.read,
    ".markdown": markdown.read,
    ".txt": text.read,
}

SUFFIXES = tuple(_READERS)
"""Endings of the files that are read, in lower case."""


def read(path: Path) -> Document:
    """The document in a file. Raises UnreadableDocument, with why, for a file that gives no text."""
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        ending = path.suffix or "a file without ending"
        raise UnreadableDocument(f"no reader for {ending}", hint=f"readable are {', '.join(SUFFIXES)}")
    try:
        document = reader(path)
    except UnreadableDocument:
        raise
    except OSError as error:
        raise UnreadableDocument(f"cannot be opened: {error.strerror or 'read error'}") from error
    except Exception as error:  # a parser given broken bytes raises anything; one bad file must not end the work on the others
        raise UnreadableDocument(f"broken file: {type(error).__name__} while reading it") from error
    if not document.blocks:
        raise UnreadableDocument("no text in this file")
    return document

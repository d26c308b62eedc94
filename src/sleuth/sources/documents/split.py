"""A document into passages along its structure: one clause, one passage, in the sizes the embedder takes in whole."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest

from semantic_text_splitter import TextSplitter

from sleuth.sources.documents.document import Block, Document, Heading
from sleuth.sources.documents.embed.base import Embedder

_IDS = uuid.UUID("5b6d1c1e-6e0d-5f0a-9a39-6a2f3c6f0c55")
_HEADING_TOKENS = 40
"""Of the window, kept free for the heading that a passage carries."""


@dataclass(frozen=True, slots=True)
class Part:
    """One passage-to-be. `text` is the clause's heading, then `document.text[start:end]`; `context` the headings above it."""

    id: str
    text: str
    start: int
    end: int
    page: int | None = None
    clause: str | None = None
    heading: str | None = None
    context: str = ""


def split(document: Document, path: str, embedder: Embedder) -> list[Part]:
    """Passages in reading order, each at most `embedder.window` tokens with its heading.

    The ids depend on `path`, the offsets and the text alone: the same file gives the same ids.
    """
    largest = embedder.window - _HEADING_TOKENS
    parts: list[Part] = []
    for blocks in _sections(document.blocks):
        for start, end in _spans(document.text, blocks, largest, embedder):
            parts.append(_part(document, path, blocks, start, end, embedder))
    return parts


def _sections(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Neighbouring blocks under the same heading and clause. A heading with nothing under it is left to the headings below it."""
    grouped = [list(section) for _, section in groupby(blocks, key=lambda block: (block.headings, block.clause))]
    for section, following in zip_longest(grouped, grouped[1:]):
        depth = len(section[0].headings)
        has_children = following is not None and following[0].headings[:depth] == section[0].headings and depth > 0
        if not (all(block.is_heading for block in section) and has_children):
            yield section


def _spans(text: str, blocks: Sequence[Block], largest: int, embedder: Embedder) -> Iterator[tuple[int, int]]:
    """Where to cut a section: not at all where it fits, else between paragraphs, and between sentences within a long one."""
    body = [block for block in blocks if not block.is_heading] or list(blocks)
    start, end, size = body[0].start, body[0].start, 0
    for block in body:
        tokens = embedder.count(text[block.start : block.end])
        if size and size + tokens > largest:
            yield start, end
            start, size = block.start, 0
        if tokens > largest:
            *whole, (start, end) = _sentences(text, block, largest, embedder)
            yield from whole
            size = embedder.count(text[start:end])
        else:
            end, size = block.end, size + tokens
    yield start, end


def _sentences(text: str, block: Block, largest: int, embedder: Embedder) -> list[tuple[int, int]]:
    splitter = TextSplitter.from_callback(embedder.count, largest)
    chunks = splitter.chunk_indices(text[block.start : block.end])
    return [(block.start + offset, block.start + offset + len(chunk)) for offset, chunk in chunks]


def _part(document: Document, path: str, blocks: Sequence[Block], start: int, end: int, embedder: Embedder) -> Part:
    first = next((block for block in blocks if block.end > start and not block.is_heading), blocks[0])
    own = first.headings[-1] if first.headings else None
    body = document.text[start:end]
    text = body if own is None or first.is_heading else f"{_short(own, embedder)}\n{body}"
    identity = str(uuid.uuid5(_IDS, f"{path}\0{start}\0{text}"))
    context = " › ".join(str(heading) for heading in first.headings[:-1])
    return Part(identity, text, start, end, first.page, first.clause, own.text if own else None, context)


def _short(heading: Heading, embedder: Embedder) -> str:
    """The heading in at most `_HEADING_TOKENS` tokens, by whole words."""
    words = str(heading).split()
    while len(words) > 1 and embedder.count(" ".join(words)) > _HEADING_TOKENS:
        words.pop()
    return " ".join(words)

"""From a result to what the model reads of it and the evidence that can be cited, numbered on from what there is.

Text from outside is data: control characters and chat-template marks are taken out of it, so that no document, cell or page can
speak in the model's own format. What is cut is said.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime, time
from decimal import Decimal

from sleuth.evidence import Evidence, Locator
from sleuth.result import Cell, Failure, Origin, Page, Pages, Passage, Passages, Result, Rows, Text
from sleuth.tool import ToolCall

SHOWN_ALSO_IN = 3
"""Names of other documents with the same words that are written out; the rest is counted."""

LEAST_CHARS = 120
"""A piece of evidence cut shorter than this says nothing; the rest of the pieces is then left out, and counted."""

_TEMPLATE_MARKS = re.compile(r"<\|[^<>|\n]{1,40}\|>|</?(?:tool_call|tool_response|think|s)>|\[/?INST\]|<</?SYS>>", re.IGNORECASE)


def observe(call: ToolCall, result: Result, *, first_id: int, chars: int) -> tuple[str, tuple[Evidence, ...]]:
    """The observation's text and its evidence, ids from `first_id`. `chars` bounds the text, which says what is left out."""
    match result:
        case Rows():
            return _rows(call, result, first_id, chars)
        case Passages(hits, origin, note):
            return _several([_passage(call, hit, origin) for hit in hits], note, first_id, chars)
        case Pages(hits, origin, note):
            return _several([_page(call, hit, origin) for hit in hits], note, first_id, chars)
        case Text(text, origin):
            return _several([_text(call, text, origin)], None, first_id, chars)
        case Failure(tool, error, _, hint):
            return f"{tool} failed: {clean(error)}" + (f" ({clean(hint)})" if hint else ""), ()


def cell_text(cell: Cell) -> str:
    """A database value as text: exact, never rounded, NULL as null."""
    match cell:
        case None:
            return "null"
        case bool():
            return "true" if cell else "false"
        case bytes():
            return f"{len(cell)} bytes"
        case Decimal():
            return format(cell, "f")
        case datetime() | date() | time():
            return cell.isoformat()
        case _:
            return clean(str(cell))


def clean(text: str) -> str:
    """`text` on one line, without control, format and template characters."""
    plain = "".join(" " if character.isspace() else character for character in text)
    plain = "".join(character for character in plain if unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co"))
    return " ".join(_TEMPLATE_MARKS.sub(" ", plain).split())


Numbered = Callable[[int], Evidence]


def _several(makers: Sequence[Numbered], note: str | None, first_id: int, chars: int) -> tuple[str, tuple[Evidence, ...]]:
    """Each piece gets its share of `chars`; what a short one leaves goes to those after it."""
    lines: list[str] = []
    evidence: list[Evidence] = []
    room = chars
    for place, maker in enumerate(makers):
        share = room // (len(makers) - place)
        if share < LEAST_CHARS and evidence:
            break
        item = maker(first_id + len(evidence))
        item = replace(item, text=_cut(item.text, max(share - len(_head(item)), LEAST_CHARS)))
        line = f"[{item.id}] {_head(item)}{item.text}"
        room -= len(line)
        lines.append(line)
        evidence.append(item)
    if len(evidence) < len(makers):
        lines.append(f"({len(makers) - len(evidence)} more not shown)")
    if not makers:
        lines.append("nothing found")
    if note:
        lines.append(f"({clean(note)})")
    return "\n".join(lines), tuple(evidence)


def _passage(call: ToolCall, hit: Passage, origin: Origin) -> Numbered:
    locator = Locator("passage", hit.document, hit.page, hit.clause, clean(hit.heading) if hit.heading else None)
    text = clean(hit.text)
    return lambda number: Evidence(number, text, locator, origin, call.tool, hit.also_in)


def _page(call: ToolCall, hit: Page, origin: Origin) -> Numbered:
    dated = f" ({hit.published.isoformat()})" if hit.published else ""
    text = f"{clean(hit.title)}{dated}: {clean(hit.extract)}"
    locator = Locator("page", clean(hit.url), heading=clean(hit.title))
    return lambda number: Evidence(number, text, locator, origin, call.tool)


def _text(call: ToolCall, text: str, origin: Origin) -> Numbered:
    locator = Locator("text", call.tool)
    return lambda number: Evidence(number, clean(text), locator, origin, call.tool)


def _rows(call: ToolCall, result: Rows, first_id: int, chars: int) -> tuple[str, tuple[Evidence, ...]]:
    """A whole result set is one piece of evidence: a row means nothing without its query."""
    lines = [" | ".join(result.columns)]
    shown, room = 0, chars - len(lines[0])
    for row in result.rows:
        line = " | ".join(cell_text(cell) for cell in row)
        room -= len(line) + 1
        if room < 0 and shown:
            break
        lines.append(_cut(line, chars))
        shown += 1
    notes = [result.note] if result.note else []
    if shown < len(result.rows) or result.truncated:
        more = "more rows were not fetched" if result.truncated else f"{len(result.rows) - shown} more rows not shown"
        notes.append(more)
    if not result.rows:
        lines.append("no rows")
    text = "\n".join(lines)
    locator = Locator(
        "rows", result.database or call.tool, statement=result.statement, params=tuple(cell_text(cell) for cell in result.params)
    )
    item = Evidence(first_id, text, locator, result.origin, call.tool)
    told = "".join(f"\n({clean(note)})" for note in notes)
    return f"[{item.id}] {text}{told}", (item,)


def _head(item: Evidence) -> str:
    """What stands before a passage: its document, clause and how far the same words reach. A page's text has its title."""
    if item.locator.kind != "passage":
        return ""
    place = item.locator.where if item.locator.page is None else f"{item.locator.where}, p. {item.locator.page}"
    reach = f"in {len(item.also_in) + 1} documents, one of them " if item.also_in else "in 1 document, "
    return f"{reach}{place}: "


def _cut(text: str, chars: int) -> str:
    return text if len(text) <= chars else text[:chars].rstrip() + " … (cut)"

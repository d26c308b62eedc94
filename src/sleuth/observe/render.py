"""From a result to what the model reads of it and the evidence that can be cited, numbered on from what there is.

Text from outside is data: control characters and chat-template marks are taken out of all of it, names and paths too, so that no
document, cell or page can speak in the model's own format. What is cut is said, and nothing is longer than asked for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from sleuth.clean import cell_text, clean
from sleuth.evidence import Evidence, Kind, Locator
from sleuth.result import Failure, Origin, Page, Pages, Passage, Passages, Result, Rows, Text
from sleuth.tool import ToolCall

SHOWN_ALSO_IN = 3
"""Names of other documents with the same words that are written out; the rest is counted."""

LEAST_CHARS = 120
"""A piece of evidence cut shorter than this says nothing; the rest of the pieces is then left out, and counted."""

CALL_CHARS = 160
"""Of the arguments of a call, as they are shown before what it gave back."""

_CUT = " … (cut)"


def observe(call: ToolCall, result: Result, *, first_id: int, chars: int) -> tuple[str, tuple[Evidence, ...]]:
    """The observation's text and its evidence, ids from `first_id`. `chars` bounds the text, which says what is left out."""
    match result:
        case Rows():
            text, evidence = _rows(call, result, first_id, chars)
        case Passages(hits, origin, note):
            text, evidence = _several([_passage(call, hit, origin) for hit in hits], note, first_id, chars)
        case Pages(hits, origin, note):
            text, evidence = _several([_page(call, hit, origin) for hit in hits], note, first_id, chars)
        case Text(said, origin):
            text, evidence = _several([_text(call, said, origin)], None, first_id, chars)
        case Failure(tool, error, _, hint):
            text, evidence = _failure(tool, error, hint, chars), ()
    # Places and notes are counted in above; this is for a limit that has no room for even them.
    return _cut(text, chars), evidence


Numbered = Callable[[int], Evidence]


def _several(makers: Sequence[Numbered], note: str | None, first_id: int, chars: int) -> tuple[str, tuple[Evidence, ...]]:
    """Each piece gets its share of `chars`; what a short one leaves goes to those after it."""
    told = [f"({clean(note)})"] if note else []
    lines: list[str] = []
    evidence: list[Evidence] = []
    room = chars - sum(len(line) + 1 for line in told)
    if len(makers) > 1:
        room -= len(_not_shown(len(makers))) + 1
    for place, maker in enumerate(makers):
        item = maker(first_id + len(evidence))
        head = f"[{item.id}] {_head(item)}"
        share = room // (len(makers) - place)
        if evidence and (share < LEAST_CHARS or room < len(head) + min(LEAST_CHARS, len(item.text))):
            break
        item = replace(item, text=_cut(item.text, min(max(share - len(head), LEAST_CHARS), room - len(head))))
        lines.append(f"{head}{item.text}")
        room -= len(lines[-1]) + 1
        evidence.append(item)
    if len(evidence) < len(makers):
        lines.append(_not_shown(len(makers) - len(evidence)))
    if not makers:
        lines.append("nothing found")
    return "\n".join([*lines, *told]), tuple(evidence)


def _not_shown(pieces: int) -> str:
    return f"({pieces} more not shown)"


def _locator(
    kind: Kind,
    where: str,
    page: int | None = None,
    clause: str | None = None,
    heading: str | None = None,
    statement: str | None = None,
    params: tuple[str, ...] = (),
) -> Locator:
    """Names and paths are from outside too. The statement is ours, and stays as it ran."""
    return Locator(kind, clean(where), page, clean(clause or "") or None, clean(heading or "") or None, statement, params)


def _passage(call: ToolCall, hit: Passage, origin: Origin) -> Numbered:
    locator = _locator("passage", hit.document, hit.page, hit.clause, hit.heading)
    text, also_in = clean(hit.text), tuple(map(clean, hit.also_in))
    return lambda number: Evidence(number, text, locator, origin, call.tool, also_in)


def _page(call: ToolCall, hit: Page, origin: Origin) -> Numbered:
    dated = f" ({hit.published.isoformat()})" if hit.published else ""
    text = f"{clean(hit.title)}{dated}: {clean(hit.extract)}"
    locator = _locator("page", hit.url, heading=hit.title)
    return lambda number: Evidence(number, text, locator, origin, call.tool)


def _text(call: ToolCall, text: str, origin: Origin) -> Numbered:
    arguments = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in call.arguments.items())
    locator = _locator("text", f"{call.tool}({_cut(arguments, CALL_CHARS)})")
    return lambda number: Evidence(number, clean(text), locator, origin, call.tool)


def _rows(call: ToolCall, result: Rows, first_id: int, chars: int) -> tuple[str, tuple[Evidence, ...]]:
    """A whole result set is one piece of evidence: a row means nothing without its query."""
    before = f"[{first_id}] "
    header = " | ".join(map(clean, result.columns))
    rows = [" | ".join(map(cell_text, row)) for row in result.rows]
    notes = [result.note] if result.note else []
    fetched = ["more rows were not fetched"] if result.truncated else []
    room = chars - len(before) - len(_told([*notes, *fetched]))
    shown = len(rows)
    if len("\n".join([header, *rows])) > room:
        room -= len(_told([_rows_not_shown(len(rows))]))
        header = _cut(header, max(room // 2, room - len(rows[0]) - 1) if rows else room)
        rows[:1] = [_cut(row, room - len(header) - 1) for row in rows[:1]]
        shown = next((n for n in range(1, len(rows)) if len("\n".join([header, *rows[: n + 1]])) > room), len(rows))
        notes += [_rows_not_shown(len(rows) - shown)] if shown < len(rows) else []
    text = "\n".join([header, *(rows[:shown] or ["no rows"])])
    where, params = result.database or call.tool, tuple(map(cell_text, result.params))
    locator = _locator("rows", where, statement=result.statement, params=params)
    item = Evidence(first_id, text, locator, result.origin, call.tool)
    return f"{before}{text}{_told([*notes, *fetched])}", (item,)


def _rows_not_shown(rows: int) -> str:
    return f"{rows} more rows not shown"


def _told(notes: Sequence[str]) -> str:
    return "".join(f"\n({clean(note)})" for note in notes)


def _failure(tool: str, error: str, hint: str | None, chars: int) -> str:
    """What to try stays whole before the error does."""
    before, after = f"{clean(tool)} failed: ", f" ({clean(hint)})" if hint else ""
    return f"{before}{_cut(clean(error), max(chars - len(before) - len(after), LEAST_CHARS))}{after}"


def _head(item: Evidence) -> str:
    """What stands before a passage: its document, clause and how far the same words reach. A page's text has its title.

    What a function gave back may be a bare number: the call says of what.
    """
    if item.locator.kind == "text":
        return f"{item.locator.where}: "
    if item.locator.kind != "passage":
        return ""
    place = item.locator.where if item.locator.page is None else f"{item.locator.where}, p. {item.locator.page}"
    reach = f"in {len(item.also_in) + 1} documents, one of them " if item.also_in else "in 1 document, "
    return f"{reach}{place}: "


def _cut(text: str, chars: int) -> str:
    """At most `chars` of `text`; that it was cut is said wherever there is room to."""
    if len(text) <= chars:
        return text
    return text[: chars - len(_CUT)].rstrip() + _CUT if chars > len(_CUT) else text[: max(chars, 0)]

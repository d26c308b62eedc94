"""The words that ask for claims over one part's evidence: a conversation of its own, so that nothing else is in sight."""

from __future__ import annotations

from collections.abc import Sequence

from sleuth.answer.form import Part
from sleuth.clean import clean
from sleuth.evidence import Locator
from sleuth.language import language_of
from sleuth.models.base import Message

_SYSTEM = Message(
    "system",
    "You answer from numbered evidence, in the language of the question, in whole sentences of your own. You reply in JSON.",
)

# Both forms were chosen among eight on a 1.5 B model. The example's clauses differ from its ids: with equal ones the model took
# one for the other. Told of "found": false, it denied most results of queries.
_SEARCHED = """\
Evidence:
{shown}

Question: {question}

Write one claim for each thing asked: a whole sentence with its figures, names and clauses, then the number of the evidence it \
stands in. Only where the evidence is about something else, reply {{"found": false}}.
Example: {{"found": true, "claims": [{{"text": "Cash payments are limited to 50 EUR (clause 4.2).", "evidence": [7]}}, \
{{"text": "Advances have to be settled within 10 days (clause 6.1).", "evidence": [9]}}]}}"""

_QUERIED = """\
Question: {question}
Looked up{where}: {queries}
Evidence:
{shown}

Write what was looked up, in whole sentences with all its figures, each with the number of the evidence it stands in.
Example: {{"found": true, "claims": \
[{{"text": "There were 12 orders from Lyon in 2024, 5,300 EUR in total.", "evidence": [3]}}]}}"""


def claim_messages(
    part: Part, question: str, parts: int, history: Sequence[tuple[str, str]] = (), *, sure: bool
) -> tuple[Message, ...]:
    """Of several parts only this one is asked: from the whole question a small model answers the other parts here too."""
    asked = clean(question if parts == 1 else f"{part.text}?")
    earlier = "".join(f"(Asked before: {clean(question)})\n" for question, _ in history) if parts == 1 else ""
    language = language_of(question)
    # A small model answers in the language of the evidence unless told last, and by name. English it needs no word for.
    written = f"\nWrite the text in {language}." if language not in (None, "English") else ""
    if sure:
        queries = "; ".join(_query(item.locator) for item in part.evidence)
        where = " in the database" if part.evidence[0].locator.kind == "rows" else ""
        asking = _QUERIED.format(question=asked, where=where, queries=queries, shown=part.shown)
    else:
        asking = _SEARCHED.format(question=asked, shown=part.shown)
    return _SYSTEM, Message("user", earlier + asking + written)


def _query(place: Locator) -> str:
    return f"{place.statement or place.where}{f' with {place.bound}' if place.params else ''}"

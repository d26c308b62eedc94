"""The form of the claims over one part's evidence: ids and numbers of that evidence, and no others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from sleuth.clean import cell_text
from sleuth.evidence import Evidence
from sleuth.result import Json, Result, Rows
from sleuth.structured_output.constraint import JsonSchema, closed_object
from sleuth.structured_output.grammar.grounded import forms_in, grounded_pattern, numbers_in, renderings, stated_in
from sleuth.trajectory import StopReason, Trajectory

CLAIM_CHARS = 320
LEAST_CHARS = 4
"""A sentence in Chinese may have no more."""
EVIDENCE_PER_CLAIM = 3

FIGURES = 3
"""Most figures of one row that a claim is made to state: more make a table, not a sentence."""

RETURNED_CHARS = 300
"""What a function gave back and is longer than this may be a page on many things, as what was searched is."""

_FIGURE = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the question as the calls that looked it up put it, the evidence they brought, what the model reads of it.

    `figures` are those that a claim over it must state, in their order. `none`: queries came back empty, which is worth saying
    where nothing else answers the part; `note` is what was noticed then: which values there are instead.
    """

    text: str
    evidence: tuple[Evidence, ...]
    shown: str
    figures: tuple[str, ...] = ()
    none: bool = False
    note: str | None = None


def parts_of(trajectory: Trajectory) -> tuple[Part, ...]:
    """The parts that have evidence, in the order they were looked up; evidence of equal parts is joined.

    What came back empty stands apart, after all that was found.
    """
    found: dict[tuple[str, bool], Part] = {}
    for step in trajectory.steps:
        for seen in step.observations:
            if seen.evidence:
                key = text, none = seen.call.part or trajectory.question, not seen.found
                before = found.get(key, Part(text, (), ""))
                shown = f"{before.shown}\n{seen.text}".lstrip("\n")
                evidence = (*before.evidence, *seen.evidence)
                figures = _figures(seen.result, evidence[0]) if len(evidence) == 1 else ()
                note = seen.result.note if none and isinstance(seen.result, Rows) else None
                found[key] = Part(text, evidence, shown, figures, none, note or before.note)
    return tuple(sorted(found.values(), key=lambda part: part.none))


def is_sure(part: Part, reason: StopReason) -> bool:
    """Whether the evidence answers the call it comes from: rows, or a few words that a function gave back, and nothing else.

    Not where the model itself has given up on what was found.
    """
    if reason == "insufficient":
        return False
    kinds = {item.locator.kind for item in part.evidence}
    return kinds == {"rows"} or (kinds == {"text"} and all(len(item.text) <= RETURNED_CHARS for item in part.evidence))


def claims_form(part: Part, question: str, claims: int, *, sure: bool) -> JsonSchema:
    """Up to `claims` claims; where it is not `sure` to, also that the evidence does not answer.

    A claim can only name ids of the part's evidence, and its text can only hold numbers that stand in that evidence or in the
    question; a claim over one row of figures states each of them once.
    """
    ids: list[Json] = [item.id for item in part.evidence]
    figures = part.figures
    pattern = grounded_pattern(_beside(part, question, figures), [renderings(number) for number in figures])
    lengths: dict[str, Json] = {} if figures else {"minLength": LEAST_CHARS, "maxLength": CLAIM_CHARS}
    most = min(EVIDENCE_PER_CLAIM, len(ids))
    claim = closed_object(
        {
            "text": {"type": "string", **lengths, "pattern": pattern},
            "evidence": {"type": "array", "items": {"enum": ids}, "minItems": 1, "maxItems": most},
        }
    )
    listed: Json = {"type": "array", "items": claim, "minItems": 1, "maxItems": 1 if figures else claims}
    told = closed_object({"found": {"const": True}, "claims": listed})
    return JsonSchema.of(told if sure else {"anyOf": [told, closed_object({"found": {"const": False}})]})


def allowed_numbers(part: Part, question: str) -> list[str]:
    """Every number that a claim over `part` may state, in every spelling."""
    return [*_beside(part, question, ()), *(form for number in part.figures for form in renderings(number))]


def _beside(part: Part, question: str, figures: Sequence[str]) -> list[str]:
    """The numbers beside the part's `figures`, which have their own place in the claim."""
    return [*stated_in(question), *(form for item in part.evidence for form in _forms(item, beside=figures))]


def _figures(result: Result, item: Evidence) -> tuple[str, ...]:
    """The figures of a result of one row, in its order: whoever asked for them wants to read them all.

    By the type of the cell, so that no text or date is one; without the sign, which words can say ("5 less"). None where what was
    shown does not hold them all.
    """
    if not isinstance(result, Rows) or len(result.rows) != 1:
        return ()
    numbers = [cell for cell in result.rows[0] if isinstance(cell, int | float | Decimal) and not isinstance(cell, bool)]
    plain = [text.removeprefix("-") for text in map(cell_text, numbers) if _FIGURE.fullmatch(text)]
    figures = tuple(dict.fromkeys(plain))
    return figures if len(figures) <= FIGURES and set(figures) <= set(numbers_in(item.text)) else ()


def _forms(item: Evidence, beside: Sequence[str]) -> list[str]:
    """The numbers a claim over `item` may hold, in every spelling: of its text, its place, and how far its words reach.

    Not those of `beside`, which have their own place in the claim.
    """
    reach = f" ; {len(item.also_in) + 1}" if item.also_in else ""
    return forms_in(item.held + reach, beside)

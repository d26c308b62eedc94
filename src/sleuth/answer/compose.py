"""Say it, and show where it is from: claims that can cite only what was seen and state only numbers that stand there.

Here the two halves meet again: the ledger's ids become an enum, the evidence's numbers a pattern.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sleuth.answer.support import borne_out, words_of
from sleuth.evidence import Citation, Evidence
from sleuth.limits import Limits
from sleuth.models.base import Message
from sleuth.result import Failure, Json, json_array, json_object
from sleuth.structured_output.constraint import JsonSchema, closed_object
from sleuth.structured_output.grammar.grounded import grounded_pattern, numbers_in, renderings, stated_in
from sleuth.trajectory import Trajectory

CLAIM_CHARS = 320
EVIDENCE_PER_CLAIM = 3

FIGURES = 3
"""Most figures of one row that a claim is made to state: more make a table, not a sentence."""

_FIGURE = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")

_ASK = """\
Answer the question from the evidence above, part by part, in the language of the question. For each part write what was asked in
your own whole sentences, with figures, names and clauses, then the number of the evidence it stands in: one claim for each thing.
Leave out evidence that does not answer the part. If no evidence answers it, write "found": false.{unmentioned}
Example: {{"part": "orders from Lyon in 2024", "found": true, "claims": [{{"text": "There were 12 orders from Lyon in 2024, \
5,300 EUR in total.", "evidence": [3]}}]}}
Question: {question}"""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the question, as the call that looked it up put it, and the evidence that call brought."""

    text: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """The composed answer: its text with [n] markers, its claims, and the parts that nothing was found for."""

    text: str
    citations: tuple[Citation, ...]
    missing: tuple[str, ...]


def parts_of(trajectory: Trajectory) -> tuple[Part, ...]:
    """The parts that have evidence, in the order they were looked up; evidence of equal parts is joined."""
    found: dict[str, list[Evidence]] = {}
    for step in trajectory.steps:
        for seen in step.observations:
            if seen.evidence:
                found.setdefault(seen.call.part or trajectory.question, []).extend(seen.evidence)
    return tuple(Part(text, tuple(evidence)) for text, evidence in found.items())


def answer_form(trajectory: Trajectory, limits: Limits) -> JsonSchema:
    """One entry a part: claims over that part's evidence, or that it was not found.

    A claim can only name ids that its part brought, and its text can only hold numbers that stand in that evidence or in the
    question; a claim over one row of figures states them all. Raises ValueError for a trajectory without evidence.
    """
    parts = parts_of(trajectory)
    if not parts:
        raise ValueError("there is no evidence to write from")
    entries: list[Json] = [_part_form(part, trajectory.question, limits.claims) for part in parts]
    answer: Json = {
        "type": "array",
        "prefixItems": entries,
        "items": False,
        "minItems": len(entries),
        "maxItems": len(entries),
    }
    return JsonSchema.of(closed_object({"answer": answer}))


def ask_message(trajectory: Trajectory) -> Message:
    told = [f'\nNone of the evidence for "{part.text}" mentions: {", ".join(words)}.' for part, words in _unmentioned(trajectory)]
    return Message("user", _ASK.format(question=trajectory.question, unmentioned="".join(told)))


def read_answer(value: Json, trajectory: Trajectory) -> Written:
    """Claims into a text. `value` has been verified against `answer_form`. Raises EvidenceError for an id never seen."""
    citations: list[Citation] = []
    missing: list[str] = []
    paragraphs: list[str] = []
    evidence_of = {part.text: part.evidence for part in parts_of(trajectory)}
    for entry in json_array(json_object(value)["answer"]):
        part = json_object(entry)
        evidence = evidence_of.get(str(part["part"]), ())
        claims = [_claim(item, evidence, trajectory) for item in json_array(part.get("claims", []))]
        claims = [claim for claim in dict.fromkeys(claims) if claim not in citations]
        if not part["found"]:
            missing.append(str(part["part"]))
        citations += claims
        if claims:
            paragraphs.append(" ".join(_marked(claim) for claim in claims))
    paragraphs += [f"Not found in the sources: {part}." for part in missing]
    return Written("\n".join(paragraphs), tuple(citations), tuple(missing))


def quoted(trajectory: Trajectory) -> Written:
    """The evidence itself, cited, for when no model can put it into words. Long pieces are cut, and the cut is shown."""
    citations = tuple(
        trajectory.ledger.cite(item.text if len(item.text) <= CLAIM_CHARS else f"{item.text[:CLAIM_CHARS]} …", (item.id,))
        for item in trajectory.ledger
    )
    return Written("\n".join(_marked(claim) for claim in citations), citations, ())


def failures_note(trajectory: Trajectory) -> str | None:
    """What the reader must know of the tools that failed and were not made good later in the run."""
    last: dict[str, Failure | None] = {}
    for step in trajectory.steps:
        for seen in step.observations:
            last[seen.call.tool] = seen.result if isinstance(seen.result, Failure) else None
    failed = [f"{tool} failed ({failure.error})" for tool, failure in last.items() if failure]
    return "; ".join(failed) or None


def _part_form(part: Part, question: str, claims: int) -> Json:
    allowed = [form for item in part.evidence for form in _forms(item)]
    allowed += stated_in(question)
    ids: list[Json] = [item.id for item in part.evidence]
    figures = _figures(part.evidence[0]) if len(part.evidence) == 1 else []
    pattern = grounded_pattern(allowed, [renderings(number) for number in figures])
    lengths: dict[str, Json] = {} if figures else {"minLength": 12, "maxLength": CLAIM_CHARS}
    most = min(EVIDENCE_PER_CLAIM, len(ids))
    claim = closed_object(
        {
            "text": {"type": "string", **lengths, "pattern": pattern},
            "evidence": {"type": "array", "items": {"enum": ids}, "minItems": 1, "maxItems": most},
        }
    )
    told = closed_object(
        {
            "part": {"const": part.text},
            "found": {"const": True},
            "claims": {"type": "array", "items": claim, "minItems": 1, "maxItems": 1 if figures else claims},
        }
    )
    return {"anyOf": [told, closed_object({"part": {"const": part.text}, "found": {"const": False}})]}


def _figures(item: Evidence) -> list[str]:
    """The figures of a result of one row, in its order: whoever asked for them wants to read them all."""
    lines = item.text.split("\n")
    if item.locator.kind != "rows" or len(lines) != 2:
        return []
    cells = [cell for cell in lines[1].split(" | ") if _FIGURE.fullmatch(cell)]
    return [cell.lstrip("-") for cell in cells] if len(cells) <= FIGURES else []


def _forms(item: Evidence) -> list[str]:
    """The numbers a claim over `item` may hold, in every spelling: of its text, its place, and how far its words reach."""
    place = [item.locator.where, item.locator.clause or "", str(item.locator.page or ""), item.locator.heading or ""]
    reach = str(len(item.also_in) + 1) if item.also_in else ""
    return [form for number in numbers_in(" ; ".join([item.text, *place, reach])) for form in renderings(number)]


def _claim(item: Json, evidence: Sequence[Evidence], trajectory: Trajectory) -> Citation:
    claim = json_object(item)
    text = " ".join(str(claim["text"]).split())
    named = [number for number in json_array(claim["evidence"]) if isinstance(number, int)]
    return trajectory.ledger.cite(text, borne_out(text, named, evidence, trajectory.question))


def _unmentioned(trajectory: Trajectory) -> list[tuple[Part, list[str]]]:
    """For each part the words that none of its evidence holds: a sign that it is about something else.

    Nothing is said where most words are missing: the evidence is then in another language.
    """
    told: list[tuple[Part, list[str]]] = []
    for part in parts_of(trajectory):
        if any(item.locator.kind == "rows" for item in part.evidence):
            continue
        held = words_of(" ".join(f"{item.text} {item.locator.where} {item.locator.heading or ''}" for item in part.evidence))
        asked = words_of(part.text)
        missing = [word for word in asked if not any(other.startswith(word[:5]) for other in held)]
        if missing and len(missing) * 2 <= len(asked):
            told.append((part, missing))
    return told


def _marked(claim: Citation) -> str:
    """The claim with its markers before the final stop: "… are due [2][3]."."""
    markers = "".join(f"[{number}]" for number in claim.evidence)
    body = claim.claim.rstrip(" .")
    return f"{body} {markers}."

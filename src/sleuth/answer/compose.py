"""Say it, and show where it is from: claims that can cite only what was seen and state only numbers that stand there.

Here the two halves meet again: the ledger's ids become an enum, the evidence's numbers a pattern.
"""

from __future__ import annotations

from dataclasses import dataclass

from sleuth.evidence import Citation, Evidence, Ledger
from sleuth.limits import Limits
from sleuth.models.base import Message
from sleuth.result import Failure, Json, json_array, json_object
from sleuth.structured_output.constraint import JsonSchema, closed_object
from sleuth.structured_output.grammar.grounded import grounded_pattern, numbers_in, renderings, spelled_out
from sleuth.trajectory import Trajectory

CLAIM_CHARS = 320
EVIDENCE_PER_CLAIM = 3

_ASK = """\
Write the answer, part by part, in the language of the question: whole sentences with the figures, names and clauses that the
evidence shows, each with the numbers of its evidence. One claim for each thing asked for; leave out what was not asked. Where
the evidence does not hold a part, say "found": false.
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

    A claim names its evidence before it speaks, can only name ids that its part brought, and its text can only hold numbers that
    stand in that evidence or in the question. Raises ValueError for a trajectory without evidence.
    """
    parts = parts_of(trajectory)
    if not parts:
        raise ValueError("there is no evidence to write from")
    entries: list[Json] = [_part_form(part, trajectory.question, limits.claims) for part in parts]
    return JsonSchema.of(
        closed_object(
            {
                "answer": {
                    "type": "array",
                    "prefixItems": entries,
                    "items": False,
                    "minItems": len(entries),
                    "maxItems": len(entries),
                }
            }
        )
    )


def ask_message(trajectory: Trajectory) -> Message:
    return Message("user", _ASK.format(question=trajectory.question))


def read_answer(value: Json, trajectory: Trajectory) -> Written:
    """Claims into a text. `value` has been verified against `answer_form`. Raises EvidenceError for an id never seen."""
    citations: list[Citation] = []
    missing: list[str] = []
    paragraphs: list[str] = []
    for entry in json_array(json_object(value)["answer"]):
        part = json_object(entry)
        claims = [_claim(item, trajectory.ledger) for item in json_array(part.get("claims", []))]
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
    allowed += [form for number in numbers_in(question) + spelled_out(question) for form in renderings(number)]
    ids: list[Json] = [item.id for item in part.evidence]
    claim = closed_object(
        {
            "evidence": {"type": "array", "items": {"enum": ids}, "minItems": 1, "maxItems": min(EVIDENCE_PER_CLAIM, len(ids))},
            "text": {"type": "string", "minLength": 12, "maxLength": CLAIM_CHARS, "pattern": grounded_pattern(allowed)},
        }
    )
    told = closed_object(
        {
            "part": {"const": part.text},
            "found": {"const": True},
            "claims": {"type": "array", "items": claim, "minItems": 1, "maxItems": claims},
        }
    )
    return {"anyOf": [told, closed_object({"part": {"const": part.text}, "found": {"const": False}})]}


def _forms(item: Evidence) -> list[str]:
    """The numbers a claim over `item` may hold, in every spelling: of its text, its place, and what its query was bound to."""
    place = [item.locator.where, item.locator.clause or "", str(item.locator.page or ""), item.locator.heading or ""]
    reach = str(len(item.also_in) + 1) if item.also_in else ""
    shown = " ; ".join([item.text, *place, *item.locator.params, reach])
    return [form for number in numbers_in(shown) for form in renderings(number)]


def _claim(item: Json, ledger: Ledger) -> Citation:
    claim = json_object(item)
    ids = [number for number in json_array(claim["evidence"]) if isinstance(number, int)]
    return ledger.cite(" ".join(str(claim["text"]).split()), ids)


def _marked(claim: Citation) -> str:
    """The claim with its markers before the final stop: "… are due [2][3]."."""
    markers = "".join(f"[{number}]" for number in claim.evidence)
    body = claim.claim.rstrip(" .")
    return f"{body} {markers}."

"""Say it, and show where it is from: claims, each with the evidence that bears it out, become the answer's text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sleuth.answer.form import CLAIM_CHARS, Part, allowed_numbers
from sleuth.answer.support import borne_out, unasked_conditions, unrelated, unseen_identifiers, unseen_names
from sleuth.clean import clean
from sleuth.evidence import Citation, Evidence, Ledger
from sleuth.result import Failure, Json, json_array, json_object
from sleuth.structured_output.grammar.grounded import bare_units, stray_numbers
from sleuth.trajectory import Trajectory

_PLACES = (
    # of a text, of the evidence
    ("clause|article|section|paragraph", "evidence|document"),  # English
    ("cl[áa]usula|art[íi]culo|secci[óo]n|apartado|p[áa]rrafo", "documento|evidencia|prueba"),  # Spanish
    ("Klausel|Artikel|Abschnitt|Ziffer|Absatz", "Dokument|Beleg"),  # German
    ("clause|article|section|paragraphe|alin[ée]a", "document|preuve|pi[èe]ce"),  # French
    ("clausola|articolo|sezione|paragrafo|comma", "documento|prova"),  # Italian
    ("cl[áa]usula|artigo|se[çc][ãa]o|sec[çc][ãa]o|par[áa]grafo", "documento|prova|evid[êe]ncia"),  # Portuguese
    ("clausule|artikel|sectie|paragraaf|lid", "document|bewijs|bewijsstuk"),  # Dutch
)
_CLAUSES, _DOCUMENTS = ("|".join(words) for words in zip(*_PLACES, strict=True))

_PLACE = re.compile(
    rf"\s*\((?:(?P<clause>(?:[^()]*\b)?(?:{_CLAUSES})\s*)|(?:[^()]*\b)?(?:{_DOCUMENTS})\s*)(?P<number>[0-9]+(?:\.[0-9]+)*)\)",
    re.IGNORECASE,
)
"""What a small model puts in brackets for a place: "(clause 8.3)", "(evidence 2)", "(policy.docx, document 1)"."""


_MARKER = re.compile(r"\s*[\[［【]\s*[0-9]+(?:\s*[,;–-]\s*[0-9]+)*\s*[\]］】]")
"""What looks like a marker of evidence. Those of the answer are ours, made from the ids that the form lets through."""


@dataclass(frozen=True, slots=True)
class Written:
    """The composed answer: its text with [n] markers, its claims, the parts that nothing was found for, and what is in doubt."""

    text: str
    citations: tuple[Citation, ...] = ()
    missing: tuple[str, ...] = ()
    doubt: str | None = None


def read_claims(value: Json, part: Part, question: str, ledger: Ledger) -> tuple[Citation, ...]:
    """The claims over one part, none where nothing was found. `value` has been verified against the part's form.

    A claim that states what the form's pattern cannot keep out is left out: "47 dozen" where 47 was seen, "costs €" where
    no price was. Raises EvidenceError for an id never seen.
    """
    allowed = allowed_numbers(part, question)
    read: list[Citation] = []
    for item in json_array(json_object(value).get("claims", [])):
        claim = json_object(item)
        text = clean(_MARKER.sub("", str(claim["text"])))
        if stray_numbers(text, allowed) or bare_units(text):
            continue
        named = [number for number in json_array(claim["evidence"]) if isinstance(number, int)]
        ids = borne_out(text, named, part.evidence, question)
        read.append(ledger.cite(_rightly_placed(text, [ledger[number] for number in ids]), ids))
    return tuple(read)


def compose(
    told: Sequence[tuple[Part, Sequence[Citation]]], unanswered: Sequence[str], asked: Sequence[str], ledger: Ledger
) -> Written:
    """One paragraph a part, each claim once; then the parts without claims and those of `unanswered`.

    `asked` are the questions of the conversation, this one last. What is in doubt: names and identifiers of it that a claim
    repeats and its evidence never mentions; conditions of a query, and a whole query, that nobody asked for.
    """
    question = asked[-1]
    citations: list[Citation] = []
    paragraphs: list[str] = []
    unseen: list[str] = []
    for part, claims in told:
        new = [claim for claim in dict.fromkeys(claims) if claim not in citations]
        citations += new
        if new:
            paragraphs.append(" ".join(_marked(claim) for claim in new))
        unseen += [name for claim in new for name in _unseen(claim, part, question)]
    written = {part.text for part, claims in told if claims}
    without = [part.text for part, claims in told if not claims and not part.none]
    missing = [text for text in dict.fromkeys([*without, *unanswered]) if text not in written]
    paragraphs += (
        [f"Not found in the sources: {text}." for text in missing] if citations else [f"Not found in the sources: {question}"]
    )
    doubts = [f"{_listed(unseen)}: not mentioned in the evidence, so the answer may be about something else"] if unseen else []
    doubts += _unasked(told, asked, ledger)
    return Written("\n".join(paragraphs), tuple(citations), tuple(missing), "; ".join(doubts) or None)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"“{name}”" for name in dict.fromkeys(names))


def _unasked(told: Sequence[tuple[Part, Sequence[Citation]]], asked: Sequence[str], ledger: Ledger) -> list[str]:
    """Of each query that a claim rests on: its conditions that nobody named, or that no word of it was asked for.

    Of one that came back empty: that it did, where another source was believed, and which values there are instead.
    """
    doubts: list[str] = []
    for part, claims in told:
        for number in sorted({number for claim in claims for number in claim.evidence}):
            item = ledger[number]
            known = [*asked, *(other.text for other in ledger if other.id != number)]
            if conditions := unasked_conditions(item, known):
                doubts.append(f"the query of [{number}] asks for {_listed(conditions)}, which the question does not name")
            elif unrelated(item, [*asked, part.text]):
                doubts.append(f"no word of the question stands in the query of [{number}]: it may have counted something else")
        if part.none and not claims:
            doubts.append(f"{part.evidence[0].locator.where} was asked too, and its query found nothing")
        if part.none and part.note:
            doubts.append(part.note)
    return doubts


def nothing_found(part: Part, ledger: Ledger) -> tuple[Citation, ...]:
    """What is said of queries that brought no rows, or no value: a model asked for a figure would take one of the question's."""
    return (ledger.cite(f"The query found nothing: {part.text}", [item.id for item in part.evidence]),)


def quoted(evidence: Iterable[Evidence], ledger: Ledger) -> tuple[Citation, ...]:
    """The evidence itself, cited, for when no model can put it into words. Long pieces are cut, and the cut is shown."""
    return tuple(ledger.cite(_cut(item.text), (item.id,)) for item in evidence)


def failures_note(trajectory: Trajectory) -> str | None:
    """What the reader must know of the tools that failed and were not made good later in the run."""
    last: dict[str, Failure | None] = {}
    for step in trajectory.steps:
        for seen in step.observations:
            last[seen.call.tool] = seen.result if isinstance(seen.result, Failure) else None
    failed = [f"{tool} failed ({failure.error})" for tool, failure in last.items() if failure]
    return "; ".join(failed) or None


def _unseen(claim: Citation, part: Part, question: str) -> list[str]:
    cited = [item for item in part.evidence if item.id in claim.evidence]
    return unseen_names(claim.claim, part.evidence, question) + unseen_identifiers(claim.claim, cited, question)


def _rightly_placed(claim: str, cited: Sequence[Evidence]) -> str:
    """The claim with each clause in brackets that of what it cites, no ids there: a small model takes the one for the other."""
    clauses = list(dict.fromkeys(item.locator.clause for item in cited if item.locator.clause))

    def placed(found: re.Match[str]) -> str:
        if found["number"] in clauses:
            return found.group()
        return f" ({found['clause']}{clauses[0]})" if found["clause"] and len(clauses) == 1 else ""

    return _PLACE.sub(placed, claim)


def _cut(text: str) -> str:
    return text if len(text) <= CLAIM_CHARS else f"{text[:CLAIM_CHARS]} …"


def _marked(claim: Citation) -> str:
    """The claim with its markers before the final stop: "… are due [2][3]."."""
    markers = "".join(f"[{number}]" for number in claim.evidence)
    body = claim.claim.rstrip(" .。")
    return f"{body} {markers}."

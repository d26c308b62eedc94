"""Which evidence bears a claim out: by the numbers it states and the words it shares."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sleuth.asked import akin, stands_in, words_of
from sleuth.evidence import Evidence
from sleuth.structured_output.grammar.grounded import forms_in, numbers_in, stated_in

ENOUGH = 0.6
"""A piece that bears out so much of what the best one does is cited where the model named it."""

_IDENTIFIER = re.compile(r"[^\W_]+(?:[-/._][^\W_]+)+")
"""Words and numbers held together by what stands in the numbers of contracts, orders and norms."""

_NUMBER_WORTH = 3
"""A number in common tells more than a word in common."""


def borne_out(claim: str, named: Sequence[int], evidence: Sequence[Evidence], question: str) -> list[int]:
    """The ids to cite: those the model named, as far as the claim's numbers and words stand in them; else where most of them do.

    A small model writes a true sentence and then counts on through the ids. Nothing outside `evidence` is ever cited; with no
    evidence to hold the claim against, `named` is returned as it is.
    """
    asked = {piece for form in stated_in(question) for piece in numbers_in(form)}
    stated = [number for number in numbers_in(claim) if number not in asked]
    words = words_of(claim)
    support = {item.id: _support(stated, words, item) for item in evidence}
    if not support:
        return list(named)
    best = max(support.values())
    kept = [number for number in named if support.get(number, -1) >= ENOUGH * best]
    return kept or [min(support, key=lambda number: (-support[number], number))]


def unseen_names(claim: str, evidence: Sequence[Evidence], question: str) -> list[str]:
    """Names of the question that the claim repeats and no piece of evidence holds: weather of Valencia told as that of Oslo.

    A sign, not a proof: nobody writes the own company's name into each document. Only where the claim's other words do stand in
    the evidence: in another language even what is right would look unseen. A name is a word with a capital inside the question;
    where a third of its words have one, as in German, none is taken for a name.
    """
    inside = re.findall(r"(?<=[\w,;:] )[^\W\d_]+", question)
    capitals = [word for word in inside if word[0].isupper()]
    if not evidence or len(capitals) * 3 > len(inside):
        return []
    held = set(words_of(" ".join(item.held for item in evidence)))
    stated = words_of(claim)
    unseen = [name for name in capitals if (folded := words_of(name)) and folded[0] in stated and folded[0] not in held]
    known = sum(word in held for word in stated)
    return unseen if known * 3 >= len(stated) else []


def unseen_identifiers(claim: str, cited: Sequence[Evidence], question: str) -> list[str]:
    """Identifiers of the question ("C-2025-022") that the claim repeats and nothing it cites holds: one contract's penalty told
    as another's.

    That a document is alike but for names and numbers (`also_in`) does not make its numbers those of the claim.
    """
    held = " ".join(item.held for item in cited).casefold()
    named = [name for name in _IDENTIFIER.findall(question) if re.search(r"[^\W\d_]", name) and re.search(r"\d", name)]
    return [name for name in dict.fromkeys(named) if name.casefold() in claim.casefold() and name.casefold() not in held]


def unasked_conditions(item: Evidence, known: Sequence[str]) -> list[str]:
    """Values that the query of `item` compares with and that stand nowhere in `known`: a condition nobody asked for.

    A sign, not a proof: a value may be another word for what was asked.
    """
    said = " ".join(known)
    return [value for value in item.locator.params if not stands_in(value, said)]


def unrelated(item: Evidence, asked: Sequence[str]) -> bool:
    """Whether no word of `asked` stands in the query of `item`, nor in what it found: it may count anything."""
    if not item.locator.statement:
        return False
    query = words_of(re.sub(r"[_\W]+", " ", f"{item.locator.statement} {item.held}"))
    return not any(akin(word, other) for word in words_of(" ".join(asked)) for other in query)


def _support(stated: Sequence[str], words: Sequence[str], item: Evidence) -> int:
    # Number by number, as a claim's are read: "8.3 M" states 8.3, and stands for what the evidence has as 8300000.00.
    numbers = {piece for form in forms_in(f"{item.held} ; {len(item.also_in) + 1}") for piece in numbers_in(form)}
    held = set(words_of(item.held))
    return _NUMBER_WORTH * sum(number in numbers for number in stated) + sum(word in held for word in words)

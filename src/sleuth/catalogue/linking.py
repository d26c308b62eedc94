"""Linking the question to the data: which of its words are values of a column.

A small model that reads "EU providers" looks for "EU" among the providers. That "EU" is a value of contracts.region is a fact
the source knows, so it is said beside the question.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

MOST = 6
"""Links shown at most: each costs a dozen tokens of the prompt."""


@dataclass(frozen=True, slots=True)
class Link:
    """`value` as the data spells it; `places` where it stands ("contracts.region")."""

    value: str
    places: tuple[str, ...]

    def __str__(self) -> str:
        return f'"{self.value}" is a value of {" and ".join(self.places)}.'


def links(question: str, values: Iterable[tuple[str, str]]) -> tuple[Link, ...]:
    """The values of (place, value) pairs that stand in `question` as whole words, longest first.

    Case and accents do not matter, but a short all-capitals value ("EU", "IT") must stand in capitals: it is a word otherwise.
    A value inside a longer matched value ("York" in "New York") is not linked again.
    """
    folded = _fold(question)
    places: dict[str, list[str]] = {}
    for place, value in values:
        if len(value) > 1 and _stands_in(value, question, folded):
            places.setdefault(value, []).append(place)
    found: list[Link] = []
    for value in sorted(places, key=lambda value: (-len(value), value)):
        if not any(_fold(value) in _fold(link.value) for link in found):
            found.append(Link(value, tuple(dict.fromkeys(places[value]))))
    return tuple(found[:MOST])


def _stands_in(value: str, question: str, folded: str) -> bool:
    if value.isupper() and len(value) <= 4:
        return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", question) is not None
    return re.search(rf"(?<!\w){re.escape(_fold(value))}(?!\w)", folded) is not None


def _fold(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(character for character in decomposed if not unicodedata.combining(character)).casefold()

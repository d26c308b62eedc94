"""Whether two passages say the same: the words of a clause that many contracts share, apart from names and numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(r"\d[\d.,:/-]*|[^\W\d_]+")
_ENDS_SENTENCE = re.compile(r"[.!?:;\n•|\"“”]\s*$")


@dataclass(frozen=True, slots=True)
class Shape:
    """The words of a passage, in lower case and each once; all numbers are one word. `names` are those only ever capitalised
    in mid-sentence."""

    words: frozenset[str]
    names: frozenset[str]

    @classmethod
    @lru_cache(maxsize=4_096)
    def of(cls, text: str) -> Shape:
        words: set[str] = set()
        capitalised: set[str] = set()
        small: set[str] = set()
        end = 0
        for token in _TOKEN.finditer(text):
            word = token[0]
            key = "#" if word[0].isdigit() else word.casefold()
            words.add(key)
            begins = end == 0 or _ENDS_SENTENCE.search(text, max(0, end - 1), token.start()) is not None
            if word[0].isupper():
                if not begins:
                    capitalised.add(key)
            else:
                small.add(key)
            end = token.end()
        return cls(frozenset(words), frozenset(capitalised - small))


def same(one: Shape, other: Shape) -> bool:
    """All but a twelfth of the words shared once differing names are left out, and half of them with the names in.

    The second condition keeps apart clauses of a language that capitalises its nouns.
    """
    shared, without_names, all_words = _overlap(one, other)
    return shared >= 0.92 * without_names and shared >= 0.5 * all_words


def alike(one: Shape, other: Shape) -> bool:
    """Most words shared, differing names left out: variants of one text, whose differences may matter."""
    shared, without_names, all_words = _overlap(one, other)
    return shared >= 0.6 * without_names and shared >= 0.4 * all_words


def _overlap(one: Shape, other: Shape) -> tuple[int, int, int]:
    """How many words are shared, how many there are but for the names that only one has, and how many in all."""
    union = one.words | other.words
    differing_names = (one.names - other.words) | (other.names - one.words)
    return len(one.words & other.words), len(union) - len(differing_names), len(union)

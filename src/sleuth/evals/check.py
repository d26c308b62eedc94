"""Is an answer right? Pure functions over its text, one for each `answer_type` of a case.

- number: the text states the number within the tolerance (absolute). A number that only repeats one of the question does not
  count: one of the same value, followed by the same word there (or, at the end, preceded by it).
- string: the text holds the string as whole words, whatever the case and the accents.
- all_of: the text holds every item; what else it holds does not matter.
- set: the same, and none of the other things that could have been named (`candidates`, as they are spelled there), save those
  the question itself names.
- abstain: the run ended as insufficient or cites nothing, and the text states no number that the question does not state.

An item that is a number ("8.3") must be stated as one: "8.30" states it, "8.3 M" and "18.3" do not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, get_args

from sleuth.evals.stated import Stated, stated

AnswerType = Literal["number", "string", "set", "all_of", "abstain"]
ANSWER_TYPES: tuple[str, ...] = get_args(AnswerType)

_MARKER = re.compile(r"\s*\[\d+\]")
_WORD = re.compile(r"\d+(?:[.,:/'’-]\d+)*|[^\W\d_]+\d*|\w+")


@dataclass(frozen=True, slots=True)
class Expected:
    """What a case holds to be right. `items` is empty for abstain; `candidates` are all that a set is chosen from."""

    answer_type: AnswerType
    items: tuple[str, ...] = ()
    tolerance: Decimal = Decimal(0)
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """What was answered. `text` may carry evidence markers; `lang` is the language of the question."""

    question: str
    text: str
    stop_reason: str = "answered"
    cited: bool = True
    lang: str = "en"


def wrong_because(expected: Expected, given: Given) -> str | None:
    """None for a right answer, else what is wrong with it."""
    if expected.answer_type == "abstain":
        return _not_abstained(given)
    text = _MARKER.sub("", given.text)
    numbers = _answered_numbers(text, given)
    if expected.answer_type == "number":
        return _number_missing(expected, numbers)
    missing = [item for item in expected.items if not _named(item, text, numbers)]
    if missing:
        return f"does not name {_listed(missing)}"
    if expected.answer_type == "set" and (extra := _extra(expected, given, text, numbers)):
        return f"also names {_listed(extra)}"
    return None


def folded(text: str) -> str:
    """Without case, accents and repeated spaces."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


def holds(text: str, words: str) -> bool:
    """Whether `words` stand in `text` as whole words, in this order, side by side; punctuation between words does not matter."""
    return bool(_runs(_tokens(text), _tokens(words)))


def _number_missing(expected: Expected, numbers: Sequence[Stated]) -> str | None:
    value = Decimal(expected.items[0])
    if any(number.within(value, expected.tolerance) for number in numbers):
        return None
    told = _listed(dict.fromkeys(str(number.values[0]) for number in numbers)) or "no number"
    return f"states {told} instead of {value}"


def _not_abstained(given: Given) -> str | None:
    if given.stop_reason == "model_error":
        return f"the run ended with {given.stop_reason}, which is no abstention"
    if given.stop_reason != "insufficient" and given.cited:
        return "answers, where the sources hold no answer"
    asked = [value for number in stated(given.question, given.lang) for value in number.values]
    own = [number for number in stated(_MARKER.sub("", given.text), given.lang) if not any(map(number.within, asked))]
    return f"states {own[0].values[0]}, where the sources hold no answer" if own else None


def _answered_numbers(text: str, given: Given) -> list[Stated]:
    """The numbers of the answer that do not merely repeat the question."""
    asked = stated(given.question, given.lang)
    return [number for number in stated(text, given.lang) if not any(_quotes(number, other) for other in asked)]


def _quotes(number: Stated, asked: Stated) -> bool:
    same_company = number.after == asked.after if number.after or asked.after else number.before == asked.before
    return same_company and any(map(number.within, asked.values))


def _named(item: str, text: str, numbers: Iterable[Stated]) -> bool:
    value = _as_number(item)
    return holds(text, item) if value is None else any(number.within(value) for number in numbers)


def _extra(expected: Expected, given: Given, text: str, numbers: Sequence[Stated]) -> list[str]:
    """Candidates that are named and not among the items; one whose words only stand inside a right item is not named by it.

    Other candidates are sought as they are spelled: a band called "Live" is not named by every answer that holds the word.
    """
    rest = _without(_words(text), expected.items)
    right = [_tokens(item) for item in expected.items]
    extra: list[str] = []
    for other in expected.candidates:
        value = _as_number(other)
        named = _runs(rest, _words(other)) if value is None else any(number.within(value) for number in numbers)
        if named and _tokens(other) not in right and not holds(given.question, other):
            extra.append(other)
    return extra


def _without(words: list[str], items: Iterable[str]) -> list[str]:
    """`words` with those of `items` struck out, longest items first."""
    keys = [folded(word) for word in words]
    for item in sorted(map(_tokens, items), key=len, reverse=True):
        for start in _runs(keys, item):
            keys[start : start + len(item)] = [""] * len(item)
    return [word if key else "" for word, key in zip(words, keys, strict=True)]


def _runs(words: Sequence[str], sought: Sequence[str]) -> list[int]:
    """Where `sought` stands in `words`; nowhere, if it is empty."""
    width = len(sought)
    return [start for start in range(len(words) - width + 1) if width and list(words[start : start + width]) == list(sought)]


def _as_number(item: str) -> Decimal | None:
    return Decimal(item) if re.fullmatch(r"-?\d+(\.\d+)?", item) else None


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", text))


def _tokens(text: str) -> list[str]:
    return [folded(word) for word in _words(text)]


def _listed(items: Iterable[str]) -> str:
    return ", ".join(items)

"""Whether a word or a value stands in what was asked, as far as spelling tells it."""

from __future__ import annotations

import re
import unicodedata

from sleuth.structured_output.grammar.grounded import numbers_in, renderings, stated_in

_DATE = re.compile(r"([0-9]{4})-[0-9]{2}-[0-9]{2}")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_YEAR = re.compile(r"(?<![0-9])(?:1[5-9]|20|21)[0-9]{2}(?![0-9])")


def stands_in(value: str, said: str) -> bool:
    """Whether `said` names `value`: a number in any spelling, a text by one of its words, a date by its year.

    Also by the year before: "in 2024" is up to the first day of 2025.
    """
    years = {int(year) for year in _YEAR.findall(said)}
    if dated := _DATE.match(value):
        return not years.isdisjoint({int(dated[1]), int(dated[1]) - 1})
    if _NUMBER.fullmatch(value):
        stated = {*stated_in(said), *numbers_in(said)}
        return not stated.isdisjoint(renderings(value)) or float(value) - 1 in years
    own = words_of(value)
    return not own or value.casefold() in said.casefold() or any(akin(word, other) for word in own for other in words_of(said))


def akin(one: str, other: str) -> bool:
    """Alike to the fourth letter: "contracts" and "contract_id"."""
    return one[:4] == other[:4]


def words_of(text: str) -> list[str]:
    """Words of four letters or more, folded, once each, in order."""
    folded = "".join(one for one in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(one))
    return list(dict.fromkeys(re.findall(r"[^\W\d_]{4,}", folded)))

"""The numbers that a text states, in the ways English, German, Spanish and French write them.

"8,300,000.00", "8.300.000,00", "8 300 000" and "8.3 M€" are one number. One separator before three digits can be read both ways
("1.234"): both readings are kept, unless the digits are zeros ("9.000" is nine thousand). Dates, times, versions and identifiers
("2025-03-01", "12:30", "1.2.3", "C-2025-004") state no number; a clause ("8.3") does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

_FACTORS = {
    1_000: ("k", "thousand", "tsd", "tausend", "mil", "mille"),
    1_000_000: ("mio", "mill", "million", "millions", "millionen", "millón", "millones"),
}
_FACTOR_OF = {unit: factor for factor, units in _FACTORS.items() for unit in units}

_SPACE = " \u00a0\u202f"
_JOINER = ".,:/'’-"

_NUMBER = re.compile(
    rf"""(?<!\w) (?<!\w[{_JOINER}])
    (?P<sign> [-−] )?
    (?P<run> \d{{1,3}} (?:[{_SPACE}]\d{{3}})+ (?:[.,]\d+)? (?!\d) | \d+ (?:[{_JOINER}]\d+)* )
    (?: [{_SPACE}]? (?P<unit> M | (?i:{"|".join(_FACTOR_OF)}) ) (?!\w) )?
    (?! \w | [{_JOINER}]\d )""",
    re.VERBOSE,
)

_WORDS = {
    "en": "zero _ two three four five six seven eight nine ten eleven twelve",
    "de": "null _ zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "es": "cero _ dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "fr": "zéro _ deux trois quatre cinq six sept huit neuf dix onze douze",
}
"""The word for one is left out: it is an article or a pronoun as often as a number."""

_WORD = re.compile(r"\w+(?:[-.,:/'’]\w+)*")


@dataclass(frozen=True, slots=True)
class Stated:
    """One number of a text: what it may mean, and the words it stands between (folded; "" at the ends)."""

    values: tuple[Decimal, ...]
    before: str
    after: str

    def within(self, value: Decimal, tolerance: Decimal = Decimal(0)) -> bool:
        return any(abs(own - value) <= tolerance for own in self.values)


def stated(text: str, lang: str = "en") -> tuple[Stated, ...]:
    """The numbers of `text` in order. Numbers in digits are read whatever the language, the words up to twelve in `lang`."""
    found = [(place, values) for place, values in (*_in_digits(text), *_in_words(text, lang)) if values]
    return tuple(Stated(values, _last_word(text[:start]), _first_word(text[end:])) for (start, end), values in sorted(found))


def readings(run: str) -> tuple[Decimal, ...]:
    """What a run of digits and separators may mean: nothing, one number, or two."""
    if re.search(r"[:/-]", run):
        return ()
    run = re.sub(rf"(?<=\d)[{_SPACE}'’](?=\d{{3}}(?!\d))", "", run)
    if not re.fullmatch(r"[\d.,]+", run):
        return ()
    marks = re.findall(r"[.,]", run)
    if not marks:
        return (Decimal(run),)
    whole, _, decimals = run.rpartition(marks[-1])
    if len(marks) == 1:
        return _one_mark(whole, decimals)
    grouped = r"\d{1,3}(?:[.,]\d{3})+"
    if len(set(marks)) == 1:
        return (Decimal(re.sub(r"[.,]", "", run)),) if re.fullmatch(grouped, run) else ()
    if len(set(marks[:-1])) == 1 and re.fullmatch(grouped, whole):
        return (Decimal(f"{re.sub('[.,]', '', whole)}.{decimals}"),)
    return ()


def _one_mark(whole: str, decimals: str) -> tuple[Decimal, ...]:
    as_decimal = Decimal(f"{whole}.{decimals}")
    if len(decimals) != 3 or len(whole) > 3 or whole.startswith("0"):
        return (as_decimal,)
    grouped = Decimal(whole + decimals)
    return (grouped,) if decimals == "000" else (grouped, as_decimal)


def _in_digits(text: str) -> Iterator[tuple[tuple[int, int], tuple[Decimal, ...]]]:
    for match in _NUMBER.finditer(text):
        unit = match["unit"]
        factor = _FACTOR_OF.get(unit.lower(), 1_000_000) if unit else 1
        sign = -1 if match["sign"] else 1
        yield match.span(), tuple(value * factor * sign for value in readings(match["run"]))


def _in_words(text: str, lang: str) -> Iterator[tuple[tuple[int, int], tuple[Decimal, ...]]]:
    words = {word: Decimal(value) for value, word in enumerate(_WORDS.get(lang, "").split()) if word != "_"}
    for match in _WORD.finditer(text):
        value = words.get(match.group().casefold())
        if value is not None:
            yield match.span(), (value,)


def _first_word(text: str) -> str:
    found = _WORD.search(text)
    return found.group().casefold() if found else ""


def _last_word(text: str) -> str:
    words = _WORD.findall(text[-80:])
    return words[-1].casefold() if words else ""

"""Text that cannot state a number nobody has seen.

A number is a maximal run of digits with the separators that hold one together ("8,300,000.00", "2025-03-01", "8.3"). The
pattern made here lets any words through, and digits only as one of the allowed numbers, never glued to another into a third.
Numbers written as words ("forty-seven") are words to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

_JOINERS = ".,:/'’-"
"""What can hold digits together as one number, date, time or identifier."""

_NUMBER = re.compile(rf"[0-9]+(?:[{re.escape(_JOINERS)}][0-9]+)*")

_FIRST = r"[^0-9\s!-/:-@\[-`{-~]"
"""A letter of any script, or an opening mark like ¿: no digit, blank or ASCII punctuation."""

_SPECIAL = re.compile(r"[.^$*+?()\[\]{}|\\/-]")

_THOUSANDS = re.compile(r"(\d+(?:[.,]\d+)?)\s?(k|K|mil\b|Tsd\b|thousand\b|M\b|m\b|million\b|Mio\b|millones\b|Millionen\b)")
_SHORT = re.compile(_THOUSANDS.pattern.replace(r"\s?", r"(\s?)"))
_FACTOR = {"k": 1_000, "mil": 1_000, "tsd": 1_000, "thousand": 1_000}


def numbers_in(text: str) -> list[str]:
    """The numbers of a text as they stand there, in order, once each."""
    return list(dict.fromkeys(_NUMBER.findall(text)))


def stated_in(question: str) -> list[str]:
    """The numbers an answer may take from the question: as they stand there, short forms only with their unit or spelled out.

    Of "above 100k€ in 2025" an answer may repeat 100k, 100000 and 2025, but not say that there are 100 of something.
    """
    whole = _THOUSANDS.sub(" ", question)
    short = [f"{figure}{gap}{unit}" for figure, gap, unit in _SHORT.findall(question)]
    spelled = [form for number in spelled_out(question) for form in renderings(number)]
    return list(dict.fromkeys([*numbers_in(whole), *short, *spelled]))


def spelled_out(text: str) -> list[str]:
    """What the short forms of a text stand for: "100k€" gives 100000, "8.3 M" gives 8300000."""
    found: list[str] = []
    for figure, unit in _THOUSANDS.findall(text):
        factor = _FACTOR.get(unit.lower(), 1_000_000)
        value = Decimal(figure.replace(",", ".")) * factor
        if value == value.to_integral_value():
            found.append(str(int(value)))
    return list(dict.fromkeys(found))


def renderings(number: str) -> list[str]:
    """The ways to write one plain number ("8300000.00"): grouped by comma, point or space, without empty decimals, in short.

    Rounding is offered to two decimals, and to one where the unit says so: "8.3 M" for 8,312,450. Text that is no plain number is
    given back as it is.
    """
    if not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", number):
        return [number]
    value = Decimal(number.lstrip("-"))
    whole, _, decimals = number.lstrip("-").partition(".")
    grouped = [f"{int(whole):,}", f"{int(whole):,}".replace(",", "."), f"{int(whole):,}".replace(",", " ")]
    forms = [number.lstrip("-"), *grouped]
    if decimals:
        endings = list(dict.fromkeys([decimals, f"{value:.2f}".partition(".")[2]]))
        spelled = [
            form for ending in endings for form in (f"{grouped[0]}.{ending}", f"{grouped[1]},{ending}", f"{whole},{ending}")
        ]
        forms = [number.lstrip("-"), f"{value:.2f}", *spelled, *([] if int(decimals) else [whole, *grouped])]
    for size, units in ((1_000_000, ("M", "million", "Mio", "millones")), (1_000, ("k",))):
        if value >= size:
            short = f"{value / size:.1f}".removesuffix(".0")
            forms += [f"{short} {unit}" for unit in units] + [f"{short}{units[0]}"]
            forms += [f"{short.replace('.', ',')} {unit}" for unit in units] if "." in short else []
    return list(dict.fromkeys(forms))


def grounded_pattern(allowed: Iterable[str], stated: Sequence[Iterable[str]] = ()) -> str:
    """A regular expression (Rust syntax, anchored, one line) for a sentence whose every number is one of `allowed`.

    It begins with a word: a sentence that begins with a number is mostly a heading copied. For each group of `stated`, one of its
    forms must be said, once and in that order, unless `allowed` has it too. Spelled as `renderings` gives them. Linear in the
    total length of the forms.
    """
    musts = [_alternatives(group) for group in stated if any(group)]
    # With groups to state, runs are bounded in the pattern itself: LLGuidance cannot tell whether such a pattern and a maxLength
    # leave anything to say.
    word, few = ("[^0-9\\n]{0,90}", "{0,3}") if musts else ("[^0-9\\n]*", "*")
    begin = f"^{_FIRST}{word}"
    forms = _alternatives(allowed)
    if not forms and not musts:
        return f"{begin}$"
    joiners = _escape_class(_JOINERS)
    # After a joiner a digit would prolong the number, so a non-digit has to follow it.
    apart = f"(?:[^0-9\\n{joiners}]{word}|[{joiners}][^0-9\\n]{word})"
    more = f"(?:{forms}{apart}){few}" if forms else ""
    if not musts:
        return f"{begin}{more}(?:{forms}{word})?$"
    said = f"{apart}{more}".join(musts)
    end = f"(?:{word}|{apart}{more}(?:{forms}{word})?)" if forms else word
    return f"{begin}{more}{said}{end}$"


def stray_numbers(text: str, allowed: Iterable[str]) -> list[str]:
    """The numbers of `text` that are none of `allowed`: the same rule as the pattern, for text that was written without it."""
    seen = {number for form in allowed for number in numbers_in(form)}
    return [number for number in numbers_in(text) if number not in seen]


def _alternatives(forms: Iterable[str]) -> str:
    """The longest first, so that no form hides a longer one; "" for none."""
    listed = sorted({form for form in forms if form}, key=lambda form: (-len(form), form))
    return "(?:" + "|".join(_escape(form) for form in listed) + ")" if listed else ""


def _escape(form: str) -> str:
    return _SPECIAL.sub(lambda found: "\\" + found.group(), form)


def _escape_class(characters: str) -> str:
    return "".join("\\" + character if character in "-]^\\/" else character for character in characters)

"""Text that cannot state a number nobody has seen.

A number is a maximal run of digits with the separators that hold one together ("8,300,000.00", "2025-03-01", "8.3"). The
pattern made here lets any words through, and keeps of the numbers that

- a digit or number sign (ASCII, ２, ٢, २, ², ½, Ⅷ, ②) stands only inside one of the allowed forms;
- no form is glued to another, by one of the separators or by blanks alone ("47 300");
- no form is followed by a k or M that multiplies it ("47k", "47 M€"), nor is one that ends in a letter drawn on into another
  word ("8.3 M" into "8.3 Mrd"): they pass where the form itself has them.

What follows a number in words ("47 million") the pattern lets through, and with it the number signs of rarer scripts: kept out
too, they would make compiling and masks take half as long again and more. So finished text is held against `stray_numbers`,
which reads all of Unicode N and every word of `_SCALES`.

Neither keeps signs, units and what a number counts; numbers written as words ("forty-seven", 四十七), of which "half a" before a
number is one; two numbers with a letter or sign between them ("8.3e6", "47 × 10", where both were seen); a bare "m", which is
metres as often as millions, and "miles", which is Spanish and English; multiplying words that `_SCALES` lacks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from decimal import Decimal

_JOINERS = ".,:/'’-"
"""What can hold digits together as one number, date, time or identifier."""

_STOPS = ".,:\\/'’"
"""The same without the hyphen, which also begins a word. Inside a character class."""

_BLANKS = " \t\u00a0\u2000-\u200f\u202f"
"""Blanks, and marks that are not seen at all. Inside a character class."""

_LETTERS = "A-Za-z\u00c0-\u024f\u0300-\u036f"
"""Latin letters, in which the multiplying words are written. Inside a character class."""

_SCALES: tuple[tuple[str, int | None, str], ...] = (
    # words; what they multiply by, where all who use them agree; what marks decimals before them: "8.312 million", "8,312 Mio"
    ("k kEUR kUSD kGBP kCHF", 10**3, ""),
    ("thousand thousands", 10**3, "."),
    ("mil mila mille Tsd Tausend duizend", 10**3, ","),
    ("M MEUR MUSD MGBP MCHF mn million millions", 10**6, "."),
    ("Mio mln millón millon millones Millionen milione milioni milhão milhões miljoen", 10**6, ","),
    ("bn billion billions", 10**9, "."),
    ("Mrd mld Md Mds Milliarde Milliarden milliard milliards miliardo miliardi miljard", 10**9, ","),
    ("hundred hundreds hundert honderd dozen dozens Dutzend docena docenas lakh lakhs crore crores", None, ""),
    ("millier milliers milhar milhares millares migliaia trillion trillions Trillionen", None, ""),
    ("billón billones Billion Billionen bilione bilioni bilhão bilhões biljoen biljard", None, ""),
    ("тысяч тысячи тысяча тыс χιλιάδες ألف آلاف हज़ार हजार tysiąc tysiące tysięcy tisíc tisíce tusen tusind", 10**3, ","),
    ("nghìn ngàn ribu mii", 10**3, ","),
    ("миллион миллиона миллионов млн εκατομμύρια εκατομμύριο مليون ملايين milyon miljon miljoner millioner", 10**6, ","),
    ("milionów miliony milionu milionů milión triệu juta milioane", 10**6, ","),
    ("миллиард миллиарда миллиардов млрд δισεκατομμύρια مليار milyar miljarder milliarder miliardów miliardy", 10**9, ","),
    ("miliardů miliarde miliar tỷ", 10**9, ","),
    ("लाख करोड़ करोड Tausende Tausenden Hunderte quadrillion quadrillions quintillion thousandths", None, ""),
)
_COMPOUND = {"mil millones": 10**9}
_SIGNS = "十百千万亿億兆萬만억천백조"
"""Scales of languages that leave no blank before the next word."""


def _ranges(codes: Iterable[int]) -> str:
    """Rising code points as the inside of a character class."""
    ranges: list[list[int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(chr(low) if low == high else f"{chr(low)}-{chr(high)}" for low, high in ranges)


_DIGITS = (
    "0-9\u00b2\u00b3\u00b9\u00bc-\u00be\u0660-\u0669\u06f0-\u06f9\u0966-\u096f"
    "\u2070-\u2089\u2150-\u218b\u2460-\u24ff\uff10-\uff19"
)
"""What a mask keeps out of Unicode N: its cost is in the number of ranges. Spelled out, as not every engine that reads these
patterns knows \\p{N}; Python's own does not. Inside a character class."""

_EVERY = _ranges(code for code in range(0x20000) if unicodedata.category(chr(code))[0] == "N" or 0x2460 <= code <= 0x24FF)
"""Unicode N, all of which is in these planes, and the letters in circles among its signs. Inside a character class."""

_WORDS = {word: (times, mark) for words, times, mark in _SCALES for word in words.split()}
_NUMBER = rf"[{_EVERY}]+(?:[{re.escape(_JOINERS)}٫٬][{_EVERY}]+)*"
_GROUPED = rf"(?<![{_EVERY}{re.escape(_JOINERS)}])[0-9]{{1,3}}(?:[{_BLANKS}][0-9]{{3}})+(?:[.,][0-9]+)?(?![{_EVERY}])"
"""Thousands set apart by blanks: "8 300 000,00"."""

_NUMBERS = re.compile(_NUMBER)
_GROUPS = re.compile(_GROUPED)
_SHORT = re.compile(
    rf"(?P<figure>{_GROUPED}|{_NUMBER})(?P<gap>[{_BLANKS}]*|-)(?:(?P<sign>[多几幾数]*[{_SIGNS}])|(?P<unit>M|mil millones"
    rf"|(?i:{'|'.join(sorted((word for word in _WORDS if word != 'M'), key=len, reverse=True))}))(?![{_LETTERS}]))"
)
_UNIT_SIGN = re.compile("[€$£¥₹%‰]")
_WITH_UNIT = re.compile(
    rf"[€$£¥₹][{_BLANKS}]*[{_EVERY}]|[{_EVERY}](?:[{_BLANKS}]*(?:{'|'.join(_WORDS)})\.?)?[{_BLANKS}]*[€$£¥₹%‰]"
)
_SPECIAL = re.compile(r"[.^$*+?()\[\]{}|\\/-]")


def numbers_in(text: str) -> list[str]:
    """The numbers of a text as they stand there, in order, once each; thousands that blanks set apart also as one."""
    return list(dict.fromkeys([*_NUMBERS.findall(text), *_GROUPS.findall(text)]))


def stated_in(question: str) -> list[str]:
    """The numbers an answer may take from the question: as they stand there, short forms only with their unit or spelled out.

    Of "above 100k€ in 2025" an answer may repeat 100k, 100000 and 2025, but not say that there are 100 of something.
    """
    return list(dict.fromkeys([*numbers_in(_SHORT.sub(" ; ", question)), *_short_forms(question)]))


def forms_in(text: str, beside: Sequence[str] = ()) -> list[str]:
    """The same of a piece of evidence, each number in all its spellings, without the numbers of `beside`."""
    numbers = [number for number in numbers_in(_SHORT.sub(" ; ", text)) if number not in beside]
    return list(dict.fromkeys([*(form for number in numbers for form in renderings(number)), *_short_forms(text)]))


def _short_forms(text: str) -> list[str]:
    return [*(found.group() for found in _SHORT.finditer(text)), *(form for one in spelled_out(text) for form in renderings(one))]


def spelled_out(text: str) -> list[str]:
    """What the short forms of a text stand for: "100k€" gives 100000, "8.3 M" gives 8300000."""
    found: list[str] = []
    for short in _SHORT.finditer(text):
        times, mark = _scale(short["unit"] or "")
        figure = "".join(short["figure"].split())
        if times and re.fullmatch(r"[0-9]+(?:[.,][0-9]+)*", figure):
            value = _value(figure, mark) * times
            if value == value.to_integral_value():
                found.append(str(int(value)))
    return list(dict.fromkeys(found))


def _scale(unit: str) -> tuple[int | None, str]:
    if unit in _COMPOUND:
        return _COMPOUND[unit], ","
    known = _WORDS.get(unit)
    return known or next((scale for word, scale in _WORDS.items() if word.casefold() == unit.casefold()), (None, ""))


def _value(figure: str, mark: str) -> Decimal:
    """A separator sets thousands apart where it stands twice, or before three digits and is not the `mark` of decimals."""
    *groups, last = re.split("[.,]", figure)
    if not groups:
        return Decimal(figure)
    separators = re.findall("[.,]", figure)
    mixed = len(set(separators)) > 1
    thousands = not mixed and len(last) == 3 and (len(separators) > 1 or separators[0] != mark)
    return Decimal("".join(groups) + ("" if thousands else ".") + last)


_UNITS = (
    (10**9, ("bn", "billion", "Mrd", "Milliarden", "mil millones", "milliards", "miliardi", "miljard")),
    (10**6, ("M", "million", "Mio", "millones", "millions", "Millionen", "milioni", "milhões", "miljoen")),
    (10**3, ("k",)),
)


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
    for size, units in _UNITS:
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
    musts = [forms for group in stated if any(forms := _split(group))]
    # With groups to state, runs are bounded in the pattern itself: LLGuidance cannot tell whether such a pattern and a maxLength
    # leave anything to say.
    word, few = (f"[^{_DIGITS}\\n]{{0,90}}", "{0,3}") if musts else (f"[^{_DIGITS}\\n]*", "*")
    # A letter of any script, or an opening mark like ¿: no digit, blank or ASCII punctuation.
    begin = f"^[^{_DIGITS}\\s!-/:-@\\[-`{{-~]{word}"
    forms = _split(allowed)
    more = f"(?:{_going_on(forms)}{word}){few}" if any(forms) else ""
    last = f"(?:{_at_the_end(forms)})?" if any(forms) else ""
    if not musts:
        return f"{begin}{more}{last}$"
    *earlier, final = musts
    said = "".join(f"{_going_on(must)}{word}{more}" for must in earlier)
    return f"{begin}{more}{said}(?:{_at_the_end(final)}|{_going_on(final)}{word}{more}{last})$"


def stray_numbers(text: str, allowed: Iterable[str]) -> list[str]:
    """The numbers of `text` that are none of `allowed`, each with the word that multiplies it, which may vary ("Mio", "mln")."""
    forms = list(allowed)
    plain = {number for form in forms for number in numbers_in(_SHORT.sub(" ; ", form))}
    short = {_bare(form) for form in forms} | {value for form in forms for value in spelled_out(form)}
    stray = [one for found in _SHORT.finditer(text) if not short.intersection([_bare(one := found.group()), *spelled_out(one)])]
    return [*stray, *(number for number in numbers_in(_SHORT.sub(" ; ", text)) if number not in plain)]


def bare_units(text: str) -> list[str]:
    """The signs of currencies and shares in `text` that stand beside no number: a figure was due, and none could be said."""
    return [found.group() for found in _UNIT_SIGN.finditer(_WITH_UNIT.sub("", text))]


def _bare(form: str) -> str:
    return "".join(form.split()).casefold()


def _split(forms: Iterable[str]) -> tuple[str, str]:
    """The forms that end in a digit and those that end in a letter, as alternatives; "" for none."""
    listed = sorted({form for form in forms if form}, key=lambda form: (-len(form), form))  # none hides a longer one
    figures, short = ("|".join(_escape(form) for form in listed if form[-1].isalpha() is letter) for letter in (False, True))
    return figures and f"(?:{figures})", short and f"(?:{short})"


def _going_on(forms: tuple[str, str]) -> str:
    """One of the forms and what keeps it apart from what follows: something that is no digit, blank or multiplying word."""
    figures, short = forms
    # A joiner or a hyphen before a digit would prolong the number.
    mark = f"(?:[{_BLANKS}]*[{_STOPS}]|[{_BLANKS}]+-|-[{_BLANKS}])[^{_DIGITS}\\n]"
    other = f"[{_BLANKS}]*[^{_DIGITS}\\n{_BLANKS}{_LETTERS}{_escape(_JOINERS)}]"
    before_words = [f"{figures}(?:[{_BLANKS}]*|-)"] * bool(figures) + [f"{short}(?:[{_BLANKS}]+|-)"] * bool(short)
    either = "|".join(filter(None, forms))
    return f"(?:(?:{'|'.join(before_words)}){_NO_SCALE}|(?:{either})(?:{mark}|{other}))"


def _at_the_end(forms: tuple[str, str]) -> str:
    """One of the forms and a stop, or a unit of one letter."""
    figures, short = forms
    joiner = f"[{_BLANKS}]*[{_escape(_JOINERS)}]?"
    ways = [f"{figures}(?:[{_BLANKS}]*[A-JLN-Za-jl-z])?{joiner}"] if figures else []
    return "|".join([*ways, *([f"{short}{joiner}"] if short else [])])


_NO_SCALE = "(?:[A-JLN-Za-jl-z\u00c0-\u024f\u0300-\u036f]|[kKM][A-Za-z\u00c0-\u024f\u0300-\u036f])"
"""The beginning of a word that is not k, K or M alone."""


def _escape(form: str) -> str:
    return _SPECIAL.sub(lambda found: "\\" + found.group(), form)

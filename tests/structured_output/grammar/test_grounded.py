"""A masked model can state no number that was not seen: the pattern, the spellings, and the check for unmasked text agree."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth.errors import ConstraintViolated
from sleuth.structured_output.compile import check
from sleuth.structured_output.constraint import JsonSchema, Regex
from sleuth.structured_output.grammar.grounded import (
    forms_in,
    grounded_pattern,
    numbers_in,
    renderings,
    spelled_out,
    stated_in,
    stray_numbers,
)
from sleuth.structured_output.verify import verify

SEEN = ["47", "300", "8300000.00", "2025-03-01", "8.3"]
ALLOWED = [form for number in SEEN for form in renderings(number)]


def lets_through(text: str) -> bool:
    """Asked of the mask's engine, of the validator and of Python's own, which must agree."""
    pattern = grounded_pattern(ALLOWED)
    told = [holds(text, Regex(pattern)), holds(json.dumps(text), JsonSchema.of({"type": "string", "pattern": pattern}))]
    assert told == [re.search(pattern, text) is not None] * 2
    return told[0]


def holds(text: str, constraint: Regex | JsonSchema) -> bool:
    try:
        verify(text, constraint)
    except ConstraintViolated:
        return False
    return True


@pytest.mark.parametrize(
    "text",
    [
        "No number at all.",
        "There are 47 contracts.",
        "In total 8,300,000.00 €, that is 8.3 M€ or 8.300.000 €.",
        "Clause 8.3: signed on 2025-03-01, 47 of them.",
        "It is 47.",
        "El total es 8,3 millones.",
        "¿Total? Son 47.",
        "Ärger: 47",
        "Son 8 300 000 €, 8,3 Millionen €, 8.3 M.",
        "It is 47 m",
        "It is 47 km, 47 kg, 47 Kunden, 47 Mitarbeiter, 47-day and 47th.",
        "It is 47, 300 or 47 - 300; 47 – 300",
        "Por 47 € y 300 %",
    ],
)
def test_a_text_of_seen_numbers_passes(text: str) -> None:
    assert lets_through(text)


@pytest.mark.parametrize(
    "text",
    [
        "There are 48 contracts",
        "47 contracts were signed.",
        "- 47",
        "It is 4747 contracts",
        "It is 47.8 percent",
        "It is 47,8",
        "It is 8.3.47",
        "It is 2025-03-02",
        "It is 47-47",
        "It is 1 contract",
        "It is 8300001",
        "It is 47:47",
        "It is 8.4 M€",
        "It is ４８",
        "It is 47²",
        "It is ² and ½",
        "It is ٤٨",
        "It is 47 300",
        "It is 47\u00a0300",
        "It is 47\u202f300",
        "It is 47\u2009300",
        "It is 47  300",
        "It is 47 .300",
        "It is 47k",
        "It is 47 k€",
        "It is 47 K.",
        "It is 47 M",
        "It is 47 M€",
        "It is 8.3 M 300",
    ],
)
def test_a_number_that_was_not_seen_does_not_pass_nor_two_glued_into_a_third(text: str) -> None:
    assert not lets_through(text)


def test_groups_of_forms_must_be_said_in_their_order() -> None:
    pattern = grounded_pattern(["2025"], [renderings("47"), renderings("8300000.00")])
    assert re.search(pattern, "In 2025 there were 47 contracts, 8.3 M€ in total, all signed in 2025.")
    assert re.search(pattern, "There were 47 contracts, 8,300,000 EUR")
    assert not re.search(pattern, "There were 47 contracts.")
    assert not re.search(pattern, "It was 8.3 M€ in 47 contracts.")
    assert not re.search(pattern, "There were 2025 contracts, 8.3 M€ in total.")
    assert not re.search(pattern, "There were 47 contracts, 47 in all, of 8.3 M€.")
    assert re.search(grounded_pattern([], [["47"]]), "There were 47 contracts.")
    assert not re.search(grounded_pattern([], [["47"]]), "There were 47 contracts in 2025.")


def test_a_short_form_of_the_question_may_be_repeated_but_not_its_bare_digits() -> None:
    stated = stated_in("above 100k€ in 2025")
    assert {"2025", "100k", "100000", "100,000"} <= set(stated)
    assert "100" not in stated


def test_a_text_with_no_number_allowed_holds_none() -> None:
    assert re.search(grounded_pattern([]), "words only")
    assert not re.search(grounded_pattern([]), "1")


@pytest.mark.parametrize(
    ("number", "spelling"),
    [
        ("8300000.00", "8,300,000"),
        ("8300000.00", "8.300.000"),
        ("8300000.00", "8.3 M"),
        ("8312450.00", "8.3 million"),
        ("1234.5", "1,234.50"),
        ("1234.5", "1.234,5"),
        ("100000", "100k"),
        ("2025-03-01", "2025-03-01"),
    ],
)
def test_one_number_has_the_spellings_people_use(number: str, spelling: str) -> None:
    assert spelling in renderings(number)


def test_rounding_is_only_offered_with_its_unit() -> None:
    assert "8.3" not in renderings("8312450.00")


def test_short_forms_of_a_question_are_spelled_out() -> None:
    assert spelled_out("above 100k€, 2.5 million or 3 mil") == ["100000", "2500000", "3000"]


@given(st.lists(st.from_regex(r"[1-9][0-9]{0,6}(\.[0-9]{1,2})?", fullmatch=True), max_size=5), st.text(max_size=60))
def test_whatever_passes_states_only_allowed_numbers(numbers: list[str], noise: str) -> None:
    allowed = [form for number in numbers for form in renderings(number)]
    text = noise.replace("\n", " ")
    if re.search(grounded_pattern(allowed), text):
        seen = {piece for form in allowed for piece in numbers_in(form)}
        assert set(numbers_in(text)) <= seen
        assert not stray_numbers(text, allowed)


@given(st.lists(st.from_regex(r"[1-9][0-9]{0,6}", fullmatch=True), min_size=1, max_size=5))
def test_every_allowed_number_can_be_said_among_words(numbers: list[str]) -> None:
    text = " and ".join(f"there are {number} of them" for number in numbers) + "."
    assert re.search(grounded_pattern(numbers), text)


def test_the_pattern_compiles_to_a_mask() -> None:
    check(Regex(grounded_pattern(ALLOWED)))


@pytest.mark.parametrize(
    "words",
    [
        "million",
        "Millionen",
        "thousand",
        "Tsd.",
        "mil",
        "Mrd",
        "Mio.",
        "bn",
        "k",
        "M€",
        "millones",
        "milhões",
        "mila",
        "dozen",
        "万",
    ],
)
def test_a_number_that_a_word_multiplies_is_another_number(words: str) -> None:
    assert stray_numbers(f"There are 47 {words} of them", ALLOWED)
    assert stray_numbers(f"There are 47-{words}", ALLOWED)
    assert not stray_numbers(f"There are 47 {words} of them", forms_in(f"47 {words}"))


@pytest.mark.parametrize(
    "words",
    ["47 тысяч", "47 миллионов", "47 مليون", "47 लाख", "47 milyon", "47 tysięcy", "47 miljoner", "47만", "47多亿", "47٫5"],
)
def test_so_it_is_in_languages_further_off(words: str) -> None:
    assert stray_numbers(f"There are {words}.", ["47", "5"])
    assert not stray_numbers(f"There are {words}.", [words])


def test_the_word_that_multiplies_may_be_another_of_the_same_size() -> None:
    assert not stray_numbers("8,3 mln, 8.3 MILLION, 8.3 milioni", ALLOWED)
    assert stray_numbers("8.3 thousand, 8.3 Mrd", ALLOWED) == ["8.3 thousand", "8.3 Mrd"]


def test_finished_text_is_read_for_the_digits_of_every_script() -> None:
    for code in range(0x20000):
        if unicodedata.category(chr(code))[0] == "N" and chr(code) not in "0123456789":
            assert stray_numbers(f"x {chr(code)}", ALLOWED) == [chr(code)]


def test_what_is_said_of_thousands_is_not_said_of_units() -> None:
    forms = forms_in("47 thousand units, 8 300 EUR, 5 items")
    assert {"47 thousand", "47000", "47,000", "8 300", "5"} <= set(forms)
    assert "47" not in forms


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1,200k", ["1200000"]),
        ("1.200k", ["1200000"]),
        ("1.5k", ["1500"]),
        ("8.312 million", ["8312000"]),
        ("8,312 Mio", ["8312000"]),
        ("2.500 millones", ["2500000000"]),
        ("3 mil millones", ["3000000000"]),
        ("1 200 k", ["1200000"]),
        ("1,200,000 k", ["1200000000"]),
        ("1.234,5 k", ["1234500"]),
        ("within 5 m", []),
        ("5 M", ["5000000"]),
        ("5 km, 3 kg, 300 miles", []),
        ("100 kEUR", ["100000"]),
    ],
)
def test_short_forms_are_read_as_they_are_meant(text: str, numbers: list[str]) -> None:
    assert spelled_out(text) == numbers


def test_metres_of_a_question_may_be_repeated_and_are_no_millions() -> None:
    assert stated_in("within 5 m") == ["5"]


NUMBER_SIGNS = st.characters(categories=["Nd", "Nl", "No"], max_codepoint=0x1FFFF)


@given(st.text(st.one_of(st.sampled_from("47 30083.,-kM€m\u00a0\u202f"), NUMBER_SIGNS), max_size=12))
def test_whatever_passes_pattern_and_check_is_made_of_allowed_numbers(noise: str) -> None:
    text = f"x {noise}".replace("\n", " ")
    if re.search(grounded_pattern(ALLOWED), text) and not stray_numbers(text, ALLOWED):
        pieces = {piece for form in ALLOWED for piece in numbers_in(form)}
        runs = re.findall(r"[\d\u00b2\u00b3\u00b9]+(?:[.,:/'’-]\d+)*", text)
        assert set(runs) <= pieces
        glued = re.findall(r"[0-9][0-9.,]*(?:[\s]+[0-9][0-9.,]*)+", text)
        assert {one.rstrip(".,") for one in glued} <= set(ALLOWED)
        assert not re.search(r"47\s*[kM](?![A-Za-z])", text)


def test_a_short_form_is_not_drawn_on_into_another_word() -> None:
    pattern = grounded_pattern(renderings("8300000.00"))
    assert re.search(pattern, "It is 8.3 M€") and re.search(pattern, "It is 8.3 M.")
    assert not re.search(pattern, "It is 8.3 Mrd") and not re.search(pattern, "It is 8.3 millionfold")

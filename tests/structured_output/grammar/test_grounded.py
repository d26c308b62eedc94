"""A masked model can state no number that was not seen: the pattern, the spellings, and the check for unmasked text agree."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth.structured_output.compile import check
from sleuth.structured_output.constraint import Regex
from sleuth.structured_output.grammar.grounded import (
    grounded_pattern,
    numbers_in,
    renderings,
    spelled_out,
    stated_in,
    stray_numbers,
)

SEEN = ["47", "8300000.00", "2025-03-01", "8.3"]
ALLOWED = [form for number in SEEN for form in renderings(number)]


def lets_through(text: str) -> bool:
    return re.search(grounded_pattern(ALLOWED), text) is not None


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

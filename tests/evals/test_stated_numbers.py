"""Numbers in running text, as four languages write them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from sleuth.evals.stated import stated


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("8,300,000.00 EUR", ["8300000.00"]),
        ("8.300.000,00 EUR", ["8300000.00"]),
        ("8 300 000 euros", ["8300000"]),
        ("8\u202f300\u202f000,5 euros", ["8300000.5"]),
        ("8'300'000 Fr.", ["8300000"]),
        ("8.3 M€", ["8300000.0"]),
        ("8,3 Mio. EUR", ["8300000.0"]),
        ("8,3 millones de euros", ["8300000.0"]),
        ("100k€ and 12 Tsd. EUR", ["100000", "12000"]),
        ("100 mil euros", ["100000"]),
        ("€1700, $ 1,234.5 and 20%", ["1700", "1234.5", "20"]),
        ("3.530,42", ["3530.42"]),
        ("0.875 and 0,875", ["0.875", "0.875"]),
        ("9.000 Euro", ["9000"]),
        ("-5 and −6", ["-5", "-6"]),
        ("in 2025 120 contracts", ["2025", "120"]),
        ("10–20 days, a 47-page contract", ["10", "20", "47"]),
        ("clause 8.3.", ["8.3"]),
        ("(47)", ["47"]),
    ],
)
def test_a_number_is_read_as_it_is_written(text: str, numbers: list[str]) -> None:
    assert [number.values for number in stated(text)] == [(Decimal(number),) for number in numbers]


@pytest.mark.parametrize("text", ["1.234", "1,234"])
def test_one_separator_before_three_digits_can_be_read_both_ways(text: str) -> None:
    (number,) = stated(text)
    assert number.values == (Decimal("1234"), Decimal("1.234"))


@pytest.mark.parametrize(
    "text", ["2025-03-01", "1.3.2025", "12:30", "03/2025", "version 1.2.3", "C-2025-004", "the 4th", "U2", "10-20", "no number"]
)
def test_dates_times_and_identifiers_state_no_number(text: str) -> None:
    assert stated(text) == ()


@pytest.mark.parametrize(
    ("lang", "text", "value"),
    [("en", "Four employees", 4), ("de", "nach sechs Monaten", 6), ("es", "once días", 11), ("fr", "douze jours", 12)],
)
def test_small_numbers_may_be_words_of_the_question_s_language(lang: str, text: str, value: int) -> None:
    assert [number.values for number in stated(text, lang)] == [(Decimal(value),)]


def test_words_of_another_language_are_no_numbers() -> None:
    assert stated("It happened only once, in the elf's house.", "en") == ()


def test_the_neighbours_of_a_number_are_kept() -> None:
    (number,) = stated("There were 47 Contracts.")
    assert (number.before, number.after) == ("were", "contracts")

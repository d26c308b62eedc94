"""Whether a value stands in what was asked."""

from __future__ import annotations

import pytest

from sleuth.asked import stands_in


@pytest.mark.parametrize(
    ("value", "said", "stands"),
    [
        ("2025-01-01", "contracts of 2025", True),
        ("2026-01-01", "contracts of 2025", True),
        ("2027-01-01", "contracts of 2025", False),
        ("2022-01-01", "contracts above 2,022 EUR", False),
        ("100000", "contracts above 100k€", True),
        ("100000.0", "contracts above 100.000 EUR", True),
        ("2026", "until the end of 2025", True),
        ("7", "contracts above 100k€", False),
        ("EU", "with EU providers", True),
        ("Málaga", "socios de malaga", True),
        ("poesía", "books by Saramago", False),
        ("%", "anything", True),
    ],
)
def test_a_value_stands_in_a_question_in_any_spelling(value: str, said: str, stands: bool) -> None:
    assert stands_in(value, said) is stands

"""Database values as text."""

from __future__ import annotations

from decimal import Decimal

import pytest

from sleuth.clean import cell_text
from sleuth.result import Cell


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (79.40000000000002, "79.4"),
        (0.1 + 0.2, "0.3"),
        (47.0, "47"),
        (-1234567.25, "-1234567.25"),
        (12345678901234567.0, "12345678901234600"),
        (1e300, "1e+300"),
        (float("nan"), "nan"),
        (0.0, "0"),
        (Decimal("79.40"), "79.40"),
        (None, "null"),
        (b"abc", "3 bytes"),
    ],
)
def test_a_cell_reads_as_people_write_it(cell: Cell, text: str) -> None:
    assert cell_text(cell) == text

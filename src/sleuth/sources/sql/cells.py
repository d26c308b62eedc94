"""Values as the engines return them, made into exact, bounded cells."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import cast
from uuid import UUID

from sleuth.result import Cell
from sleuth.sources.sql.drivers.base import Fetched, RunLimits


def as_cell(value: object) -> Cell:
    """Numbers, dates and the like as they are; lists, structs and JSON as JSON text; anything else by its text."""
    if value is None or isinstance(value, bool | int | float | str | bytes | Decimal | datetime | date | time | timedelta | UUID):
        return value
    if isinstance(value, bytearray | memoryview):
        return bytes(cast("bytes", value))
    if isinstance(value, dict | list | tuple):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def fetched(columns: Sequence[str], rows: Iterable[Sequence[object]], limits: RunLimits) -> Fetched:
    """At most `limits.rows` rows, each text at most `limits.cell_chars` long; a row more in `rows` says there are more."""
    kept: list[tuple[Cell, ...]] = []
    cut = 0
    more = False
    for row in rows:
        if len(kept) == limits.rows:
            more = True
            break
        cells: list[Cell] = []
        for value in row:
            cell = as_cell(value)
            if isinstance(cell, str | bytes) and len(cell) > limits.cell_chars:
                cut += 1
                cell = cell[: limits.cell_chars] + "…" if isinstance(cell, str) else cell[: limits.cell_chars]
            cells.append(cell)
        kept.append(tuple(cells))
    return Fetched(tuple(columns), tuple(kept), more, cut)

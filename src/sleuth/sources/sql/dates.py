"""How a year is asked for: one way for each engine and kind of column, the whole of 31 December included."""

from __future__ import annotations

import re

from sleuth.result import Json
from sleuth.sources.sql.schema import Column, SqlDialect
from sleuth.sources.sql.vocabulary import written

DATE_ADVICE: dict[SqlDialect, str] = {
    "duckdb": "For a year: year(column) = $1.",
    "postgres": "For a year: extract(year from column) = $1.",
    "sqlite": "Dates are text; for a year: column >= $1 AND column < $2 with '2025-01-01' and '2026-01-01' in params.",
}


def in_year(dialect: SqlDialect, column: Column, year: int, place: int) -> tuple[str, list[Json]]:
    """The condition, its first placeholder $`place`, and the values for it.

    Text holds ISO dates, perhaps with a time: half open, so that what happened during the last day is in the year.
    """
    name = written(column.name, dialect)
    if column.kind == "date" and dialect == "duckdb":
        return f"year({name}) = ${place}", [year]
    if column.kind == "date" and dialect == "postgres":
        return f"extract(year from {name}) = ${place}", [year]
    return f"{name} >= ${place} AND {name} < ${place + 1}", [f"{year:04}-01-01", f"{year + 1:04}-01-01"]


def holds_dates(column: Column) -> bool:
    """By its type, or as text that begins like an ISO date; not where SQLite keeps seconds in a column of such a type."""
    if column.low is None:
        return column.kind == "date"
    return column.kind in ("date", "text") and re.match(r"\d{4}-\d{2}-\d{2}", column.low) is not None

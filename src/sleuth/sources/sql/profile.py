"""A few figures about the values of each table, asked of the database itself; nothing that looks personal."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

from sleuth.errors import SourceError
from sleuth.result import Cell
from sleuth.sources.sql.schema import Column, Schema, Table, is_identifier, quoted

Ask = Callable[[str], tuple[tuple[Cell, ...], ...]]
"""Runs one of the statements below, under the driver's limits, and gives its rows."""

MAX_VALUES = 6
MAX_VALUE_CHARS = 24
MAX_PROFILED_COLUMNS = 60
"""Columns of one table that are looked at; a wider table gives names and types alone."""

_PERSONAL_NAME = re.compile(
    r"e.?mail|phone|mobile|fax|iban|bic|swift|tax|vat|ssn|nif|dni|passport|birth|dob|address|street|zip|post.?code|first.?name|last.?name"
    r"|surname|full.?name|user.?name|login|pass|pwd|token|secret|api.?key|credential|salary|wage|gender|religion|health|ip$|latitude|longitude",
    re.IGNORECASE,
)
# An address, a long run of digits, an IBAN, a long word of letters and digits mixed: a key, a token, an account.
_PERSONAL_VALUE = re.compile(r"@|\d[\d\s().-]{6,}\d|\b[A-Z]{2}\d{2}[A-Z0-9 ]{8,}|\b(?=\w*\d)(?=\w*[A-Za-z])\w{16,}")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}.*)?")


def profiled(schema: Schema, ask: Ask) -> Schema:
    """`schema` with row counts, ranges and frequent values. A table that takes too long keeps what is known of it."""
    return replace(schema, tables=tuple(_table(table, ask) for table in schema.tables))


def _table(table: Table, ask: Ask) -> Table:
    source = f"{quoted(table.namespace)}.{quoted(table.name)}"
    try:
        rows = ask(f"SELECT count(*) FROM {source}")[0][0]
        counted = replace(table, rows=int(str(rows)))
        if not counted.rows or len(table.columns) > MAX_PROFILED_COLUMNS:
            return counted
        return replace(counted, columns=_columns(counted, source, ask))
    except SourceError:
        return table


def _columns(table: Table, source: str, ask: Ask) -> tuple[Column, ...]:
    looked_at = [column for column in table.columns if _may_be_shown(column)]
    if not looked_at:
        return table.columns
    aggregates = ", ".join(f"count(DISTINCT {quoted(c.name)}), min({quoted(c.name)}), max({quoted(c.name)})" for c in looked_at)
    figures = ask(f"SELECT {aggregates} FROM {source}")[0]
    known: dict[str, Column] = {}
    for at, column in enumerate(looked_at):
        distinct, low, high = figures[3 * at : 3 * at + 3]
        known[column.name] = _column(column, int(str(distinct)), low, high, table.rows or 0, source, ask)
    return tuple(known.get(column.name, column) for column in table.columns)


def _may_be_shown(column: Column) -> bool:
    told_apart = column.key or column.references is not None or (column.kind == "number" and is_identifier(column.name))
    return column.kind in ("text", "number", "date") and not told_apart and not _PERSONAL_NAME.search(column.name)


def _column(column: Column, distinct: int, low: Cell, high: Cell, rows: int, source: str, ask: Ask) -> Column:
    dated = isinstance(low, str) and isinstance(high, str) and _ISO_DATE.fullmatch(low) and _ISO_DATE.fullmatch(high)
    if column.kind != "text" or dated:
        return replace(column, low=_short(low), high=_short(high))
    # Values that hardly repeat name one thing each, maybe a person.
    if distinct > MAX_VALUES or rows < 2 * distinct or is_identifier(column.name):
        return column
    name = quoted(column.name)
    frequent = ask(
        f"SELECT {name} FROM {source} WHERE {name} IS NOT NULL GROUP BY {name} ORDER BY count(*) DESC, {name} LIMIT {MAX_VALUES}"
    )
    values = tuple(str(row[0]) for row in frequent)
    # Whoever reads `values` takes them for all there are.
    if len(values) != distinct:
        return column
    if any(len(value) > MAX_VALUE_CHARS or _PERSONAL_VALUE.search(value) or not value.isprintable() for value in values):
        return column
    return replace(column, values=values)


def _short(value: Cell) -> str | None:
    match value:
        case None | bool() | bytes():
            return None
        case datetime():
            return value.date().isoformat()
        case date():
            return value.isoformat()
        case float() | Decimal():
            return f"{value:.2f}".rstrip("0").rstrip(".")
        case str():
            return value[:10] if _ISO_DATE.fullmatch(value) else None
        case _:
            return str(value)

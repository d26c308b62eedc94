"""What a statement compares its columns with: slips a model makes again and again, told to it in words it can act on.

Advice, not safety: a comparison that is not recognised here runs like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sleuth.errors import StatementRefused
from sleuth.result import Cell
from sleuth.sources.sql.schema import Column, Schema, SqlDialect

_COMPARED = re.compile(
    r'(?<![\w."(])(?:(?P<table>\w+)\.)?(?P<column>\w+|"[^"]+")\s*(?P<operator>=|<>|!=|<=|>=|<|>)\s*\$(?P<place>[1-9])(?!\d)'
)

_YEARS = range(1800, 2201)


@dataclass(frozen=True, slots=True)
class Comparison:
    column: Column
    table: str
    operator: str
    value: Cell
    place: int


def check_types(statement: str, params: Sequence[Cell], schema: Schema) -> None:
    """Raises StatementRefused where a date column is compared with a bare number, saying how a year is asked for."""
    for found in comparisons(statement, params, schema):
        number = found.value if isinstance(found.value, int | float) and not isinstance(found.value, bool) else None
        dated = found.column.kind == "date" or (found.column.kind == "text" and _is_date(found.column.low))
        if number is not None and dated:
            hint = _for_year(schema.dialect, found) if number in _YEARS else "compare it with text like '2025-01-31'"
            raise StatementRefused(
                f"{found.column.name} is a date and ${found.place} is the number {number}", rule="types", hint=hint
            )


def strangers(statement: str, params: Sequence[Cell], schema: Schema) -> list[str]:
    """For a result that found nothing: values asked of one column that are known to stand in another."""
    told: list[str] = []
    for found in comparisons(statement, params, schema):
        if found.operator != "=" or not isinstance(found.value, str) or found.value in found.column.values:
            continue
        places = [
            f"{table.name}.{column.name}" for table in schema.tables for column in table.columns if found.value in column.values
        ]
        if places:
            told.append(f'"{found.value}" was looked for in {found.table}.{found.column.name}, but it is a value of {places[0]}')
    return told


def comparisons(statement: str, params: Sequence[Cell], schema: Schema) -> Iterator[Comparison]:
    """Columns compared with a placeholder, as far as a look at the text tells; a name that two tables share is taken once."""
    for match in _COMPARED.finditer(statement):
        place = int(match["place"])
        if place > len(params):
            continue
        name = match["column"].strip('"')
        holders = [table for table in schema.tables if match["table"] in (None, table.name) or len(match["table"]) <= 2]
        for table in holders:
            column = next((column for column in table.columns if column.name.casefold() == name.casefold()), None)
            if column is not None and table.name.casefold() in statement.casefold():
                yield Comparison(column, table.name, match["operator"], params[place - 1], place)
                break


def _is_date(low: str | None) -> bool:
    return low is not None and re.fullmatch(r"\d{4}-\d{2}-\d{2}.*", low) is not None


def _for_year(dialect: SqlDialect, found: Comparison) -> str:
    name, place = found.column.name, found.place
    if dialect == "duckdb":
        return f"for a year write year({name}) {found.operator} ${place}"
    if dialect == "postgres":
        return f"for a year write extract(year from {name}) {found.operator} ${place}"
    return f"for a year write {name} BETWEEN ${place} AND ${place + 1} with '{found.value}-01-01' and '{found.value}-12-31'"

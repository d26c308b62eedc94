"""What a statement compares its columns with: slips a model makes again and again, told to it in words it can act on.

Not a guard: a comparison that is not recognised here, or that could be meant of two columns, runs like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sleuth.errors import StatementRefused
from sleuth.result import Cell
from sleuth.sources.sql.dates import holds_dates, in_year
from sleuth.sources.sql.schema import Column, Schema, SqlDialect, Table

_COMPARED = re.compile(
    r'(?<![\w."(])(?:(?P<table>\w+)\.)?(?P<column>\w+|"[^"]+")\s*(?P<operator>=|<>|!=|<=|>=|<|>)\s*\$(?P<place>[1-9])(?!\d)'
)

_NAMED = re.compile(
    r'\b(?:FROM|JOIN)\s+(?:\w+\.)?(?P<table>\w+|"[^"]+")'
    r"(?:\s+(?:AS\s+)?(?!(?:WHERE|ON|USING|GROUP|ORDER|HAVING|LIMIT|JOIN|LEFT|RIGHT|INNER|FULL|CROSS|NATURAL|UNION|EXCEPT|INTERSECT)\b)"
    r'(?P<alias>\w+|"[^"]+"))?',
    re.IGNORECASE,
)
# A FROM that names no table: a part of a date, IS DISTINCT FROM.
_OTHER_FROM = re.compile(r"\bextract\s*\(\s*\w+\s+from\b|\bdistinct\s+from\b", re.IGNORECASE)
_DERIVED = re.compile(r"\b(?:FROM|JOIN)\s*\(|,\s*\(\s*SELECT\b", re.IGNORECASE)
_ARITHMETIC = ("+", "-", "*", "/", "%", "|", "::")

_YEARS = range(1800, 2201)
MAX_LISTED = 12
"""Values of one column that a remark lists."""


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
        if number is not None and holds_dates(found.column):
            hint = _for_year(schema.dialect, found, int(number)) if number in _YEARS else "compare it with text like '2025-01-31'"
            raise StatementRefused(
                f"{found.column.name} is a date and ${found.place} is the number {number}", rule="types", hint=hint
            )


def strangers(statement: str, params: Sequence[Cell], schema: Schema) -> list[str]:
    """For a result that found nothing: values that the column asked does not hold, and where they stand or what it holds."""
    told: dict[str, None] = {}
    for found in comparisons(statement, params, schema):
        if found.operator != "=" or not isinstance(found.value, str) or _holds(found.column, found.value):
            continue
        asked = f"{found.table}.{found.column.name}"
        places = [
            f"{table.name}.{column.name}" for table in schema.tables for column in table.columns if _holds(column, found.value)
        ]
        if places:
            told[f'"{found.value}" was looked for in {asked}, but it is a value of {places[0]}'] = None
        elif found.column.values:
            told[f'{asked} has no "{found.value}"; it has {_listed(found.column.values)}'] = None
    return list(told)


def _holds(column: Column, value: str) -> bool:
    """PostgreSQL pads what stands in a char(n) column, and compares without the padding."""
    return value.rstrip() in (known.rstrip() for known in column.values)


def _listed(values: Sequence[str]) -> str:
    more = len(values) - MAX_LISTED
    return ", ".join(value.rstrip() or '""' for value in values[:MAX_LISTED]) + (f" and {more} more" if more > 0 else "")


def comparisons(statement: str, params: Sequence[Cell], schema: Schema) -> Iterator[Comparison]:
    """Columns compared with a placeholder, as far as a look at the text tells; what could be two tables' is passed over."""
    named = _tables(statement, schema)
    for match in _COMPARED.finditer(statement):
        place = int(match["place"])
        # shipped - placed > $1 asks for days, and neither column is what the number is compared with.
        before, after = statement[: match.start()].rstrip(), statement[match.end() :].lstrip()
        if place > len(params) or before.endswith(_ARITHMETIC) or after.startswith(_ARITHMETIC):
            continue
        name = match["column"].strip('"').casefold()
        qualifier = match["table"].casefold() if match["table"] else None
        tables = {table.name: table for alias, table in named if qualifier in (None, alias)}.values()
        fitting = [(table, column) for table in tables for column in table.columns if column.name.casefold() == name]
        if len(fitting) == 1:
            table, column = fitting[0]
            yield Comparison(column, table.name, match["operator"], params[place - 1], place)


def _tables(statement: str, schema: Schema) -> list[tuple[str, Table]]:
    """The tables after FROM and JOIN, each under its own name and its alias.

    None at all where one is not of the schema, or is a SELECT in brackets: what it gives a column's name may be of any kind.
    """
    if _DERIVED.search(statement):
        return []
    known = {table.name.casefold(): table for table in schema.tables}
    found: list[tuple[str, Table]] = []
    for match in _NAMED.finditer(_OTHER_FROM.sub(" ", statement)):
        table = known.get(match["table"].strip('"').casefold())
        if table is None:
            return []
        alias = (match["alias"] or "").strip('"').casefold()
        found += [(name, table) for name in {table.name.casefold(), alias} if name]
    return found


def _for_year(dialect: SqlDialect, found: Comparison, year: int) -> str:
    condition, values = in_year(dialect, found.column, year, found.place)
    if len(values) == 1:
        return f"for a year write {condition.replace(f' = ${found.place}', f' {found.operator} ${found.place}')}"
    if found.operator != "=":
        return f"compare it with text like {values[0]!r}"
    bound = ", ".join(f"${place} = {value!r}" for place, value in enumerate(values, found.place))
    return f"for a year write {condition} with {bound}"

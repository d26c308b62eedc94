"""The lines that tell a model what a database holds: one a table, as short as they can be."""

from __future__ import annotations

from sleuth.source import Card
from sleuth.sources.sql.schema import Column, Schema, SqlDialect, Table
from sleuth.sources.sql.vocabulary import written

_TITLES = {"duckdb": "DuckDB", "sqlite": "SQLite", "postgres": "PostgreSQL"}
# The engines' long names of common types.
_SHORT_TYPES = {
    "varchar": "text",
    "nvarchar": "text",
    "nchar": "text",
    "char": "text",
    "character varying": "text",
    "character": "text",
    "bpchar": "text",
    "int": "integer",
    "bigint": "integer",
    "smallint": "integer",
    "numeric": "decimal",
    "double": "float",
    "double precision": "float",
    "real": "float",
    "timestamp without time zone": "timestamp",
    "timestamp with time zone": "timestamptz",
}
MAX_TYPE_CHARS = 24


def card(name: str, schema: Schema) -> Card:
    lines = tuple(table_line(table, schema.dialect) for table in schema.tables)
    count = len(schema.tables)
    facts = [("tables", count), ("columns", sum(len(table.columns) for table in schema.tables))]
    if all(table.rows is not None for table in schema.tables):
        facts.append(("rows", sum(table.rows or 0 for table in schema.tables)))
    title = f"{_TITLES[schema.dialect]} database, {count} table{'' if count == 1 else 's'}"
    values = tuple(
        (f"{table.name}.{column.name}", value) for table in schema.tables for column in table.columns for value in column.values
    )
    return Card(name, "database", title, lines, values, tuple(facts))


def table_line(table: Table, dialect: SqlDialect) -> str:
    """`contracts(id text, region text: EU|UK, signed_on date 2022-01-03..2026-11-20) 320 rows`"""
    columns = ", ".join(_column(column, dialect) for column in table.columns)
    line = f"{written(table.name, dialect)}({columns})"
    return line if table.rows is None else f"{line} {table.rows} rows"


def _column(column: Column, dialect: SqlDialect) -> str:
    text = f"{written(column.name, dialect)} {_type(column.type)}".rstrip()
    if column.references:
        target, _, name = column.references.rpartition(".")
        return f"{text} -> {target if name == column.name else column.references}"
    if column.values:
        return f"{text}: {'|'.join(column.values)}"
    if column.low is not None and column.high is not None:
        return f"{text} {column.low}" if column.low == column.high else f"{text} {column.low}..{column.high}"
    return text


def _type(name: str) -> str:
    plain = name.split("(")[0].strip() if not name.startswith("struct") else "struct"
    return _SHORT_TYPES.get(plain, plain)[:MAX_TYPE_CHARS]

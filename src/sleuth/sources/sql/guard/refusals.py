"""The words of a refusal: what was wrong, and what to write instead."""

from __future__ import annotations

import difflib
from collections.abc import Collection

from sleuth.errors import StatementRefused
from sleuth.sources.sql.guard.functions import MAX_SERIES
from sleuth.sources.sql.schema import Schema


def only_select(what: str) -> StatementRefused:
    return StatementRefused(f"{what} is not allowed: the database can only be read", rule="statement", hint="write one SELECT")


def unknown_table(name: str, schema: Schema) -> StatementRefused:
    known = ", ".join(table.name for table in schema.tables) or "none"
    return StatementRefused(f"there is no table {name!r} to read", rule="table", hint=f"the tables are: {known}")


def unknown_column(name: str, schema: Schema) -> StatementRefused:
    bare = name.rpartition(".")[2]
    holders = [
        table.name for table in schema.tables if any(column.name.casefold() == bare.casefold() for column in table.columns)
    ]
    if holders:
        return StatementRefused(
            f"no table that the statement reads from has a column {name!r}",
            rule="column",
            hint=f"{bare} is a column of {', '.join(holders)}: read from there, or join it",
        )
    columns = dict.fromkeys(column.name for table in schema.tables for column in table.columns)
    near = difflib.get_close_matches(bare, columns, n=3, cutoff=0.5) or list(columns)[:30]
    return StatementRefused(f"there is no column {name!r}", rule="column", hint=f"did you mean: {', '.join(near)}?")


def unknown_function(name: str) -> StatementRefused:
    return StatementRefused(
        f"the function {name!r} is not allowed",
        rule="function",
        hint="use plain SQL: count, sum, avg, min, max, round, coalesce, dates",
    )


def unbounded_series(name: str) -> StatementRefused:
    return StatementRefused(
        f"the bounds of {name} must be whole numbers up to {MAX_SERIES}", rule="series", hint="write the numbers in the statement"
    )


def unknown_construct(name: str) -> StatementRefused:
    return StatementRefused(f"{name} is not allowed here", rule="construct", hint="write a plain SELECT")


def syntax(reason: str) -> StatementRefused:
    return StatementRefused(f"the statement cannot be read: {reason}", rule="syntax", hint="write one complete SELECT")


def check_placeholders(used: Collection[int], params: int) -> None:
    """Placeholders must be exactly $1 to $n, n being the number of params. Raises StatementRefused."""
    if set(used) == set(range(1, params + 1)):
        return
    written = ", ".join(f"${number}" for number in sorted(set(used))) or "no placeholder"
    values = "1 value" if params == 1 else f"{params} values"
    raise StatementRefused(
        f"the statement uses {written} but params has {values}",
        rule="parameters",
        hint="numbering starts at $1: write $1, $2 … and give one value in params for each $n",
    )

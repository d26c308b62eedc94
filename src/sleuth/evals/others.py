"""What else could an answer have named? A set is right only without extras, and a case file lists only the right items.

So the others are looked up where the items come from: the values of the column in which all of them stand, or of two name
columns side by side ("first last").
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import permutations
from pathlib import Path

from sleuth.evals.check import folded

MOST = 2_000
"""Values read of one column; more are no list that anybody chooses from."""


def candidates(databases: Sequence[Path], items: Sequence[str]) -> tuple[str, ...]:
    """Of the smallest column of these SQLite files that holds every item, all values; nothing where there is no such column."""
    sought = {folded(item) for item in items}
    found: list[tuple[str, ...]] = []
    for database in databases:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.text_factory = _lenient
            for select in _columns(connection):
                values = tuple(str(row[0]) for row in connection.execute(f"{select} LIMIT {MOST}"))
                if sought <= {folded(value) for value in values}:
                    found.append(values)
    return min(found, key=len, default=())


def _columns(connection: sqlite3.Connection) -> Iterator[str]:
    """One SELECT for each text column, and for each ordered pair of name columns, of each table."""
    for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        names = [str(row[1]) for row in connection.execute(f"PRAGMA table_info({_quoted(table)})")]
        people = [name for name in names if name.lower().endswith("name")]
        for expression in [*map(_quoted, names), *(f"{_quoted(a)} || ' ' || {_quoted(b)}" for a, b in permutations(people, 2))]:
            yield f"SELECT DISTINCT {expression} AS v FROM {_quoted(table)} WHERE typeof({expression}) = 'text'"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _lenient(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")

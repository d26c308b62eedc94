"""SQLite: a file opened read-only, with an authorizer that lets only reading through, and limits on what a statement may cost.

How values meet columns: a bound value takes the affinity of the column it is compared to, so '5' meets 5 in an INTEGER column; a
value compared to an expression has none, so strftime('%Y', d) = 2025 is false and sum(x) > '10' is too: text for text, numbers
for numbers. Dates are text here, compared as written: '2025-01-01'.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from threading import Event
from urllib.parse import quote

from sleuth.errors import SourceError, SourceUnavailable
from sleuth.result import Json
from sleuth.sources.sql.cells import fetched
from sleuth.sources.sql.drivers.base import Fetched, Guard, RunLimits, deadline, too_slow
from sleuth.sources.sql.guard.sqlite import SQLiteGuard
from sleuth.sources.sql.schema import Column, Schema, Table, kind_of, quoted

_READING = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})
_LIMITS = (
    (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
    (sqlite3.SQLITE_LIMIT_LENGTH, 2_000_000),
    (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 200),
    (sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, 20),
    (sqlite3.SQLITE_LIMIT_VDBE_OP, 250_000),
    (sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200),
    (sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 100),
)
_STEPS = 2_000
"""Virtual machine steps between two looks at the clock: well under a millisecond."""


class SQLite:
    """A database file. Each session opens its own connection, so calls may run side by side."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def connect(self) -> sqlite3.Connection:
        """Read-only, without trusting functions in the schema. Raises SourceUnavailable."""
        if not self._path.is_file():
            raise SourceUnavailable(f"there is no database file {self._path.name!r}", hint="check the path of the database")
        try:
            connection = sqlite3.connect(
                f"file:{quote(os.fsencode(self._path.resolve()))}?mode=ro",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
            )
            connection.execute("PRAGMA query_only = 1")
            connection.execute("PRAGMA trusted_schema = 0")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        except sqlite3.Error as error:
            raise SourceUnavailable(
                f"the database {self._path.name!r} cannot be opened: {error}", hint="check that it is an SQLite file"
            ) from error
        for limit, value in _LIMITS:
            connection.setlimit(limit, value)
        return connection

    def introspect(self) -> Schema:
        with closing(self.connect()) as connection:
            return _introspect(connection)

    def guard(self, schema: Schema) -> Guard:
        return SQLiteGuard(schema, self.connect)

    def session(self) -> SQLiteSession:
        return SQLiteSession(self.connect())

    def close(self) -> None:
        """Sessions close their own connections; nothing else is held."""


class SQLiteSession:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._stop = Event()
        connection.set_authorizer(_only_reading)
        connection.set_progress_handler(self._stop.is_set, _STEPS)

    def run(self, statement: str, params: Sequence[Json], limits: RunLimits) -> Fetched:
        """$1 is a named parameter for SQLite, so the values are bound under the names "1", "2" …"""
        bound = {str(number): value for number, value in enumerate(params, 1)}
        # One statement that was stopped must not stop the next. A cancel that came before this one is made again by its caller.
        self._stop.clear()
        with deadline(limits.seconds, self.cancel) as fired:
            try:
                cursor = self._connection.execute(statement, bound)
                rows = cursor.fetchmany(limits.rows + 1)
            except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
                if fired.is_set():
                    raise too_slow(limits.seconds) from None
                raise SourceError(str(error), hint="mend the statement or its params") from error
        return fetched([str(column[0]) for column in cursor.description or ()], rows, limits)

    def cancel(self) -> None:
        self._stop.set()

    def close(self) -> None:
        self._connection.close()


def _only_reading(action: int, first: str | None, second: str | None, database: str | None, reader: str | None) -> int:
    if action in _READING or (action == sqlite3.SQLITE_FUNCTION and second != "load_extension"):
        return sqlite3.SQLITE_OK
    # json_each declares itself as a virtual table, which SQLite reports as an update; query_only keeps it from being one.
    if action == sqlite3.SQLITE_UPDATE and first == "sqlite_master":
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _opens(connection: sqlite3.Connection, view: str) -> bool:
    """Whether what a view is made of is still there, and may be used: one that is out of date is left out, not all the rest."""
    try:
        connection.execute(f"SELECT * FROM {quoted(view)} LIMIT 0").fetchall()
    except sqlite3.Error:
        return False
    return True


def _introspect(connection: sqlite3.Connection) -> Schema:
    found = connection.execute(
        "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name"
    ).fetchall()
    tables: list[Table] = []
    for name, kind in found:
        if kind == "view" and not _opens(connection, name):
            continue
        keys = connection.execute(f"PRAGMA foreign_key_list({quoted(name)})").fetchall()
        references = {str(row[3]).casefold(): f"{row[2]}.{row[4] or row[3]}" for row in keys}
        columns = tuple(
            Column(row[1], str(row[2]).lower(), kind_of(row[2]), bool(row[5]), references.get(str(row[1]).casefold()))
            for row in connection.execute(f"PRAGMA table_info({quoted(name)})")
        )
        tables.append(Table(name, "main", columns, kind == "view"))
    return Schema("sqlite", "main", tuple(tables))

"""DuckDB: a file opened read-only, cut off from the file system and the network, its configuration locked.

How values meet columns: a string bound to $1 takes the type of what it is compared to, so '2025-01-01' works for a DATE and
'5' for an INTEGER; a number compared to a VARCHAR column casts the column and fails on the first value that is no number.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import duckdb

from sleuth.errors import SourceError, SourceUnavailable, StatementRefused
from sleuth.result import Json
from sleuth.sources.sql.cells import fetched
from sleuth.sources.sql.drivers.base import Fetched, Guard, RunLimits, deadline, too_slow
from sleuth.sources.sql.guard.duckdb import DuckDBGuard
from sleuth.sources.sql.schema import Column, Schema, Table, kind_of

# https://duckdb.org/docs/stable/operations_manual/securing_duckdb/overview: no files, no network, no extensions, no way back.
LOCKED: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "max_temp_directory_size": "0B",
    "memory_limit": "1GB",
    "lock_configuration": "true",
}


class DuckDB:
    """A database file. Each session is a cursor of one read-only instance, so calls may run side by side."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._base: duckdb.DuckDBPyConnection | None = None

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        with self._lock:
            if self._base is None:
                self._base = self._connect()
            return self._base.cursor()

    def _connect(self) -> duckdb.DuckDBPyConnection:
        if not self._path.is_file():
            raise SourceUnavailable(f"there is no database file {self._path.name!r}", hint="check the path of the database")
        try:
            return duckdb.connect(str(self._path), read_only=True, config=LOCKED)
        except duckdb.Error as error:
            text = str(error).lower()
            reason = "another program is writing to it" if "lock" in text else "DuckDB cannot read it"
            if "different configuration" in text:
                reason = "this program has it open with other settings"
            raise SourceUnavailable(
                f"the database {self._path.name!r} cannot be opened: {reason}", hint="close the other program, or check the file"
            ) from error

    def introspect(self) -> Schema:
        cursor = self._cursor()
        try:
            return _introspect(cursor)
        except duckdb.Error as error:
            raise SourceUnavailable(f"the database {self._path.name!r} cannot be read: {_reason(error)}") from error
        finally:
            cursor.close()

    def guard(self, schema: Schema) -> Guard:
        return DuckDBGuard(schema)

    def session(self) -> DuckDBSession:
        return DuckDBSession(self._cursor())

    def close(self) -> None:
        with self._lock:
            if self._base is not None:
                self._base.close()
                self._base = None


class DuckDBSession:
    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def run(self, statement: str, params: Sequence[Json], limits: RunLimits) -> Fetched:
        """DuckDB has no statement timeout: a clock interrupts the connection."""
        try:
            with deadline(limits.seconds, self.cancel) as fired:
                try:
                    parsed = self._connection.extract_statements(statement)
                    if len(parsed) != 1:  # execute() would run them all
                        raise StatementRefused("only one statement can be run", rule="statement")
                    cursor = self._connection.execute(parsed[0], list(params))
                    rows = cursor.fetchmany(limits.rows + 1)
                    columns = [str(column[0]) for column in cursor.description or ()]
                except duckdb.InterruptException:
                    raise (too_slow(limits.seconds) if fired.is_set() else SourceError("the statement was cancelled")) from None
        except duckdb.Error as error:
            raise SourceError(_reason(error), hint="mend the statement or its params") from error
        return fetched(columns, rows, limits)

    def cancel(self) -> None:
        self._connection.interrupt()

    def close(self) -> None:
        self._connection.close()


def _reason(error: duckdb.Error) -> str:
    """DuckDB's own words with its candidates, without the copy of the statement that follows them; no path of a file."""
    if isinstance(error, duckdb.PermissionException | duckdb.IOException | duckdb.InternalException):
        return "DuckDB does not permit this, or cannot read its file"
    text = str(error).split("\n\nLINE ", 1)[0]
    return " ".join(text.split())


_COLUMNS = """
    SELECT c.table_name, c.column_name, c.data_type, v.view_name IS NOT NULL
    FROM duckdb_columns() c
    LEFT JOIN duckdb_views() v ON v.database_oid = c.database_oid AND v.schema_name = c.schema_name AND v.view_name = c.table_name
    WHERE NOT c.internal AND c.database_name = current_database() AND c.schema_name = current_schema()
    ORDER BY c.table_name, c.column_index"""
_KEYS = """
    SELECT table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names
    FROM duckdb_constraints()
    WHERE database_name = current_database() AND schema_name = current_schema()
      AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')"""


def _introspect(cursor: duckdb.DuckDBPyConnection) -> Schema:
    namespace = _text(cursor.execute("SELECT current_schema()").fetchall()[0][0])
    keys: set[tuple[str, str]] = set()
    references: dict[tuple[str, str], str] = {}
    for table, constraint, columns, target, target_columns in cursor.execute(_KEYS).fetchall():
        if constraint == "PRIMARY KEY":
            keys.update((table, column) for column in columns)
        else:
            references.update({(table, a): f"{target}.{b}" for a, b in zip(columns, target_columns, strict=True)})
    grouped: dict[tuple[str, bool], list[Column]] = {}
    for table, name, kind, view in cursor.execute(_COLUMNS).fetchall():
        column = Column(name, kind.lower(), kind_of(kind), (table, name) in keys, references.get((table, name)))
        grouped.setdefault((table, view), []).append(column)
    own = cursor.execute("SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE NOT internal").fetchall()
    return Schema(
        "duckdb",
        namespace,
        tuple(Table(name, namespace, tuple(columns), view) for (name, view), columns in grouped.items()),
        frozenset(_text(row[0]) for row in own),
    )


def _text(value: object) -> str:
    return str(value)

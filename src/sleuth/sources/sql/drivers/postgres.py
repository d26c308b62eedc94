"""PostgreSQL: each statement in a READ ONLY transaction, through a server-side cursor, under the server's own timeout.

The server-side cursor makes the server refuse whatever is not one SELECT. How values meet columns: a string is sent without a
type and takes that of what it is compared to, so '2025-01-01' works for a date and '5' for an integer; a number is no text, so a
text column needs a string; a placeholder that is compared to nothing may need a type: $1::date.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any, LiteralString, cast

import psycopg
from psycopg import errors

from sleuth.errors import SourceError, SourceUnavailable
from sleuth.result import Json
from sleuth.sources.sql.cells import fetched
from sleuth.sources.sql.drivers.base import Fetched, Guard, RunLimits, deadline, too_slow
from sleuth.sources.sql.guard.postgres import PostgresGuard
from sleuth.sources.sql.schema import Column, Schema, Table, kind_of, quoted

CONNECT_SECONDS = 5
GRACE_SECONDS = 1.0
"""How much later than the server's own timeout the driver asks it to cancel."""

Connection = psycopg.Connection[tuple[Any, ...]]  # cells of any type: made exact in `cells`


class Postgres:
    """A server. Each session opens its own connection, so calls may run side by side."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._namespace = "public"

    def connect(self) -> Connection:
        """Raises SourceUnavailable, without the host, the user or the password."""
        try:
            # No prepared statements: they would outlive the settings of the transaction they were planned in.
            return psycopg.connect(
                self._url, autocommit=True, prepare_threshold=None, connect_timeout=CONNECT_SECONDS, application_name="sleuth"
            )
        except psycopg.Error as error:
            raise SourceUnavailable(
                _connect_reason(str(error)), hint="check the database URL, and that the server runs"
            ) from None

    def introspect(self) -> Schema:
        with closing(self.connect()) as connection:
            try:
                schema = _introspect(connection)
            except psycopg.Error as error:
                raise SourceUnavailable(f"the PostgreSQL database cannot be read: {_reason(error)}") from None
        self._namespace = schema.namespace
        return schema

    def guard(self, schema: Schema) -> Guard:
        return PostgresGuard(schema)

    def session(self) -> PostgresSession:
        return PostgresSession(self.connect(), self._namespace)

    def close(self) -> None:
        """Sessions close their own connections; nothing else is held."""


class PostgresSession:
    def __init__(self, connection: Connection, namespace: str) -> None:
        self._connection = connection
        self._namespace = namespace

    def run(self, statement: str, params: Sequence[Json], limits: RunLimits) -> Fetched:
        """The transaction is rolled back whatever happens."""
        with deadline(limits.seconds + GRACE_SECONDS, self.cancel) as fired:
            try:
                self._begin(limits.seconds)
                with psycopg.RawServerCursor(self._connection, "sleuth") as cursor:
                    # psycopg asks for literal text, so that no value is spliced in: these are bound, and the guard has read it.
                    cursor.execute(cast("LiteralString", statement), params)
                    columns = [column.name for column in cursor.description or ()]
                    rows = cursor.fetchmany(limits.rows + 1)
            except errors.QueryCanceled:
                raise (SourceError("the statement was cancelled") if fired.is_set() else too_slow(limits.seconds)) from None
            except (psycopg.Error, UnicodeError) as error:
                raise SourceError(_reason(error), hint=_hint(error)) from None
            finally:
                self._rollback()
        return fetched(columns, rows, limits)

    def _begin(self, seconds: float) -> None:
        # pg_catalog first, so that nothing in the database takes the place of a built-in function or type.
        for command in (
            "BEGIN READ ONLY",
            f"SET LOCAL search_path = pg_catalog, {quoted(self._namespace)}",
            f"SET LOCAL statement_timeout = {max(1, int(seconds * 1000))}",
            "SET LOCAL lock_timeout = 500",
            "SET LOCAL idle_in_transaction_session_timeout = 10000",
            "SET LOCAL standard_conforming_strings = on",
        ):
            self._connection.execute(cast("LiteralString", command))

    def _rollback(self) -> None:
        if not self._connection.closed:
            self._connection.execute("ROLLBACK")

    def cancel(self) -> None:
        self._connection.cancel_safe(timeout=2.0)

    def close(self) -> None:
        self._connection.close()


def _connect_reason(text: str) -> str:
    lowered = text.lower()
    if "password" in lowered or "authentication" in lowered or "role" in lowered:
        return "the PostgreSQL server refuses the user or the password"
    if "database" in lowered and "does not exist" in lowered:
        return "the PostgreSQL server has no such database"
    if "timeout" in lowered or "timed out" in lowered:
        return "the PostgreSQL server does not answer"
    return "the PostgreSQL server cannot be reached"


def _reason(error: Exception) -> str:
    """The server's own words: message, detail of a cast, and its suggestion; a lost connection without its address."""
    if not isinstance(error, psycopg.Error):
        return "a value cannot be sent to PostgreSQL"
    parts = (error.diag.message_primary, error.diag.message_hint)
    return ". ".join(part for part in parts if part) or "the connection was lost, or a value cannot be read"


def _hint(error: Exception) -> str:
    if isinstance(error, errors.IndeterminateDatatype | errors.AmbiguousFunction):
        return "give the placeholder a type: $1::date, $1::text, $1::numeric"
    if isinstance(error, errors.UndefinedFunction):
        return "compare text to a string param and numbers to a number, or give the placeholder a type: $1::text"
    return "mend the statement or its params"


_TABLES = """
    SELECT c.relname, c.relkind IN ('v', 'm'), a.attname,
           CASE WHEN t.typtype = 'd' THEN format_type(t.typbasetype, NULL) ELSE format_type(a.atttypid, NULL) END,
           t.typtype = 'e',
           EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'p' AND a.attnum = ANY (k.conkey)),
           (SELECT f.relname || '.' || fa.attname
              FROM pg_constraint k
              JOIN pg_class f ON f.oid = k.confrelid
              JOIN pg_attribute fa ON fa.attrelid = f.oid AND fa.attnum = k.confkey[array_position(k.conkey, a.attnum)]
             WHERE k.conrelid = c.oid AND k.contype = 'f' AND a.attnum = ANY (k.conkey) LIMIT 1)
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      JOIN pg_type t ON t.oid = a.atttypid
     WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND has_column_privilege(c.oid, a.attnum, 'SELECT')
     ORDER BY c.relname, a.attnum"""
_OUTSIDE = "pronamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)"


def _introspect(connection: Connection) -> Schema:
    cursor = psycopg.RawCursor(connection)

    def ask(statement: LiteralString, *params: str) -> list[tuple[Any, ...]]:
        return cursor.execute(statement, params).fetchall()

    cursor.execute("BEGIN READ ONLY")
    namespace = str(ask("SELECT coalesce(current_schema(), 'public')")[0][0])
    cursor.execute("SET LOCAL search_path = pg_catalog")
    grouped: dict[tuple[str, bool], list[Column]] = {}
    for table, view, name, kind, enumeration, key, references in ask(_TABLES, namespace):
        column = Column(name, kind, "text" if enumeration else kind_of(kind), key, references)
        grouped.setdefault((table, view), []).append(column)
    own = ask("SELECT DISTINCT proname FROM pg_proc WHERE " + _OUTSIDE)
    operators = ask("SELECT DISTINCT oprname FROM pg_operator WHERE oprnamespace <> 'pg_catalog'::regnamespace")
    callables = ask("SELECT DISTINCT proname FROM pg_proc WHERE pronargs - pronargdefaults <= 1")
    cursor.execute("ROLLBACK")
    return Schema(
        "postgres",
        namespace,
        tuple(Table(name, namespace, tuple(columns), view) for (name, view), columns in grouped.items()),
        *(frozenset(str(row[0]) for row in rows) for rows in (own, operators, callables)),
    )

"""A database as a source: what it holds on a card, and one tool that reads it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from sleuth.errors import SourceUnavailable, UsageError
from sleuth.result import Cell
from sleuth.source import Card
from sleuth.sources.sql.card import card
from sleuth.sources.sql.drivers import driver_for
from sleuth.sources.sql.drivers.base import Driver, Guard, RunLimits
from sleuth.sources.sql.profile import MAX_VALUES, profiled
from sleuth.sources.sql.query import QueryTool, query_spec
from sleuth.sources.sql.schema import Schema
from sleuth.tool import Tool

PROFILE_SECONDS = 2.0
"""Longest that one look at a table's values may take when the source is opened."""


class Database:
    """A DuckDB or SQLite file or a PostgreSQL server, read-only.

    `url` is "duckdb:///path", "sqlite:///path" ("////" before an absolute path), "postgresql://…", or the path of a file ending
    in .duckdb, .sqlite or .db. `tables` lists the tables that may be read; None means all of the default namespace. `rows` bounds
    a result, `timeout_seconds` a statement. Raises ConfigError for a URL no driver takes.
    """

    def __init__(
        self,
        url: str,
        *,
        name: str = "database",
        tool: str = "sql_query",
        tables: Sequence[str] | None = None,
        rows: int = 50,
        timeout_seconds: float = 10.0,
    ) -> None:
        if rows <= 0 or timeout_seconds <= 0:
            raise UsageError(
                "rows and timeout_seconds of a database must be above zero", hint="leave them out to take the default"
            )
        self._driver: Driver = driver_for(url)
        self._name = name
        self._tool_name = tool
        self._allowed = tuple(tables) if tables is not None else None
        self._limits = RunLimits(rows=rows, seconds=timeout_seconds)
        self._schema: Schema | None = None
        self._tool: QueryTool | None = None

    @property
    def name(self) -> str:
        return self._name

    @property
    def schema(self) -> Schema:
        """What may be read, as last seen by `open`."""
        if self._schema is None:
            raise UsageError(f"the database {self._name!r} is not open", hint="await open() first")
        return self._schema

    async def open(self) -> Card:
        """Connect, read the schema and a few figures. Raises SourceUnavailable, or UsageError for an unknown table."""
        schema, guard = await asyncio.to_thread(self._look)
        self._schema = schema
        self._tool = QueryTool(query_spec(self._tool_name, schema), self._driver, guard, schema, self._name, self._limits)
        return card(self._name, schema)

    def _look(self) -> tuple[Schema, Guard]:
        schema = self._driver.introspect()
        if self._allowed is not None:
            schema = schema.restricted(self._allowed)
        if not schema.tables:
            raise SourceUnavailable(
                f"the database {self._name!r} has no tables to read", hint="check the URL and the role's rights"
            )
        session = self._driver.session()
        limits = RunLimits(rows=MAX_VALUES, seconds=PROFILE_SECONDS)

        def ask(statement: str) -> tuple[tuple[Cell, ...], ...]:
            return session.run(statement, (), limits).rows

        try:
            return profiled(schema, ask), self._driver.guard(schema)
        finally:
            session.close()

    def tools(self) -> Sequence[Tool]:
        """The one tool; only after `open`. Raises UsageError before."""
        if self._tool is None:
            raise UsageError(f"the database {self._name!r} is not open", hint="await open() first")
        return (self._tool,)

    async def close(self) -> None:
        self._tool = None
        await asyncio.to_thread(self._driver.close)

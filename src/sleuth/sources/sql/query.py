"""The tool over a database: one checked SELECT with bound values in, rows out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from sleuth.errors import SourceError, StatementRefused
from sleuth.result import Cell, Json, Rows
from sleuth.sources.sql.comparisons import check_types, strangers
from sleuth.sources.sql.dates import DATE_ADVICE
from sleuth.sources.sql.drivers.base import Driver, Fetched, Guard, RunLimits, Session
from sleuth.sources.sql.example import example_call
from sleuth.sources.sql.schema import Schema
from sleuth.sources.sql.vocabulary import MAX_STATEMENT_CHARS, pattern
from sleuth.tool import Arguments, ToolSpec

MAX_PARAMS = 9
MAX_PARAM_CHARS = 200
MAX_NUMBER = 2**53 - 1
"""What JSON numbers hold exactly (RFC 8259, section 6); without a bound a small model may write zeros until it is cut off."""


def query_spec(name: str, schema: Schema) -> ToolSpec:
    description = (
        f"Counts, sums, averages and lists from the database, as one {_ENGINES[schema.dialect]} SELECT. "
        f"NOT for what documents say. Values only as $1, $2 … in params. {DATE_ADVICE[schema.dialect]}"
    )
    parameters: dict[str, Json] = {
        "type": "object",
        "properties": {
            "query": {"type": "string", "maxLength": MAX_STATEMENT_CHARS, "pattern": pattern(schema)},
            "params": {
                "type": "array",
                "maxItems": MAX_PARAMS,
                "items": {
                    "anyOf": [
                        {"type": "string", "maxLength": MAX_PARAM_CHARS},
                        {"type": "number", "minimum": -MAX_NUMBER, "maximum": MAX_NUMBER},
                        {"type": "boolean"},
                        {"type": "null"},
                    ]
                },
            },
        },
        "required": ["query", "params"],
        "additionalProperties": False,
    }
    return ToolSpec(name, description, parameters, public=False, examples=(example_call(schema),))


_ENGINES = {"duckdb": "DuckDB", "sqlite": "SQLite", "postgres": "PostgreSQL"}


class QueryTool:
    """Checks, runs and bounds one statement a call; calls may run side by side, each in its own session."""

    def __init__(self, spec: ToolSpec, driver: Driver, guard: Guard, schema: Schema, database: str, limits: RunLimits) -> None:
        self._spec = spec
        self._driver = driver
        self._guard = guard
        self._schema = schema
        self._database = database
        self._limits = limits

    @property
    def spec(self) -> ToolSpec:
        return self._spec

    async def run(self, arguments: Arguments) -> Rows:
        """Raises StatementRefused, SourceUnavailable or SourceError. Cancelling the call stops the statement in the engine."""
        statement = str(arguments["query"])
        params = _params(arguments.get("params"))
        check_types(statement, params, self._schema)
        await asyncio.to_thread(self._guard.check, statement, len(params))
        fetched = await self._execute(statement, params)
        return Rows(
            fetched.columns,
            fetched.rows,
            statement,
            tuple(params),
            database=self._database,
            truncated=fetched.more,
            note=_note(fetched, self._limits, self._remarks(statement, params, fetched)),
        )

    def _remarks(self, statement: str, params: Sequence[Cell], fetched: Fetched) -> list[str]:
        """Only where nothing was found: no row, or one row of nothing but 0 and NULL."""
        empty = all(cell is None or cell == 0 for row in fetched.rows for cell in row) and len(fetched.rows) < 2
        return strangers(statement, params, self._schema) if empty else []

    async def _execute(self, statement: str, params: Sequence[Json]) -> Fetched:
        opened: list[Session] = []

        def work() -> Fetched:
            session = self._driver.session()
            opened.append(session)
            try:
                return session.run(statement, params, self._limits)
            finally:
                session.close()

        running = asyncio.create_task(asyncio.to_thread(work))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            # Again and again: an engine forgets a cancel that comes before its statement has begun.
            while not running.done():
                for session in opened:
                    await asyncio.to_thread(session.cancel)
                await asyncio.wait([running], timeout=0.1)
            running.exception()  # looked at, so that it is not reported as forgotten
            raise


def _params(value: Json) -> list[bool | int | float | str | None]:
    """Only plain values can be bound. Raises StatementRefused."""
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise StatementRefused("params must be a list", rule="parameters", hint="give one value for each $n")
    params: list[bool | int | float | str | None] = []
    for number, item in enumerate(value, 1):
        if not (item is None or isinstance(item, str | int | float | bool)):
            raise StatementRefused(
                f"the value of ${number} is not plain", rule="parameters", hint="use text, numbers, true, false or null"
            )
        if isinstance(item, str) and "\0" in item:
            raise SourceError(f"the value of ${number} holds a NUL character", hint="leave it out")
        params.append(item)
    return params


def _note(fetched: Fetched, limits: RunLimits, remarks: Sequence[str]) -> str | None:
    notes = list(remarks)
    if fetched.more:
        notes.append(
            f"only the first {limits.rows} rows are shown, there are more: count or sum in the query rather than reading rows"
        )
    if fetched.cut_cells:
        notes.append(f"{fetched.cut_cells} long values were cut at {limits.cell_chars} characters")
    return "; ".join(notes) or None

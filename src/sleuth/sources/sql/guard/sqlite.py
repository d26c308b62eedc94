"""SQLite's guard: SQLite compiles the statement, its authorizer names every object, and the bytecode shows every table it opens.

The authorizer alone is not enough: columns that appear only in USING or NATURAL JOIN are never reported to it, and the view it
reports as the reader of a column may be a common table expression of the same name. So the root pages in the compiled program
are held against those of the allowed tables, and no expression may take a view's name.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing

from sleuth.errors import StatementRefused
from sleuth.sources.sql.guard import functions
from sleuth.sources.sql.guard.functions import words
from sleuth.sources.sql.guard.gate import gate
from sleuth.sources.sql.guard.refusals import (
    check_placeholders,
    only_select,
    syntax,
    unknown_column,
    unknown_function,
    unknown_table,
)
from sleuth.sources.sql.schema import Schema, quoted

# https://www.sqlite.org/lang_expr.html#varparam and tokenize.c: what SQLite takes for one token.
_TOKEN = re.compile(
    r"""(?P<space>\s+|--[^\n]*(?:\n|$)|/\*.*?\*/)
      | (?P<open>/\*)
      | (?P<string>[xX]?'(?:[^']|'')*')
      | (?P<quoted>"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])
      | (?P<word>[A-Za-z_\x80-\U0010ffff][\w$]*)
      | (?P<number>[0-9.][\w.]*)
      | (?P<parameter>[?$:@\#][\w$:]*)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)

_TABLE_FUNCTIONS = frozenset({"json_each", "json_tree"})
_OPENS = frozenset({"OpenRead", "ReopenIdx"})
_HARMLESS_TRANSACTION = 0  # P2 of Transaction: 0 reads, 1 writes
# Insert and IdxInsert are not among them: sorting and grouping write to tables that exist for the statement only.
_FORBIDDEN = words(
    """OpenWrite Clear Destroy CreateBtree ParseSchema Vacuum IncrVacuum JournalMode Checkpoint SetCookie VCreate VDestroy
    VUpdate VRename Savepoint AutoCommit LoadAnalysis DropTable DropIndex DropTrigger SqlExec"""
)

Connect = Callable[[], sqlite3.Connection]


class SQLiteGuard:
    """Over the tables of `schema`. `connect` opens the database read-only; each check has its own connection."""

    def __init__(self, schema: Schema, connect: Connect) -> None:
        self._schema = schema
        self._connect = connect
        with closing(connect()) as connection:
            self._known = _names(connection)
            self._roots = self._allowed_roots(connection)

    def check(self, statement: str, params: int) -> None:
        gate(statement)
        tokens = list(_tokens(statement))
        if not tokens or tokens[0][1].upper() not in ("SELECT", "WITH", "VALUES"):
            raise only_select(tokens[0][1].upper() if tokens else "nothing")
        defined = _defined(tokens)
        for table in self._schema.tables:
            # The authorizer reports a view and a common table expression of its name alike, so none may have one.
            if table.view and table.name.casefold() in defined:
                raise StatementRefused(
                    f"{table.name!r} is a view and cannot be defined again", rule="table", hint="take another name"
                )
        check_placeholders([_number(text) for kind, text in tokens if kind == "parameter"], params)
        refusals: list[StatementRefused] = []
        with closing(self._connect()) as connection:
            connection.set_authorizer(self._authorizer(defined, refusals))
            try:
                # Never run: EXPLAIN only lists the program of the text that follows it.
                program = connection.execute(f"EXPLAIN {statement}", {str(n): None for n in range(1, params + 1)}).fetchall()
            except (sqlite3.Error, sqlite3.Warning) as error:
                raise refusals[0] if refusals else self._unreadable(str(error)) from error
        self._check_program(program)

    def _unreadable(self, reason: str) -> StatementRefused:
        what, _, name = reason.partition(": ")
        if what == "no such column":
            return unknown_column(name, self._schema)
        return unknown_table(name, self._schema) if what == "no such table" else syntax(reason)

    def _authorizer(self, defined: frozenset[str], refusals: list[StatementRefused]) -> Callable[..., int]:
        allowed_functions = functions.SQLITE - self._schema.own_functions

        def decide(action: int, first: str | None, second: str | None, database: str | None, reader: str | None) -> int:
            refusal: StatementRefused | None = None
            if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE):
                return sqlite3.SQLITE_OK
            if action == sqlite3.SQLITE_FUNCTION:
                if (second or "").lower() not in allowed_functions:
                    refusal = unknown_function(second or "")
            elif action == sqlite3.SQLITE_READ:
                if not self._may_read(first or "", second or "", reader, defined):
                    refusal = unknown_table(first or "", self._schema)
            elif action == sqlite3.SQLITE_UPDATE and first == "sqlite_master":
                # json_each and json_tree declare themselves as virtual tables; the program below shows that nothing is written.
                return sqlite3.SQLITE_OK
            else:
                refusal = only_select("this statement")
            if refusal is None:
                return sqlite3.SQLITE_OK
            refusals.append(refusal)
            return sqlite3.SQLITE_DENY

        return decide

    def _may_read(self, table: str, column: str, reader: str | None, defined: frozenset[str]) -> bool:
        name = table.casefold()
        if (name, column) == ("sqlite_master", "ROWID"):
            return True  # part of how json_each declares itself; a statement that reads the catalogue opens its root page
        if self._schema.table(table) is not None or name in _TABLE_FUNCTIONS:
            return True
        if reader is not None and (view := self._schema.table(reader)) is not None and view.view:
            return True
        # Of a common table expression SQLite reports the name alone, and that only where no column is used.
        return not column and name in defined and name not in self._known and not name.startswith(("sqlite_", "pragma_"))

    def _check_program(self, program: list[tuple[object, ...]]) -> None:
        for _, opcode, _p1, p2, p3, *_ in program:
            if opcode in _FORBIDDEN or (opcode == "Transaction" and p2 != _HARMLESS_TRANSACTION):
                raise only_select("this statement")
            if opcode in _OPENS and (p3 != 0 or p2 not in self._roots):
                raise unknown_table("", self._schema)

    def _allowed_roots(self, connection: sqlite3.Connection) -> frozenset[object]:
        """Root pages of the allowed tables, of their indexes, and of what the allowed views read."""
        roots: set[object] = set()
        for table in self._schema.tables:
            if table.view:
                program = connection.execute(f"EXPLAIN SELECT * FROM {quoted(table.name)}").fetchall()
                roots.update(row[3] for row in program if row[1] in _OPENS)
            else:
                found = connection.execute(
                    "SELECT rootpage FROM sqlite_master WHERE type IN ('table', 'index') AND tbl_name = ? COLLATE NOCASE",
                    (table.name,),
                )
                roots.update(row[0] for row in found if row[0])
        return frozenset(roots)


def _names(connection: sqlite3.Connection) -> frozenset[str]:
    """Every table and view of the file, and the modules that can be read as if they were tables."""
    found = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
    modules = connection.execute("PRAGMA module_list").fetchall()
    return frozenset(str(row[0]).casefold() for row in (*found, *modules))


def _tokens(statement: str) -> Iterator[tuple[str, str]]:
    for match in _TOKEN.finditer(statement):
        kind = match.lastgroup or "other"
        if kind == "open":
            raise syntax("a comment is not closed")
        if kind != "space":
            yield kind, match[0]


def _number(text: str) -> int:
    if not re.fullmatch(r"\$[1-9][0-9]?", text):
        raise StatementRefused(f"{text} is not a placeholder", rule="parameters", hint="numbering starts at $1: write $1, $2 …")
    return int(text[1:])


def _bare(kind: str, text: str) -> str:
    if kind == "word":
        return text
    mark = text[-1]
    return text[1:-1] if mark == "]" else text[1:-1].replace(mark * 2, mark)


def _defined(tokens: list[tuple[str, str]]) -> frozenset[str]:
    """What the text defines as common table expressions, in lower case: `name [(columns)] AS [NOT] [MATERIALIZED] (`."""
    words = [_bare(kind, text).casefold() if kind in ("word", "quoted", "string") else text for kind, text in tokens]
    defined: set[str] = set()
    for at, word in enumerate(words):
        after = at + 1
        if words[after : after + 1] == ["("] and ")" in words[after:]:
            after = words.index(")", after) + 1
        if words[after : after + 1] == ["as"]:
            rest = [word for word in words[after + 1 : after + 4] if word not in ("not", "materialized")]
            if rest[:1] == ["("]:
                defined.add(word)
    return frozenset(defined)

"""What a database holds, as read from it: tables, columns, keys, and a few harmless figures about the values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from sleuth.errors import UsageError

SqlDialect = Literal["duckdb", "sqlite", "postgres"]
ColumnKind = Literal["text", "number", "date", "boolean", "other"]


@dataclass(frozen=True, slots=True)
class Column:
    """`type` is the engine's own word in lower case. `references` is "table.column" where a foreign key says so.

    `values` are all distinct values of a short text column, most frequent first, or none at all; `low` and `high` bound a date
    or number. Both stay empty for whatever looks personal.
    """

    name: str
    type: str
    kind: ColumnKind
    key: bool = False
    references: str | None = None
    values: tuple[str, ...] = ()
    low: str | None = None
    high: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table or view. `namespace` is its schema in the database; `rows` is None where it was not counted."""

    name: str
    namespace: str
    columns: tuple[Column, ...]
    view: bool = False
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Schema:
    """The tables that may be read, and what the database defines under names that the engine also uses.

    `namespace` is where a bare table name is looked up. `own_functions` and `own_operators` were made by users of the database:
    a call by such a name may run anything, so the guard takes none of them. `callables` are all functions of one argument, on
    PostgreSQL alone, where x.y may mean y(x).
    """

    dialect: SqlDialect
    namespace: str
    tables: tuple[Table, ...]
    own_functions: frozenset[str] = frozenset()
    own_operators: frozenset[str] = frozenset()
    callables: frozenset[str] = frozenset()

    def table(self, name: str, namespace: str | None = None) -> Table | None:
        """The table a statement means by `name`, by the engine's rules: PostgreSQL compares exactly, the others ignore case."""
        wanted = namespace if namespace is not None else self.namespace
        for table in self.tables:
            if self._same(table.name, name) and self._same(table.namespace, wanted):
                return table
        return None

    def _same(self, one: str, other: str) -> bool:
        return one == other if self.dialect == "postgres" else one.casefold() == other.casefold()

    def restricted(self, names: Iterable[str]) -> Schema:
        """Only the named tables ("t" or "namespace.t"). Raises UsageError for a name that is not there."""
        kept: list[Table] = []
        for name in names:
            namespace, _, bare = name.rpartition(".")
            table = self.table(bare, namespace or None)
            if table is None:
                known = ", ".join(sorted(table.name for table in self.tables)) or "none at all"
                raise UsageError(f"the database has no table {name!r}", hint=f"it has: {known}")
            if table not in kept:
                kept.append(table)
        return replace(self, tables=tuple(kept))


_KINDS: tuple[tuple[ColumnKind, tuple[str, ...]], ...] = (
    ("boolean", ("bool",)),
    ("date", ("date", "timestamp")),
    (
        "number",
        (
            "int",
            "bigint",
            "smallint",
            "tinyint",
            "hugeint",
            "uint",
            "ubig",
            "usmall",
            "utiny",
            "dec",
            "num",
            "float",
            "double",
            "real",
        ),
    ),
    ("text", ("char", "varchar", "text", "nvarchar", "nchar", "bpchar", "enum", "clob", "string", "character")),
)


def kind_of(type_name: str) -> ColumnKind:
    """The kind of a column, by how its type's name begins. Lists, structs and the rest are "other"."""
    lowered = type_name.lower()
    if lowered.endswith("]"):
        return "other"
    for kind, beginnings in _KINDS:
        if lowered.startswith(beginnings) and not lowered.startswith("interval"):
            return kind
    return "other"


def is_whole(type_name: str) -> bool:
    return re.search(r"int|serial", type_name.lower()) is not None


def is_identifier(name: str) -> bool:
    """Whether a column's name says that its values only tell rows apart: nothing to sum, no range worth knowing."""
    return re.search(r"(?:^|_)(?:id|ids|key|no|nr|number|uuid)$|[a-z](?:ID|Id|Key|No|Nr)$", name) is not None


def quoted(name: str) -> str:
    """An SQL identifier that means exactly `name`, on all three engines."""
    return '"' + name.replace('"', '""') + '"'

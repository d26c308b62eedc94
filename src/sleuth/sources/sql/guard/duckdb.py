"""DuckDB's guard: the statement as DuckDB's own parser serialises it, every node held against a list of known ones."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping, Sequence
from typing import Any, cast

import duckdb

from sleuth.errors import StatementRefused
from sleuth.sources.sql.guard import functions
from sleuth.sources.sql.guard.functions import words
from sleuth.sources.sql.guard.gate import gate, within_depth
from sleuth.sources.sql.guard.refusals import (
    check_placeholders,
    only_select,
    syntax,
    unbounded_series,
    unknown_construct,
    unknown_function,
    unknown_table,
)
from sleuth.sources.sql.schema import Schema

Node = Mapping[str, Any]  # a node of the serialised tree: JSON, whose shape is checked as it is walked

# The scratch connection only parses; it holds no data and can reach none.
_SCRATCH: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "threads": "1",
    "lock_configuration": "true",
}

# `type` of query nodes, table references and modifiers in DuckDB 2.0's serialisation.
_STRUCTURE = words(
    """SELECT_NODE SET_OPERATION_NODE RECURSIVE_CTE_NODE CTE_NODE BASE_TABLE JOIN SUBQUERY TABLE_FUNCTION EXPRESSION_LIST EMPTY
    ORDER_MODIFIER LIMIT_MODIFIER LIMIT_PERCENT_MODIFIER DISTINCT_MODIFIER ORDER_DEFAULT ASCENDING DESCENDING"""
)
# `class` of expressions.
_EXPRESSIONS = words(
    """COLUMN_REF CONSTANT FUNCTION WINDOW COMPARISON CONJUNCTION OPERATOR CASE CAST BETWEEN SUBQUERY STAR PARAMETER LAMBDA
    COLLATE TYPE POSITIONAL_REFERENCE"""
)
_TYPES = words(
    """boolean tinyint smallint integer bigint hugeint utinyint usmallint uinteger ubigint float double decimal varchar date time
    timestamp timestamp_s timestamp_ms timestamp_ns interval uuid blob list array struct map json bit
    int int4 int8 text string numeric real bool int2 char bpchar datetime timestamptz"""
) | {"timestamp with time zone", "time with time zone"}


class DuckDBGuard:
    """Over the tables of `schema`. Safe to use from several threads."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._scratch = duckdb.connect(":memory:", config=_SCRATCH)
        self._lock = threading.Lock()

    def check(self, statement: str, params: int) -> None:
        gate(statement)
        walk = _Walk(self._schema, statement)
        with within_depth():
            for parsed in self._parse(statement):
                walk.visit(parsed, frozenset())
        check_placeholders(walk.placeholders, params)

    def _parse(self, statement: str) -> list[Node]:
        with self._lock:
            try:
                statements = self._scratch.extract_statements(statement)
                if len(statements) != 1:
                    raise StatementRefused("only one statement can be run", rule="statement", hint="write one SELECT, without ;")
                if statements[0].type != duckdb.StatementType.SELECT:
                    raise only_select(statements[0].type.name)
                row = self._scratch.execute("SELECT json_serialize_sql($1)", [statement]).fetchone()
            except duckdb.Error as error:
                raise syntax(" ".join(str(error).split("\n\nLINE ", 1)[0].split())) from error
        tree = json.loads(row[0]) if row else {"error": True}
        if tree.get("error"):
            raise syntax(str(tree.get("error_message", "DuckDB cannot serialise it")))
        return cast("list[Node]", tree["statements"])


class _Walk:
    """One pass over the tree. `scope` holds the names of the common table expressions that are visible at a node."""

    def __init__(self, schema: Schema, statement: str) -> None:
        self._schema = schema
        self._text = statement.encode()  # DuckDB counts bytes
        self._functions = functions.DUCKDB - schema.own_functions
        self.placeholders: set[int] = set()

    def visit(self, value: object, scope: frozenset[str]) -> None:
        if isinstance(value, list):
            for item in cast("list[object]", value):
                self.visit(item, scope)
        elif isinstance(value, dict):
            self._node(cast("Node", value), scope)

    def _node(self, node: Node, scope: frozenset[str]) -> None:
        kind = node.get("class")
        if isinstance(kind, str):
            self._expression(kind, node)
        elif isinstance(shape := node.get("type"), str):
            if shape not in _STRUCTURE:
                raise unknown_construct(_readable(shape))
            if shape == "BASE_TABLE":
                self._table(node, scope)
            elif shape == "TABLE_FUNCTION":
                self._table_function(node)
        scope = self._with(node, scope)
        # A recursive expression sees itself in its second half only: in the first, the name is still that of a table.
        repeated = scope | {str(node["cte_name"]).casefold()} if node.get("type") == "RECURSIVE_CTE_NODE" else scope
        for key, value in node.items():
            if key != "cte_map":
                self.visit(value, repeated if key == "right" else scope)

    def _with(self, node: Node, scope: frozenset[str]) -> frozenset[str]:
        """The scope after a WITH clause. A name is visible only after its definition."""
        cte_map = node.get("cte_map")
        if not isinstance(cte_map, dict):
            return scope
        for entry in cast("Sequence[Node]", cast("Node", cte_map)["map"]):
            name = str(entry["key"]).casefold()
            self.visit(entry["value"], scope - {name})
            scope |= {name}
        return scope

    def _expression(self, kind: str, node: Node) -> None:
        if kind not in _EXPRESSIONS:
            raise unknown_construct(_readable(kind))
        if kind in ("FUNCTION", "WINDOW"):
            self._function(node)
        elif kind == "PARAMETER":
            identifier = str(node["identifier"])
            # DuckDB numbers a bare ? too.
            written = self._text[node["query_location"] : node["query_location"] + 1] == b"$"
            if not written or not re.fullmatch(r"[1-9][0-9]?", identifier):
                raise StatementRefused(
                    "only $1, $2 … are placeholders", rule="parameters", hint="numbering starts at $1: write $1, $2 …"
                )
            self.placeholders.add(int(identifier))
        elif kind == "TYPE" and (node["schema"] or node["catalog"] or str(node["type_name"]).lower() not in _TYPES):
            raise StatementRefused(f"the type {node['type_name']!r} is not allowed", rule="type")

    def _function(self, node: Node) -> None:
        name = str(node["function_name"]).lower()
        if name in functions.SERIES - self._schema.own_functions and not node["catalog"] and not node["schema"]:
            if not all(_small(argument) for argument in node["arguments"]):
                raise unbounded_series(name)
            return
        allowed = functions.DUCKDB_OPERATORS if node.get("is_operator") else self._functions
        if name not in allowed or node["catalog"] or str(node["schema"]).lower() not in ("", "main"):
            raise unknown_function(name)

    def _table_function(self, node: Node) -> None:
        function = cast("Node", node["function"])
        name = str(function["function_name"]).lower()
        if name not in functions.DUCKDB_TABLE_FUNCTIONS | functions.SERIES or name in self._schema.own_functions:
            raise unknown_function(name)

    def _table(self, node: Node, scope: frozenset[str]) -> None:
        name, namespace = str(node["table_name"]), str(node["schema_name"])
        if not namespace and not node["catalog_name"] and name.casefold() in scope:
            return
        if node["catalog_name"] or node.get("at_clause") or self._schema.table(name, namespace or None) is None:
            raise unknown_table(name, self._schema)


def _small(argument: Node) -> bool:
    literal = cast("Node", argument["expression"].get("literal") or {})
    return literal.get("kind") == "INTEGER" and int(literal["text"]) <= functions.MAX_SERIES


def _readable(name: str) -> str:
    return name.replace("_", " ").lower()

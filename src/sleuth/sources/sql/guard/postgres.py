"""PostgreSQL's guard: the tree of PostgreSQL's own grammar (libpg_query), every node held against a list of known ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import pgparse

from sleuth.errors import StatementRefused
from sleuth.sources.sql.guard import functions
from sleuth.sources.sql.guard.functions import words
from sleuth.sources.sql.guard.gate import gate, within_depth
from sleuth.sources.sql.guard.refusals import (
    check_placeholders,
    only_select,
    syntax,
    unbounded_series,
    unknown_column,
    unknown_construct,
    unknown_function,
    unknown_table,
)
from sleuth.sources.sql.schema import Schema

Node = Mapping[str, Any]  # a node of the parse tree: JSON, whose shape is checked as it is walked

# Node types of libpg_query's pg_query.proto, PostgreSQL 17.
_NODES = words(
    """A_ArrayExpr A_Const A_Expr A_Indices A_Indirection A_Star BoolExpr BooleanTest CaseExpr CaseWhen CoalesceExpr
    CollateClause ColumnRef CommonTableExpr FuncCall GroupingFunc GroupingSet JoinExpr JsonArgument JsonArrayAgg
    JsonArrayConstructor JsonFuncExpr JsonIsPredicate JsonKeyValue JsonObjectAgg JsonObjectConstructor JsonParseExpr
    JsonScalarExpr JsonSerializeExpr JsonValueExpr List MinMaxExpr NamedArgExpr NullTest ParamRef RangeFunction
    RangeSubselect RangeTableSample RangeVar ResTarget RowExpr SQLValueFunction SelectStmt SortBy String SubLink TypeCast
    WindowDef"""
)
# Fields that hold a node whose type is fixed, so that the tree does not name it.
_EMBEDDED = words(
    """alias arg constructor context_item cycle_clause expr format larg on_empty on_error output over rarg raw_expr returning
    search_clause typeName val value withClause"""
)
_CLOCK = words("SVFOP_CURRENT_DATE SVFOP_CURRENT_TIME SVFOP_CURRENT_TIMESTAMP SVFOP_LOCALTIME SVFOP_LOCALTIMESTAMP")
_TYPES = words(
    """bool int2 int4 int8 float4 float8 numeric text varchar bpchar char date time timetz timestamp timestamptz interval uuid
    json jsonb bytea bit varbit inet cidr macaddr money point name"""
)
_SYSTEM_COLUMNS = words("ctid xmin xmax cmin cmax tableoid oid")


# A compiled module without stubs: its two names, typed here.
_parse_tree = cast("Callable[[str], list[Node]]", pgparse.parse)  # pyright: ignore[reportUnknownMemberType]
_ParseError = cast("type[Exception]", pgparse.PGQueryError)  # pyright: ignore[reportUnknownMemberType]


class PostgresGuard:
    """Over the tables of `schema`. Safe to use from several threads."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def check(self, statement: str, params: int) -> None:
        gate(statement)
        walk = _Walk(self._schema)
        with within_depth():
            tree = _parse(statement)
            walk.collect_names(tree)
            walk.visit(tree, frozenset())
        check_placeholders(walk.placeholders, params)


def _parse(statement: str) -> Node:
    try:
        statements = _parse_tree(statement)
    except _ParseError as error:
        raise syntax(str(error)) from error
    if len(statements) != 1:
        raise StatementRefused("only one statement can be run", rule="statement", hint="write one SELECT")
    tree = cast("Node", statements[0]["stmt"])
    if "SelectStmt" not in tree:
        raise only_select(next(iter(tree)).removesuffix("Stmt").upper())
    return tree


class _Walk:
    """One pass over the tree. `scope` holds the names of the common table expressions that are visible at a node."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._functions = functions.POSTGRES - schema.own_functions
        self._operators = functions.POSTGRES_OPERATORS - schema.own_operators
        self._columns = {column.name for table in schema.tables for column in table.columns} - schema.own_functions
        self._given: set[str] = set()
        self.placeholders: set[int] = set()
        self._checks: dict[str, Callable[[Node], None]] = {
            "A_Expr": self._expression,
            "A_Indirection": self._indirection,
            "ColumnRef": self._column,
            "FuncCall": self._call,
            "ParamRef": self._placeholder,
            "SQLValueFunction": self._session_value,
            "SelectStmt": self._select,
            "SortBy": self._sort,
            "SubLink": self._sublink,
        }

    def collect_names(self, value: object) -> None:
        """The names that the statement itself gives to columns; these may be written after a dot."""
        if isinstance(value, list):
            for item in cast("list[object]", value):
                self.collect_names(item)
        elif isinstance(value, dict):
            node = cast("Node", value)
            if "ResTarget" in node:
                self._given.add(str(node["ResTarget"].get("name", "")))
            for key, item in node.items():
                if key in ("colnames", "aliascolnames"):
                    self._given.update(_strings(item))
                elif key == "aliasname":
                    self._given.add(str(item))
                self.collect_names(item)

    def visit(self, value: object, scope: frozenset[str]) -> None:
        if isinstance(value, list):
            for item in cast("list[object]", value):
                self.visit(item, scope)
        elif isinstance(value, dict):
            for kind, node in cast("Node", value).items():
                if kind not in _NODES:
                    raise unknown_construct(kind)
                self._node(kind, cast("Node", node), scope)

    def _node(self, kind: str, node: Node, scope: frozenset[str]) -> None:
        if kind in ("A_Const", "String"):
            return
        if kind == "RangeVar":
            self._table(node, scope)
        elif kind in self._checks:
            self._checks[kind](node)
        self._fields(node, self._with(node.get("withClause"), scope))

    def _fields(self, node: Node, scope: frozenset[str]) -> None:
        for key, value in node.items():
            if key == "withClause" or not isinstance(value, dict | list):
                continue
            if key == "typeName":
                self._type(cast("Node", value))
            elif isinstance(value, dict) and key in _EMBEDDED and _unnamed(cast("Node", value)):
                embedded = cast("Node", value)
                if key in ("larg", "rarg"):
                    self._select(embedded)
                self._fields(embedded, self._with(embedded.get("withClause"), scope))
            else:
                self.visit(cast("object", value), scope)

    def _with(self, clause: Node | None, scope: frozenset[str]) -> frozenset[str]:
        """The scope after a WITH clause. A name is visible after its definition; with RECURSIVE, in all of the clause."""
        if clause is None:
            return scope
        expressions = [cast("Node", item["CommonTableExpr"]) for item in clause["ctes"]]
        if clause.get("recursive"):
            scope |= {str(expression["ctename"]) for expression in expressions}
        for expression in expressions:
            if "SelectStmt" not in expression["ctequery"]:
                raise only_select("a WITH clause that writes")
            self._node("CommonTableExpr", expression, scope)
            scope |= {str(expression["ctename"])}
        return scope

    def _table(self, node: Node, scope: frozenset[str]) -> None:
        name, namespace = str(node["relname"]), node.get("schemaname")
        if namespace is None and not node.get("catalogname") and name in scope:
            return
        # pg_catalog comes first in every search path, and all its tables begin so.
        catalogue = namespace is None and name.startswith("pg_")
        if node.get("catalogname") or catalogue or self._schema.table(name, namespace) is None:
            raise unknown_table(name, self._schema)

    def _select(self, node: Node) -> None:
        if "intoClause" in node:
            raise only_select("SELECT INTO")
        if "lockingClause" in node:
            raise only_select("locking rows")

    def _call(self, node: Node) -> None:
        *namespace, name = _strings(node["funcname"])
        if name in functions.SERIES - self._schema.own_functions and namespace in ([], ["pg_catalog"]):
            if not all(_small(argument) for argument in node.get("args", ())):
                raise unbounded_series(name)
            return
        if namespace not in ([], ["pg_catalog"]) or name not in self._functions:
            raise unknown_function(name)

    def _column(self, node: Node) -> None:
        names = _strings(node["fields"])
        if any(name in _SYSTEM_COLUMNS for name in names):
            raise unknown_construct(f"the system column {names[-1]!r}")
        if len(names) < 2 or any("A_Star" in item for item in node["fields"]):
            return
        # x.y means y(x) where x has no column y: so y must be a column, or a name given here that no function has.
        known = names[-1] in self._columns or (names[-1] in self._given and names[-1] not in self._schema.callables)
        if not known:
            raise unknown_column(names[-1], self._schema)

    def _indirection(self, node: Node) -> None:
        if any("A_Indices" not in step for step in node["indirection"]):
            raise unknown_construct("a field of a row, as in (x).y,")

    def _expression(self, node: Node) -> None:
        if not str(node["kind"]).startswith(("AEXPR_BETWEEN", "AEXPR_NOT_BETWEEN")):
            self._operator(node["name"])

    def _sublink(self, node: Node) -> None:
        if "operName" in node:
            self._operator(node["operName"])

    def _sort(self, node: Node) -> None:
        if "useOp" in node:
            raise unknown_construct("ORDER BY … USING")

    def _operator(self, name: Sequence[Node]) -> None:
        *namespace, operator = _strings(name)
        if namespace not in ([], ["pg_catalog"]) or operator not in self._operators:
            raise StatementRefused(f"the operator {operator} is not allowed", rule="operator")

    def _type(self, node: Node) -> None:
        *namespace, name = _strings(node["names"])
        if namespace not in ([], ["pg_catalog"]) or name not in _TYPES:
            raise StatementRefused(f"the type {name!r} is not allowed", rule="type")

    def _session_value(self, node: Node) -> None:
        if node["op"] not in _CLOCK:
            raise unknown_function(str(node["op"]).removeprefix("SVFOP_").lower())

    def _placeholder(self, node: Node) -> None:
        self.placeholders.add(int(node.get("number", 0)))


def _unnamed(value: Node) -> bool:
    """Whether a field holds a node without its type: types begin with a capital, fields do not."""
    return all(key[:1].islower() for key in value)


def _small(argument: Node) -> bool:
    number = argument.get("A_Const", {}).get("ival")
    return number is not None and int(number.get("ival", 0)) <= functions.MAX_SERIES


def _strings(items: Sequence[Node]) -> list[str]:
    return [str(item["String"].get("sval", "")) for item in items if "String" in item]

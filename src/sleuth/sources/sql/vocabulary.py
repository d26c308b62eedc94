"""The words a statement may be made of, as one regular expression built from the real schema.

Under constrained decoding a model then cannot write a table or column that does not exist, nor a value: there is no literal in
the language, only $1 to $9 and small numbers after LIMIT. Which words may follow which is left to the model, the guard and the
engine; the expression keeps the parts of a statement apart (a word, what stands between words) so that it stays regular, small
and fast to mask with.

The expression uses what Rust's regex crate and ECMA-262 share: groups, classes, alternation, repetition; no look-around.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sleuth.sources.sql.schema import Column, Schema, SqlDialect, Table, quoted

MAX_STATEMENT_CHARS = 600
MAX_COLUMNS = 300
"""A wider database gets the loose form: any word, still no literal."""

_KEYWORDS = (
    "SELECT FROM WHERE AND OR NOT IN IS NULL BETWEEN LIKE AS ON USING JOIN LEFT INNER CROSS GROUP BY ORDER HAVING DISTINCT ASC DESC "
    "CASE WHEN THEN ELSE END UNION ALL EXCEPT INTERSECT WITH EXISTS OVER PARTITION TRUE FALSE CURRENT_DATE"
)
_EXTRA_KEYWORDS: dict[SqlDialect, str] = {
    "duckdb": "ILIKE FILTER NULLS FIRST LAST QUALIFY DATE",
    "postgres": "ILIKE FILTER NULLS FIRST LAST DATE",
    "sqlite": "FILTER",
}
_FUNCTIONS = "COUNT SUM AVG MIN MAX ROUND COALESCE NULLIF ABS LOWER UPPER LENGTH TRIM REPLACE LAG LEAD CAST"
_EXTRA_FUNCTIONS: dict[SqlDialect, str] = {
    "duckdb": "YEAR MONTH QUARTER DATE_TRUNC DATE_PART DATE_DIFF MEDIAN STRFTIME SUBSTRING CONCAT CONTAINS STARTS_WITH STRING_AGG",
    "postgres": "DATE_TRUNC DATE_PART SUBSTRING CONCAT STARTS_WITH STRING_AGG TO_CHAR AGE",
    "sqlite": "STRFTIME DATE JULIANDAY SUBSTR INSTR GROUP_CONCAT",
}
_PARTS = "YEAR|QUARTER|MONTH|WEEK|DAY"
_TYPES = "DATE|INTEGER|TEXT|NUMERIC|TIMESTAMP|DOUBLE PRECISION"
# Names for results and for common table expressions; usable again in ORDER BY, HAVING and FROM.
_NAMES = (
    "n total average minimum maximum amount_total amount_average share percentage difference result results totals counts ranked "
    "filtered grouped year month quarter period value label first_date last_date"
)
_TABLE_ALIASES = "(?:[a-z]|t[1-9])"


def pattern(schema: Schema) -> str:
    """An anchored regular expression for one SELECT over `schema`."""
    if sum(len(table.columns) for table in schema.tables) > MAX_COLUMNS:
        return _loose()
    word = _any((*_words(schema), *_names(schema), *_columns(schema)))
    call = f"(?:{_calls(schema.dialect)})"
    unit = rf"(?:{call}\()*(?:{word}|\*)"
    # Between two words stands a space, or brackets, commas and comparisons with or without spaces, or an operator after a space.
    mark = r" ?[()]|,| ?(?:<=|>=|<>|!=|=|<|>|\|\|)| [-+/*%]"
    cast = "|::" if schema.dialect != "sqlite" else ""
    gap = rf"(?:(?:{mark}{cast})+ ?| )"
    return rf"^(?:SELECT|WITH|select|with)(?:{gap}{unit})*(?: ?\))*$"


def written(name: str) -> str:
    """A table or column as a statement writes it: plain where every engine reads it so, else in double quotes."""
    return name if re.fullmatch(r"[a-z_][a-z0-9_]*", name) and name not in _RESERVED else quoted(name)


def _words(schema: Schema) -> Iterable[str]:
    keywords = f"{_KEYWORDS} {_EXTRA_KEYWORDS[schema.dialect]}".split()
    yield from _both_cases(keywords)
    yield r"\$[1-9]"
    yield r"(?:LIMIT|OFFSET|limit|offset) (?:[1-9][0-9]{0,2}|\$[1-9])"
    yield r"(?:ROW_NUMBER|RANK|DENSE_RANK|row_number|rank|dense_rank)\(\)"
    yield _TYPES
    if schema.dialect != "sqlite":
        yield rf"(?:EXTRACT|extract)\((?:{_PARTS}|{_PARTS.lower()}) (?:FROM|from) {_any(_columns(schema))}\)"


def _calls(dialect: SqlDialect) -> str:
    return "|".join(_both_cases(f"{_FUNCTIONS} {_EXTRA_FUNCTIONS[dialect]}".split()))


def _both_cases(words: Iterable[str]) -> list[str]:
    listed = list(words)
    return listed + [word.lower() for word in listed]


def _names(schema: Schema) -> Iterable[str]:
    yield from _NAMES.split()
    columns = [column for table in schema.tables for column in table.columns]
    numbers = [column.name for column in columns if column.kind == "number" and _plain(column.name)]
    if numbers:
        yield rf"(?:total|average|avg|sum|min|max)_{_any(numbers)}"
    tables = [table.name for table in schema.tables if _plain(table.name)]
    if tables:
        yield rf"(?:num_{_any(tables)}|{_any(tables)}_count)"


def _plain(name: str) -> bool:
    return written(name) == name


def _columns(schema: Schema) -> Iterable[str]:
    """Tables, their columns alone or after the table's name, and any column after an alias."""
    names: dict[str, None] = {}
    for table in schema.tables:
        yield from _table(table)
        names.update(dict.fromkeys(_spelled(column) for column in table.columns))
    yield rf"(?:{_TABLE_ALIASES}\.)?{_any(names)}"
    yield _TABLE_ALIASES
    yield rf"{_TABLE_ALIASES}\.\*"


def _table(table: Table) -> Iterable[str]:
    name = re.escape(written(table.name))
    yield name
    columns = _any([*(_spelled(column) for column in table.columns), r"\*"])
    yield rf"{name}\.{columns}"


def _spelled(column: Column) -> str:
    return re.escape(written(column.name))


def _any(options: Iterable[str]) -> str:
    return f"(?:{'|'.join(dict.fromkeys(options))})"


def _loose() -> str:
    """Words of any kind, quoted or not; no string, no number except after LIMIT, no comment, no second statement."""
    word = r'(?:[A-Za-z_][A-Za-z0-9_]*|"[^"]+")'
    unit = rf"(?:(?:LIMIT|limit|OFFSET|offset) [1-9][0-9]{{0,2}}|\$[1-9]|{word}(?:\.(?:{word}|\*))*(?:\(\))?|\*)"
    gap = r"(?:(?: ?[()]|,|::| ?(?:<=|>=|<>|!=|=|<|>|\|\|)| [-+/*%])+ ?| )"
    return rf"^(?:SELECT|WITH|select|with)(?:{gap}{unit})*(?: ?\))*$"


# Words that at least one of the engines does not read as a name: PostgreSQL's reserved list, and SQLite's and DuckDB's beyond it.
_RESERVED = frozenset(
    """
    all analyse analyze and any array as asc asymmetric authorization between binary both by case cast check collate collation
    column commit concurrently constraint create cross current_catalog current_date current_role current_schema current_time
    current_timestamp current_user default deferrable delete desc describe distinct do drop else end escape except exists
    false fetch filter for foreign freeze from full glob grant group having if ilike in index indexed initially inner insert
    intersect into is isnull join key lambda lateral leading left like limit localtime localtimestamp match natural not
    notnull null offset on only or order outer over overlaps pivot pivot_longer pivot_wider placing primary qualify references
    returning right rows select session_user set show similar some summarize symmetric system_user table tablesample then to
    trailing transaction true union unique unpivot update user using values variadic verbose view when where window with
    """.split()  # noqa: SIM905 - a list of words reads better as words
)

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

from sleuth.sources.sql.schema import Schema, SqlDialect, quoted

MAX_STATEMENT_CHARS = 600
MAX_COLUMNS = 300
"""A wider database gets the loose form: any word, still no literal."""

_KEYWORDS = (
    "SELECT FROM WHERE AND OR NOT IN IS NULL BETWEEN LIKE AS ON USING JOIN LEFT RIGHT FULL INNER CROSS GROUP BY ORDER HAVING "
    "DISTINCT ASC DESC CASE WHEN THEN ELSE END UNION ALL EXCEPT INTERSECT WITH EXISTS OVER PARTITION TRUE FALSE CURRENT_DATE"
)
_EXTRA_KEYWORDS: dict[SqlDialect, str] = {
    "duckdb": "ILIKE FILTER NULLS FIRST LAST QUALIFY DATE",
    "postgres": "ILIKE FILTER NULLS FIRST LAST DATE",
    "sqlite": "FILTER",
}
_FUNCTIONS = "COUNT SUM AVG MIN MAX ROUND COALESCE NULLIF ABS LOWER UPPER LENGTH TRIM REPLACE LAG LEAD CAST"
_EXTRA_FUNCTIONS: dict[SqlDialect, str] = {
    "duckdb": "YEAR MONTH QUARTER DATE_TRUNC DATE_PART DATE_DIFF MEDIAN STRFTIME SUBSTRING CONCAT CONTAINS STRING_AGG",
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
_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")
_TABLE_ALIASES = "(?:[a-z]|t[1-9])"


def pattern(schema: Schema) -> str:
    """An anchored regular expression for one SELECT over `schema`."""
    if sum(len(table.columns) for table in schema.tables) > MAX_COLUMNS:
        return _loose()
    word = _any((*_words(schema), *_names(schema), *_tables(schema), *_columns(schema)))
    call = f"(?:{_calls(schema.dialect)})"
    types = f"(?:{_TYPES}|{_TYPES.lower()})"
    cast = f"(?:::{types})?" if schema.dialect != "sqlite" else ""
    unit = rf"(?:{call}\()*(?:{word}{cast}|(?:AS|as) {types}|\*)"
    # Between two words stands a space, or brackets, commas and comparisons with or without spaces, or an operator after a space.
    mark = r" ?[()]|,| ?(?:<=|>=|<>|!=|=|<|>|\|\|)| [-+/*%]"
    gap = rf"(?:(?:{mark})+ ?| )"
    return rf"^(?:SELECT|WITH|select|with)(?:{gap}{unit})*(?: ?\))*;?$"


def written(name: str, dialect: SqlDialect) -> str:
    """A table or column as a statement writes it: plain where the engine reads it so, else in double quotes."""
    plain = r"[a-z_][a-z0-9_]*" if dialect == "postgres" else r"[A-Za-z_][A-Za-z0-9_]*"
    return name if re.fullmatch(plain, name) and name.lower() not in _RESERVED else quoted(name)


def _words(schema: Schema) -> Iterable[str]:
    yield from _both_cases(f"{_KEYWORDS} {_EXTRA_KEYWORDS[schema.dialect]}".split())
    yield r"\$[1-9]"
    yield r"(?:LIMIT|OFFSET|limit|offset) (?:[1-9][0-9]{0,2}|\$[1-9])"
    yield r"(?:ROW_NUMBER|RANK|DENSE_RANK|row_number|rank|dense_rank)\(\)"
    if schema.dialect != "sqlite":
        yield rf"(?:EXTRACT|extract)\((?:{_PARTS}|{_PARTS.lower()}) (?:FROM|from) {_any(_columns(schema))}\)"


def _calls(dialect: SqlDialect) -> str:
    return "|".join(_both_cases(f"{_FUNCTIONS} {_EXTRA_FUNCTIONS[dialect]}".split()))


def _both_cases(words: Iterable[str]) -> list[str]:
    listed = list(words)
    return listed + [word.lower() for word in listed]


def _names(schema: Schema) -> Iterable[str]:
    """Names a statement may give to its results, some made from the schema's own: total_amount, num_contracts."""
    yield from _NAMES.split()
    columns = [column for table in schema.tables for column in table.columns]
    if numbers := [column.name for column in columns if column.kind == "number" and _PLAIN.fullmatch(column.name)]:
        yield rf"(?:total|average|avg|sum|min|max)_{_any(numbers)}"
    if tables := [table.name for table in schema.tables if _PLAIN.fullmatch(table.name)]:
        yield rf"(?:num_{_any(tables)}|{_any(tables)}_count)"


def _tables(schema: Schema) -> Iterable[str]:
    yield from (_spelled(table.name, schema) for table in schema.tables)
    yield rf"{_TABLE_ALIASES}(?:\.\*)?"


def _columns(schema: Schema) -> Iterable[str]:
    """Each column after the name of its table; any column alone or after an alias."""
    names: dict[str, None] = {}
    for table in schema.tables:
        own = [_spelled(column.name, schema) for column in table.columns]
        names.update(dict.fromkeys(own))
        yield rf"{_spelled(table.name, schema)}\.{_any(own)}"
    yield rf"(?:{_TABLE_ALIASES}\.)?{_any(names)}"


def _spelled(name: str, schema: Schema) -> str:
    return _escaped(written(name, schema.dialect))


def _escaped(text: str) -> str:
    """Only what both regular expression languages escape: `re.escape` also writes `\\-` and `\\ `, which ECMA-262 refuses."""
    return re.sub(r"([\\.+*?()|\[\]{}^$])", r"\\\1", text)


def _any(options: Iterable[str]) -> str:
    return f"(?:{'|'.join(dict.fromkeys(options))})"


def _loose() -> str:
    """Words of any kind, quoted or not; no string, no number except after LIMIT, no comment, no second statement."""
    word = r'(?:[A-Za-z_][A-Za-z0-9_]*|"[^"]+")'
    unit = rf"(?:(?:LIMIT|limit|OFFSET|offset) [1-9][0-9]{{0,2}}|\$[1-9]|{word}(?:\.(?:{word}|\*))*(?:\(\))?|\*)"
    gap = r"(?:(?: ?[()]|,|::| ?(?:<=|>=|<>|!=|=|<|>|\|\|)| [-+/*%])+ ?| )"
    return rf"^(?:SELECT|WITH|select|with)(?:{gap}{unit})*(?: ?\))*;?$"


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

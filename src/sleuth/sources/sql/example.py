"""One good call over the real schema, shown to the model: a count and a sum, with two bound values."""

from __future__ import annotations

from sleuth.result import Json
from sleuth.sources.sql.schema import Column, Schema, Table
from sleuth.sources.sql.vocabulary import written
from sleuth.tool import Example


def example_call(schema: Schema) -> Example:
    """Over the table that shows most: one with a number, a date and a column of few values, before others."""
    table = max(schema.tables, key=lambda table: (_worth(table), table.rows or 0))
    number, dated, word = _number(table), _dated(table), next((column for column in table.columns if column.values), None)
    conditions: list[str] = []
    spoken: list[str] = []
    params: list[Json] = []

    def where(column: Column, operator: str, value: Json, saying: str) -> None:
        params.append(value)
        conditions.append(f"{written(column.name, schema.dialect)} {operator} ${len(params)}")
        spoken.append(f"{_spoken(column.name)} {saying} {value}")

    if dated is not None and dated.low and dated.high:
        where(dated, ">=", max(dated.low, f"{dated.high[:4]}-01-01"), "from")
    if word is not None:
        where(word, "=", word.values[0], "equal to")
    if number is not None and number.low is not None and len(params) < 2:
        where(number, ">", float(number.low) if "." in number.low else int(number.low), "above")
    measure = f", SUM({written(number.name, schema.dialect)}) AS total" if number else ""
    query = f"SELECT COUNT(*) AS n{measure} FROM {written(table.name, schema.dialect)}" + (
        f" WHERE {' AND '.join(conditions)}" if conditions else ""
    )
    part = f"number of {_spoken(table.name)}" + (f" and sum of {_spoken(number.name)}" if number else "")
    part += f" with {' and '.join(spoken)}" if spoken else ""
    return Example(f"What is the {part}?", part, {"query": query, "params": params})


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def _worth(table: Table) -> int:
    return sum((_number(table) is not None, _dated(table) is not None, any(column.values for column in table.columns)))


def _number(table: Table) -> Column | None:
    """A number that may be summed: no key, no reference; with a known range before others."""
    fitting = [column for column in table.columns if column.kind == "number" and not column.key and not column.references]
    return next((column for column in fitting if column.low is not None), fitting[0] if fitting else None)


def _dated(table: Table) -> Column | None:
    """A date by its type, or text that holds ISO dates."""
    return next((column for column in table.columns if column.low is not None and column.kind in ("date", "text")), None)

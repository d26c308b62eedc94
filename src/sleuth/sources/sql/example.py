"""One good call over the real schema, shown to the model: a count and a sum, with two bound values."""

from __future__ import annotations

from sleuth.result import Json
from sleuth.sources.sql.dates import holds_dates, in_year
from sleuth.sources.sql.schema import Column, Schema, Table, is_identifier, is_whole
from sleuth.sources.sql.vocabulary import written
from sleuth.tool import Example


def example_call(schema: Schema) -> Example:
    """Over the table that shows most: one with a number, a date and a column of few values, then the one with most of them.

    A count brings the sum beside it: whoever asks how many usually wants to know how much, and it costs no second query.
    """
    table = max(schema.tables, key=_worth)
    number, dated, word = _number(table), _dated(table), next((column for column in table.columns if column.values), None)
    conditions: list[str] = []
    asked: list[str] = []
    spoken: list[str] = []
    params: list[Json] = []
    if word is not None:
        params.append(word.values[-1])
        conditions.append(f"{written(word.name, schema.dialect)} = ${len(params)}")
        spoken.append(f"{_spoken(word.name)} {word.values[-1]}")
        asked.append(spoken[-1])
    if dated is not None and dated.low:
        year = min(int(dated.low[:4]) + 1, int((dated.high or dated.low)[:4]))
        condition, values = in_year(schema.dialect, dated, year, len(params) + 1)
        params += values
        conditions.append(condition)
        spoken.append(f"year of {_spoken(dated.name)} {year}")
        asked.append(f"{_spoken(dated.name)} in {year}")
    measure = f", SUM({written(number.name, schema.dialect)}) AS total" if number else ""
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    query = f"SELECT COUNT(*) AS n{measure} FROM {written(table.name, schema.dialect)}{where}"
    # Worded "number of contracts …", a 1.5 B model counts and leaves the total out; with the year as a value of the column, it
    # compares the date with a year instead of year(date).
    wanted = f"number and total {_spoken(number.name)}" if number else "number"
    part = ", ".join([_spoken(table.name), wanted, *spoken])
    conditioned = f" with {' and '.join(asked)}" if asked else ""
    return Example(f"How many {_spoken(table.name)} are there{conditioned}?", part, {"query": query, "params": params})


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def _worth(table: Table) -> tuple[int, int]:
    telling = (_number(table) is not None, _dated(table) is not None, any(column.values for column in table.columns))
    return sum(telling), sum(bool(column.values) or column.low is not None for column in table.columns)


def _number(table: Table) -> Column | None:
    """A number that may be summed: no key, no reference, nothing that only tells rows apart; fractions before whole numbers."""
    fitting = [column for column in table.columns if column.kind == "number" and not column.key and not column.references]
    summable = [column for column in fitting if not is_identifier(column.name) and column.low is not None]
    return max(summable, key=lambda column: not is_whole(column.type), default=None)


def _dated(table: Table) -> Column | None:
    """A date by its type, or text that holds ISO dates."""
    return next((column for column in table.columns if column.low is not None and holds_dates(column)), None)

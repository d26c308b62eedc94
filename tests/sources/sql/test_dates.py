from __future__ import annotations

import sqlite3

import duckdb
import pytest

from sleuth.sources.sql.dates import holds_dates, in_year
from sleuth.sources.sql.schema import Column

MOMENTS = ["2024-12-31 23:59:59", "2025-01-01 00:00:00", "2025-06-30 12:00:00", "2025-12-31 10:00:00", "2026-01-01 00:00:00"]


def test_a_year_of_text_holds_its_last_day_in_sqlite() -> None:
    condition, values = in_year("sqlite", Column("moment", "text", "text"), 2025, 1)
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE t (moment TEXT)")
        connection.executemany("INSERT INTO t VALUES (?)", [(moment,) for moment in MOMENTS])
        bound = {str(place): value for place, value in enumerate(values, 1)}
        assert connection.execute(f"SELECT COUNT(*) FROM t WHERE {condition}", bound).fetchone() == (3,)


@pytest.mark.parametrize(("column_type", "kind"), [("TIMESTAMP", "date"), ("VARCHAR", "text")])
def test_and_in_duckdb_whatever_the_column_is(column_type: str, kind: str) -> None:
    condition, values = in_year("duckdb", Column("moment", column_type.lower(), kind), 2025, 1)  # type: ignore[arg-type]
    connection = duckdb.connect(":memory:")
    connection.execute(f"CREATE TABLE t (moment {column_type})")
    connection.executemany("INSERT INTO t VALUES (?)", [[moment] for moment in MOMENTS])
    assert connection.execute(f"SELECT COUNT(*) FROM t WHERE {condition}", values).fetchone() == (3,)


def test_text_that_begins_like_a_date_is_one() -> None:
    assert holds_dates(Column("moment", "text", "text", low="2025-01-01 10:00:00"))
    assert not holds_dates(Column("name", "text", "text", low="Acme"))
    assert not holds_dates(Column("name", "text", "text"))
    assert holds_dates(Column("moment", "date", "date"))

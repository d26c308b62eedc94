from __future__ import annotations

import pytest

from sleuth.errors import StatementRefused
from sleuth.result import Cell
from sleuth.sources.sql.comparisons import MAX_LISTED, check_types, strangers
from sleuth.sources.sql.schema import Column, Schema, SqlDialect, Table


def schema(dialect: SqlDialect = "duckdb") -> Schema:
    dated = Column("signed_on", "date", "date", low="2022-01-03", high="2026-11-20")
    if dialect == "sqlite":
        dated = Column("signed_on", "text", "text", low="2022-01-03", high="2026-11-20")
    region = Column("region", "varchar", "text", values=("EU", "UK"))
    columns = (Column("provider", "varchar", "text"), region, Column("amount", "decimal", "number"), dated)
    return Schema(dialect, "main", (Table("contracts", "main", columns),))


@pytest.mark.parametrize(
    ("dialect", "advice"),
    [
        ("duckdb", "year(signed_on) = $1"),
        ("postgres", "extract(year from signed_on) = $1"),
        ("sqlite", "signed_on >= $1 AND signed_on < $2 with $1 = '2025-01-01', $2 = '2026-01-01'"),
    ],
)
def test_a_date_compared_with_a_year_is_refused_with_the_way_to_ask_for_it(dialect: SqlDialect, advice: str) -> None:
    with pytest.raises(StatementRefused, match="is a date") as caught:
        check_types("SELECT COUNT(*) FROM contracts WHERE signed_on = $1", [2025], schema(dialect))
    assert advice in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("statement", "params"),
    [
        ("SELECT COUNT(*) FROM contracts WHERE year(signed_on) = $1", [2025]),
        ("SELECT COUNT(*) FROM contracts WHERE signed_on >= $1", ["2025-01-01"]),
        ("SELECT COUNT(*) FROM contracts WHERE amount > $1", [2025]),
        ("SELECT COUNT(*) FROM contracts c WHERE c.amount > $1 AND c.region = $2", [5, "EU"]),
        ("SELECT 1", []),
    ],
)
def test_right_comparisons_pass(statement: str, params: list[Cell]) -> None:
    check_types(statement, params, schema())


def test_a_year_compared_otherwise_keeps_its_operator() -> None:
    with pytest.raises(StatementRefused) as caught:
        check_types("SELECT COUNT(*) FROM contracts WHERE signed_on < $1", [2025], schema())
    assert caught.value.hint == "for a year write year(signed_on) < $1"


def test_a_year_may_be_written_with_a_point() -> None:
    with pytest.raises(StatementRefused) as caught:
        check_types("SELECT COUNT(*) FROM contracts WHERE signed_on = $1", [2025.0], schema("sqlite"))
    assert "'2025-01-01'" in (caught.value.hint or "")


def test_seconds_in_a_column_called_a_date_are_compared_with_a_number() -> None:
    seconds = Column("made", "timestamp", "date", low="1690000000", high="1790000000")
    check_types(
        "SELECT COUNT(*) FROM t WHERE made > $1", [1700000000], Schema("sqlite", "main", (Table("t", "main", (seconds,)),))
    )


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT COUNT(*) FROM orders o JOIN events e ON o.id = e.id WHERE e.placed = $1",
        "SELECT COUNT(*) FROM orders JOIN events ON orders.id = events.id WHERE placed = $1",
        "SELECT COUNT(*) FROM reorders WHERE placed = $1",
        "WITH totals AS (SELECT id, year(placed) AS placed FROM orders) SELECT COUNT(*) FROM totals WHERE placed = $1",
        "SELECT COUNT(*) FROM events WHERE EXISTS (SELECT id FROM orders WHERE orders.id = events.id) AND placed = $1",
        "SELECT COUNT(*) FROM (SELECT year(placed) AS placed FROM orders) o WHERE placed = $1",
        "SELECT COUNT(*) FROM events e, (SELECT year(placed) AS placed FROM orders) o WHERE o.placed = $1",
    ],
)
def test_what_could_be_another_tables_column_is_not_refused(statement: str) -> None:
    key = Column("id", "integer", "number")
    dated = Table("orders", "main", (key, Column("placed", "date", "date", low="2022-01-03", high="2026-11-20")))
    numbered = [Table(name, "main", (key, Column("placed", "integer", "number"))) for name in ("events", "reorders")]
    check_types(statement, [2025], Schema("duckdb", "main", (dated, *numbered)))


@pytest.mark.parametrize("condition", ["signed_on - signed_on > $1", "signed_on = $1 + signed_on", "signed_on > $1::date"])
def test_days_between_dates_are_a_number(condition: str) -> None:
    check_types(f"SELECT COUNT(*) FROM contracts WHERE {condition}", [30], schema())


@pytest.mark.parametrize("other", ["extract(year from signed_on) = $1", "signed_on IS DISTINCT FROM $1"])
def test_a_from_that_names_no_table_hides_no_column(other: str) -> None:
    asked = f"SELECT COUNT(*) FROM contracts WHERE {other} AND region = $2"
    assert strangers(asked, ["2025-01-01", "Europe"], schema("postgres")) == ['contracts.region has no "Europe"; it has EU, UK']


def test_an_alias_hides_no_column() -> None:
    with pytest.raises(StatementRefused):
        check_types("SELECT COUNT(*) FROM contracts c WHERE c.signed_on > $2 AND c.amount > $1", [5, 2025], schema())


def test_a_value_asked_of_the_wrong_column_is_told_where_it_stands() -> None:
    asked = "SELECT COUNT(*) FROM contracts WHERE provider = $1"
    assert strangers(asked, ["EU"], schema()) == [
        '"EU" was looked for in contracts.provider, but it is a value of contracts.region'
    ]
    assert strangers(asked, ["Acme"], schema()) == []
    assert strangers("SELECT COUNT(*) FROM contracts WHERE region = $1", ["EU"], schema()) == []


def listing(*values: str) -> Schema:
    return Schema("duckdb", "main", (Table("contracts", "main", (Column("region", "varchar", "text", values=values),)),))


def test_a_value_that_the_column_does_not_hold_brings_those_it_holds() -> None:
    asked = "SELECT COUNT(*) FROM contracts c WHERE c.region = $1"
    known = listing("EU", "US", "APAC", "UK")
    assert strangers(asked, ["Europe"], known) == ['contracts.region has no "Europe"; it has EU, US, APAC, UK']
    assert strangers(f"{asked} OR c.region = $1", ["Europe"], known) == strangers(asked, ["Europe"], known)
    assert strangers("SELECT COUNT(*) FROM contracts WHERE region > $1", ["Europe"], known) == []
    assert strangers(asked, ["Europe"], listing()) == []
    assert strangers(asked, ["EU"], listing("EU  ", "US  ")) == []


def test_a_remark_lists_no_more_than_it_may() -> None:
    (remark,) = strangers(
        "SELECT COUNT(*) FROM contracts WHERE region = $1", ["Europe"], listing(*(f"R{n}" for n in range(MAX_LISTED + 3)))
    )
    assert "R11 and 3 more" in remark and "R12" not in remark

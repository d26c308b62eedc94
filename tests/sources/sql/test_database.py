"""A database as a source, on three real engines: what its card says, and what its tool brings back."""

from __future__ import annotations

import asyncio
import re
import shutil
import sqlite3
import time
from contextlib import closing
from datetime import date
from decimal import Decimal
from pathlib import Path
from threading import Event

import duckdb
import pytest

from sleuth.errors import ConfigError, SourceError, SourceUnavailable, StatementRefused, UsageError
from sleuth.result import Json, Rows
from sleuth.sources.sql import source
from sleuth.sources.sql.drivers import driver_for
from sleuth.sources.sql.drivers.base import RunLimits, deadline
from sleuth.sources.sql.source import Database
from sleuth.sources.sql.vocabulary import pattern

COUNT_EU = "SELECT COUNT(*) AS n, SUM(amount) AS total FROM contracts WHERE region = $1 AND amount > $2"
ENDLESS = "SELECT count(*) FROM contracts a, contracts b, contracts c, contracts d, contracts e, contracts f"


async def ask(database: Database, query: str, *params: Json) -> Rows:
    result = await database.tools()[0].run({"query": query, "params": list(params)})
    assert isinstance(result, Rows)
    return result


async def test_a_view_of_what_is_gone_is_left_out_and_the_rest_can_be_asked(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        connection.executescript(
            "CREATE TABLE gone (a); CREATE VIEW stale AS SELECT a FROM gone; DROP TABLE gone;"
            "CREATE TABLE orders (id INTEGER); INSERT INTO orders VALUES (1), (2);"
        )
    database = Database(str(tmp_path / "old.db"))
    await database.open()
    assert [table.name for table in database.schema.tables] == ["orders"]
    assert (await ask(database, "SELECT COUNT(*) AS n FROM orders")).rows == ((2,),)
    await database.close()


@pytest.mark.parametrize("url", ["postgresql://u:p@[::1/db", ""])
def test_a_url_that_is_none_is_refused_without_being_repeated(url: str) -> None:
    with pytest.raises(ConfigError, match="the database's URL") as caught:
        Database(url)
    assert "u:p" not in str(caught.value)


async def test_the_card_has_one_line_a_table_with_types_keys_and_ranges(url: str) -> None:
    database = Database(url, tables=["contracts"])
    card = await database.open()
    (line,) = card.contents
    assert line.startswith(
        "contracts(id text, provider_id text -> providers.id, region text: EU|UK|US, signed_on date 2024-01-15..2026-0"
    )
    assert "amount decimal 100.5..4000.5" in line
    assert '"Order" integer 0..39' in line
    assert line.endswith(") 40 rows")
    assert ("tables", 1) in card.facts and ("rows", 40) in card.facts
    assert ("contracts.region", "EU") in card.values
    await database.close()


async def test_nothing_personal_and_nothing_outside_the_allowlist_is_on_the_card(database: Database) -> None:
    card = await database.open()
    text = "\n".join((*card.contents, str(card.values), str(database.tools()[0].spec)))
    assert "@" not in re.sub(r"@\?|@>", "", text)
    assert "DE8937" not in text
    assert "secrets" not in text and "api_key" not in text and "KEY-" not in text


async def test_bound_values_give_exact_rows_with_the_statement_that_made_them(database: Database) -> None:
    rows = await ask(database, COUNT_EU, "EU", 2000)
    expected = [100 + n * 100 + Decimal("0.50") for n in range(40) if n % 4 < 2 and 100 + n * 100 > 1999]
    assert rows.columns == ("n", "total")
    assert rows.rows[0][0] == len(expected)
    assert Decimal(str(rows.rows[0][1])) == sum(expected)
    assert (rows.statement, rows.params, rows.origin, rows.truncated) == (COUNT_EU, ("EU", 2000), "internal", False)


async def test_a_text_param_meets_date_and_number_columns(database: Database) -> None:
    dated = await ask(
        database, "SELECT count(*) FROM contracts WHERE signed_on >= $1 AND signed_on < $2", "2025-01-01", "2026-01-01"
    )
    assert dated.rows == ((13,),)
    numbered = await ask(database, 'SELECT count(*) FROM contracts WHERE "Order" = $1', "7")
    assert numbered.rows == ((1,),)


async def test_types_come_out_exact_where_the_engine_has_them(duckdb_url: str, postgres_url: str) -> None:
    for where in (duckdb_url, postgres_url):
        database = Database(where, tables=["contracts"])
        await database.open()
        rows = await ask(database, "SELECT signed_on, amount, note FROM contracts WHERE id = $1", "C1")
        assert rows.rows == ((date(2025, 2, 15), Decimal("200.50"), None),)
        await database.close()


async def test_what_is_cut_is_said(url: str) -> None:
    database = Database(url, tables=["contracts"], rows=5)
    await database.open()
    rows = await ask(database, "SELECT id FROM contracts ORDER BY id")
    assert len(rows.rows) == 5 and rows.truncated
    assert "first 5 rows" in (rows.note or "")
    cell = await ask(database, "SELECT note FROM contracts WHERE id = $1", "C7")
    assert not cell.truncated and "1 long values were cut" in (cell.note or "")
    assert len(str(cell.rows[0][0])) <= 501
    await database.close()


async def test_a_wrong_column_is_answered_with_candidates(database: Database) -> None:
    with pytest.raises(SourceError) as raised:
        await ask(database, "SELECT amout FROM contracts")
    assert "amout" in str(raised.value) and "amount" in str(raised.value)


async def test_a_table_outside_the_allowlist_is_refused_and_the_allowed_ones_are_named(database: Database) -> None:
    with pytest.raises(StatementRefused) as raised:
        await ask(database, "SELECT api_key FROM secrets")
    assert raised.value.rule == "table"
    assert "contracts" in str(raised.value)


async def test_a_statement_that_takes_too_long_is_stopped_in_time(url: str) -> None:
    database = Database(url, tables=["contracts"], timeout_seconds=0.4)
    await database.open()
    started = time.perf_counter()
    with pytest.raises(SourceError, match=r"ran longer than 0\.4 s"):
        await ask(database, ENDLESS)
    assert time.perf_counter() - started < 3.0
    assert (await ask(database, "SELECT count(*) FROM contracts")).rows == ((40,),)
    await database.close()


def test_a_statement_that_was_stopped_does_not_stop_the_next_of_its_session(url: str) -> None:
    driver = driver_for(url)
    session = driver.session()
    with pytest.raises(SourceError, match="ran longer"):
        session.run(ENDLESS, [], RunLimits(seconds=0.2))
    counted = session.run("SELECT count(*) FROM contracts a, contracts b, contracts c", [], RunLimits(seconds=10.0))
    assert counted.rows == ((64_000,),)
    session.close()
    driver.close()


def test_a_stop_under_way_ends_before_the_statement_does() -> None:
    begun, stopped = Event(), Event()

    def stop() -> None:
        begun.set()
        time.sleep(0.1)
        stopped.set()

    with deadline(0.0, stop):
        assert begun.wait(5.0)
    assert stopped.is_set()


async def test_a_slow_table_hides_nothing_of_those_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "PROFILE_SECONDS", 0.3)
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n {}) SELECT i, 'odd' AS word FROM n"
    with closing(sqlite3.connect(tmp_path / "slow.db")) as connection:
        connection.execute(f"CREATE VIEW a_slow AS {numbers.format('')}")
        connection.execute("CREATE TABLE b_fast (amount INTEGER, word TEXT)")
        connection.execute(f"INSERT INTO b_fast {numbers.format('WHERE i < 5000')}")
        connection.commit()
    database = Database(str(tmp_path / "slow.db"))
    slow, fast = (await database.open()).contents
    assert slow.startswith("a_slow") and "rows" not in slow
    assert fast == "b_fast(amount integer 1..5000, word text: odd) 5000 rows"
    await database.close()


async def test_a_small_ceiling_of_rows_leaves_the_values_of_a_column_complete(url: str) -> None:
    database = Database(url, tables=["contracts"], rows=1)
    await database.open()
    empty = await ask(database, "SELECT COUNT(*) FROM contracts WHERE region = $1", "Europe")
    assert empty.note == 'contracts.region has no "Europe"; it has EU, UK, US'
    found = await ask(database, "SELECT COUNT(*) FROM contracts WHERE region = $1", "EU")
    assert found.note is None
    await database.close()


async def test_a_year_of_text_dates_is_offered_in_words_the_engine_takes(tmp_path: Path) -> None:
    path = tmp_path / "text.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE visits (moment VARCHAR, amount DECIMAL(8,2))")
        connection.execute("INSERT INTO visits VALUES ('2025-12-31 10:00:00', 5), ('2024-03-01 09:00:00', 7)")
    database = Database(str(path))
    await database.open()
    spec = database.tools()[0].spec
    (example,) = spec.examples
    statement = str(example.arguments["query"])
    assert "moment >= $1 AND moment < $2" in statement
    assert re.search(pattern(database.schema), statement)
    result = await database.tools()[0].run(example.arguments)
    assert isinstance(result, Rows) and result.rows[0][0] == 1
    with pytest.raises(StatementRefused, match="moment >= "):
        await ask(database, "SELECT COUNT(*) FROM visits WHERE moment = $1", 2025)
    await database.close()


async def test_the_advice_on_years_is_short_and_that_of_duckdb_stays(duckdb_url: str, database: Database) -> None:
    assert len(database.tools()[0].spec.description) < 300
    dated = Database(duckdb_url, tables=["contracts"])
    await dated.open()
    spec = dated.tools()[0].spec
    assert spec.description.endswith("For a year: year(column) = $1.")
    assert "year(signed_on) = $2" in str(spec.examples[0].arguments["query"])
    await dated.close()


async def test_a_cancelled_call_stops_the_statement_in_the_engine(url: str) -> None:
    database = Database(url, tables=["contracts"], timeout_seconds=30.0)
    await database.open()
    started = time.perf_counter()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(ask(database, ENDLESS), timeout=0.4)
    assert time.perf_counter() - started < 3.0
    await database.close()


async def test_calls_may_run_side_by_side(database: Database) -> None:
    answers = await asyncio.gather(*(ask(database, "SELECT count(*) FROM contracts WHERE region = $1", "EU") for _ in range(8)))
    assert {answer.rows for answer in answers} == {((20,),)}


async def test_the_example_in_the_specification_runs_and_fits_its_own_pattern(database: Database) -> None:
    spec = database.tools()[0].spec
    (example,) = spec.examples
    arguments = example.arguments
    properties = spec.parameters["properties"]
    assert isinstance(properties, dict) and isinstance(properties["query"], dict)
    assert re.search(str(properties["query"]["pattern"]), str(arguments["query"]))
    assert arguments["params"]
    assert isinstance(await database.tools()[0].run(arguments), Rows)


@pytest.mark.parametrize("ending", ["duckdb", "db"])
async def test_a_bare_path_is_opened_by_what_the_file_is_not_by_its_name(ending: str, duckdb_url: str, tmp_path: Path) -> None:
    path = shutil.copy(duckdb_url.removeprefix("duckdb:///"), tmp_path / f"copy.{ending}")
    database = Database(str(path), tables=["contracts"])
    assert (await database.open()).title.startswith("DuckDB")
    await database.close()


@pytest.mark.parametrize(
    "where",
    ["duckdb:////nowhere/x.duckdb", "sqlite:////nowhere/x.db", "postgresql://annette:hunter2@127.0.0.1:1/x", "nowhere.db"],
)
async def test_a_database_that_is_down_says_so_without_path_host_or_password(where: str) -> None:
    with pytest.raises(SourceUnavailable) as raised:
        await Database(where).open()
    text = str(raised.value)
    assert "→" in text
    assert not re.search(r"/nowhere|hunter2|annette|127\.0", text)


async def test_a_file_that_is_no_database_says_so(tmp_path: Path) -> None:
    for name in ("a.duckdb", "b.db"):
        (tmp_path / name).write_text("This is not a database, only a long enough line of text to be read as a header." * 20)
        with pytest.raises(SourceUnavailable, match=name):
            await Database(str(tmp_path / name)).open()


def test_a_url_no_driver_takes_is_refused_without_repeating_it() -> None:
    with pytest.raises(ConfigError) as raised:
        Database("mysql://annette:hunter2@host/x")
    assert "hunter2" not in str(raised.value) and "duckdb:///" in str(raised.value)


async def test_an_allowed_table_that_is_not_there_is_named(duckdb_url: str) -> None:
    with pytest.raises(UsageError, match="contrats"):
        await Database(duckdb_url, tables=["contrats"]).open()


def test_the_tool_is_there_only_once_the_database_is_open(duckdb_url: str) -> None:
    with pytest.raises(UsageError, match="not open"):
        Database(duckdb_url).tools()

"""The engines with no guard before them: what a session cannot do even then."""

from __future__ import annotations

from pathlib import Path

import pytest

from sleuth.errors import SleuthError
from sleuth.sources.sql.drivers import driver_for
from sleuth.sources.sql.drivers.base import RunLimits

LIMITS = RunLimits(rows=5, seconds=2.0)
WRITES = (
    "DELETE FROM contracts",
    "UPDATE contracts SET amount = 0",
    "INSERT INTO secrets VALUES (2, 'x')",
    "CREATE TABLE made (a int)",
    "DROP TABLE contracts",
    "SELECT 1; DROP TABLE contracts",
    "COMMIT; DROP TABLE contracts",
)
BY_ENGINE = {
    "duckdb": (
        "COPY contracts TO '{}'",
        "ATTACH '{}'",
        "SELECT * FROM read_text('/etc/hostname')",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
    ),
    "sqlite": (
        "ATTACH '{}' AS other",
        "PRAGMA query_only = 0",
        "PRAGMA journal_mode = DELETE",
        "VACUUM INTO '{}'",
        "SELECT load_extension('x')",
    ),
    "postgres": (
        "COPY contracts TO '{}'",
        "SET transaction_read_only = off",
        "WITH d AS (DELETE FROM contracts RETURNING *) SELECT * FROM d",
        "SELECT * INTO made FROM contracts",
        "SELECT * FROM contracts FOR UPDATE",
        "CREATE TEMP TABLE made (a int)",
        "SELECT pg_sleep(30)",
    ),
}


@pytest.mark.parametrize("engine", ["duckdb", "sqlite", "postgres"])
def test_a_session_neither_writes_nor_leaves_the_database(engine: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    driver = driver_for(request.getfixturevalue(f"{engine}_url"))
    target = tmp_path / "left-the-database"
    ran: list[str] = []
    for statement in (*WRITES, *BY_ENGINE[engine]):
        session = driver.session()
        try:
            session.run(statement.format(target), (), LIMITS)
            ran.append(statement)
        except SleuthError as error:
            assert str(target) not in str(error)
        finally:
            session.close()
    assert ran == []
    assert not target.exists()
    session = driver.session()
    assert session.run("SELECT (SELECT count(*) FROM contracts), (SELECT count(*) FROM secrets)", (), LIMITS).rows == ((40, 1),)
    session.close()
    driver.close()


def test_values_are_bound_and_never_read_as_sql(request: pytest.FixtureRequest) -> None:
    for engine in ("duckdb", "sqlite", "postgres"):
        driver = driver_for(request.getfixturevalue(f"{engine}_url"))
        session = driver.session()
        hostile = "EU' OR '1'='1"
        assert session.run("SELECT count(*) FROM contracts WHERE region = $1", (hostile,), LIMITS).rows == ((0,),)
        session.close()
        driver.close()

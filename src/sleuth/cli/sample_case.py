"""The sample case that `sleuth demo` answers: found beside the code, built into a folder of the user's."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import duckdb
import psycopg

from sleuth.errors import SourceError, SourceUnavailable, UsageError

QUESTION = "How many contracts above 100k€ did we sign in 2025 with EU providers, and which special conditions recur?"

TABLES = {
    "providers": "name TEXT PRIMARY KEY, country TEXT NOT NULL, region TEXT NOT NULL, since INTEGER NOT NULL",
    "contracts": (
        "id TEXT PRIMARY KEY, provider TEXT NOT NULL REFERENCES providers(name), country TEXT NOT NULL, region TEXT NOT NULL, "
        "category TEXT NOT NULL, amount NUMERIC(12, 2) NOT NULL, signed_on DATE NOT NULL, starts_on DATE NOT NULL, "
        "ends_on DATE NOT NULL, status TEXT NOT NULL"
    ),
    "customers": ("id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL, city TEXT NOT NULL, since DATE NOT NULL"),
    "orders": (
        "id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(id), ordered_on DATE NOT NULL, "
        "product TEXT NOT NULL, quantity INTEGER NOT NULL, total NUMERIC(10, 2) NOT NULL"
    ),
}
"""Columns of each table, in SQL that DuckDB and PostgreSQL both take; the order in which they can be filled."""


@dataclass(frozen=True, slots=True)
class SampleCase:
    database: Path
    documents: Path
    web: Path


def sample_case_folder() -> Path:
    """Where the case's files lie: inside an installed package, or in the checkout. Raises UsageError if neither has them."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "_contracts", package.parents[1] / "examples" / "contracts"):
        if (folder / "data" / "contracts.csv").is_file():
            return folder
    raise UsageError("this installation has no sample case", hint="install sleuth again from its wheel or a checkout")


def build(into: Path) -> SampleCase:
    """The case under `into`: documents and web pages copied, the tables as a DuckDB file. What is there and unchanged is kept.

    Each file appears whole or not at all. A file that an earlier version copied and this one no longer has is removed; files that
    were never ours stay. Raises UsageError if `into` cannot be written.
    """
    source = sample_case_folder()
    case = SampleCase(into / "contracts.duckdb", into / "documents", into / "web")
    try:
        into.mkdir(parents=True, exist_ok=True)
        _mirror(source, into)
        _build_database(source / "data", case.database)
    except (OSError, duckdb.IOException) as error:
        why = error.strerror if isinstance(error, OSError) else "the database file could not be written"
        raise UsageError(f"the sample case cannot be written to {into}: {why}", hint="choose another folder") from error
    return case


def load_postgres(conninfo: str) -> None:
    """The same tables in the PostgreSQL database at `conninfo` (a libpq string or URL), all in one transaction.

    Raises UsageError if one of the tables is already there, SourceUnavailable if the server cannot be reached, SourceError for
    anything else that the server refuses. Then nothing has been changed.
    """
    data = sample_case_folder() / "data"
    try:
        with psycopg.connect(conninfo, connect_timeout=5) as connection, connection.cursor() as cursor:
            for table, columns in TABLES.items():
                cursor.execute(f"CREATE TABLE {table} ({columns})".encode())
                with cursor.copy(f"COPY {table} FROM STDIN (FORMAT csv, HEADER)".encode()) as copy:
                    copy.write((data / f"{table}.csv").read_bytes())
    except psycopg.errors.DuplicateTable as error:
        raise UsageError("the database already has such tables", hint="give an empty database for the sample case") from error
    except psycopg.OperationalError as error:
        raise SourceUnavailable("the PostgreSQL server cannot be reached", hint="check the URL, and that it runs") from error
    except psycopg.Error as error:
        raise SourceError(f"PostgreSQL refused the sample case ({type(error).__name__})") from error


def _mirror(source: Path, into: Path) -> None:
    """Documents and web pages under `into`; `copied.txt` there lists them, for the next time."""
    listing = into / "copied.txt"
    before = listing.read_text("utf-8").splitlines() if listing.is_file() else []
    paths = sorted(path for part in ("documents", "web") for path in (source / part).rglob("*") if path.is_file())
    now = [path.relative_to(source).as_posix() for path in paths]
    for name in sorted(set(before) - set(now)):
        if ".." not in Path(name).parts and not Path(name).is_absolute():
            (into / name).unlink(missing_ok=True)
    for name in now:
        _write_whole(into / name, (source / name).read_bytes())
    _write_whole(listing, "".join(f"{name}\n" for name in now).encode())


def _write_whole(path: Path, content: bytes) -> None:
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".copy-", delete=False) as file:
        made = Path(file.name)
        try:
            file.write(content)
            file.close()
            made.chmod(0o644)
            made.replace(path)
        except BaseException:
            made.unlink(missing_ok=True)
            raise


def _build_database(data: Path, target: Path) -> None:
    """From the CSV files, beside `target` first; a stamp next to it says from which bytes and columns it was made."""
    digest = hashlib.sha256(repr(TABLES).encode())
    for table in TABLES:
        digest.update((data / f"{table}.csv").read_bytes())
    stamp = target.with_suffix(".sha256")
    if target.is_file() and stamp.is_file() and stamp.read_text("ascii") == digest.hexdigest():
        return
    folder = Path(tempfile.mkdtemp(dir=target.parent, prefix=".build-"))
    try:
        made = folder / target.name
        with duckdb.connect(str(made)) as connection:
            for table, columns in TABLES.items():
                connection.execute(f"CREATE TABLE {table} ({columns})")
                connection.execute(f"COPY {table} FROM '{_quoted(data / f'{table}.csv')}' (HEADER)")
        os.replace(made, target)
        _write_whole(stamp, digest.hexdigest().encode())
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")

"""The sample case that `sleuth demo` answers: found beside the code, built into a folder of the user's."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import duckdb

from sleuth.errors import UsageError

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

    Each file appears whole or not at all. Raises UsageError if `into` cannot be written.
    """
    source = sample_case_folder()
    case = SampleCase(into / "contracts.duckdb", into / "documents", into / "web")
    try:
        into.mkdir(parents=True, exist_ok=True)
        _mirror(source / "documents", case.documents)
        _mirror(source / "web", case.web)
        _build_database(source / "data", case.database)
    except OSError as error:
        raise UsageError(
            f"the sample case cannot be written to {into}: {error.strerror}", hint="choose another folder"
        ) from error
    return case


def _mirror(source: Path, target: Path) -> None:
    for path in sorted(source.rglob("*")):
        copy = target / path.relative_to(source)
        if path.is_dir():
            copy.mkdir(parents=True, exist_ok=True)
        elif not copy.is_file() or copy.read_bytes() != path.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=copy.parent, prefix=".copy-", delete=False) as file:
                try:
                    file.write(path.read_bytes())
                    file.close()
                    Path(file.name).chmod(0o644)
                    Path(file.name).replace(copy)
                except BaseException:
                    Path(file.name).unlink(missing_ok=True)
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
        stamp.write_text(digest.hexdigest(), "ascii")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")

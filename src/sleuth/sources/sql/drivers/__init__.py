"""One file an engine; none knows another. `driver_for` finds the one a URL means and loads that one alone."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import cast
from urllib.parse import unquote, urlsplit

from sleuth.errors import ConfigError
from sleuth.sources.sql.drivers.base import Driver

_EXAMPLES = "duckdb:///data.duckdb, sqlite:///data.db, postgresql://user@host/database, or the path of a database file"
_FILE_ENDINGS = (".duckdb", ".ddb", ".sqlite", ".sqlite3", ".db")


def driver_for(url: str) -> Driver:
    """Nothing is opened yet. Raises ConfigError for a URL that no driver takes; the message never repeats the URL."""
    try:
        scheme = urlsplit(url).scheme.lower() if "://" in url else ""
    except ValueError as error:  # "[::1" without its bracket
        raise ConfigError(f"the database's URL cannot be read: {error}", hint=f"use {_EXAMPLES}") from None
    if not url.strip():
        raise ConfigError("the database's URL is empty", hint=f"use {_EXAMPLES}")
    if scheme in ("postgresql", "postgres"):
        return _load("postgres", "Postgres", url)
    if scheme in ("duckdb", "sqlite"):
        path = Path(unquote(url.split("://", 1)[1].split("?", 1)[0]).removeprefix("/"))
        return _load(scheme, "DuckDB" if scheme == "duckdb" else "SQLite", path)
    if not scheme and url.lower().endswith(_FILE_ENDINGS):
        path = Path(url)
        engine = _engine_of(path)
        return _load(engine, "DuckDB" if engine == "duckdb" else "SQLite", path)
    raise ConfigError(f"no database driver for {scheme or 'this'!r} URLs", hint=f"use {_EXAMPLES}")


def _engine_of(path: Path) -> str:
    """By the first bytes of the file, where it is there; else by the name's ending."""
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError:
        head = b""
    if head == b"SQLite format 3\x00":  # https://www.sqlite.org/fileformat.html, 1.3
        return "sqlite"
    if head[8:12] == b"DUCK":  # https://duckdb.org/docs/stable/internals/storage, after the checksum
        return "duckdb"
    return "duckdb" if path.suffix.lower() in (".duckdb", ".ddb") else "sqlite"


def _load(module: str, name: str, where: object) -> Driver:
    made = getattr(importlib.import_module(f"sleuth.sources.sql.drivers.{module}"), name)(where)
    return cast("Driver", made)

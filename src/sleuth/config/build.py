"""From the tables of a configuration to what they mean. The only place that knows every concrete source."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, unquote

from sleuth.agent import Agent
from sleuth.config.reading import parse
from sleuth.config.tables import DatabaseTable, DocumentsTable, Tables
from sleuth.errors import ConfigError
from sleuth.models.base import Model
from sleuth.models.known import DEFAULT_MODEL
from sleuth.models.open import open_model
from sleuth.source import Source
from sleuth.sources.documents.source import Documents
from sleuth.sources.sql.source import Database
from sleuth.sources.web.source import Web

FILE = "sleuth.toml"


@dataclass(frozen=True, slots=True)
class Config:
    """A configuration. Relative paths in `tables` are relative to `folder`."""

    tables: Tables = field(default_factory=Tables)
    folder: Path = field(default_factory=Path.cwd)

    def model(self) -> Model:
        """Nothing is loaded or asked yet. Raises ConfigError where the variable of a key is not set."""
        wanted = self.tables.model
        where = wanted.url or (str(self._path(wanted.path)) if wanted.path else None)
        key = _secret(wanted.api_key_env, "api_key_env") if wanted.api_key_env else None
        return open_model(
            where or wanted.name or DEFAULT_MODEL,
            name=wanted.name if where else None,
            api_key=key,
            context_tokens=wanted.context_tokens,
            threads=wanted.threads,
        )

    def sources(self) -> tuple[Source, ...]:
        """Databases, documents, the web: none is opened yet. The web is left out where it is switched off.

        Raises ConfigError for an address that no driver takes, or a variable that is not set.
        """
        tables = self.tables
        sources: list[Source] = [self._database(table, several=len(tables.database) > 1) for table in tables.database]
        sources += [self._documents(table, several=len(tables.documents) > 1) for table in tables.documents]
        if tables.web is not None and tables.web.enabled:
            sources.append(Web(tables.web.url))
        return tuple(sources)

    def agent(self, sources: Sequence[Source] | None = None) -> Agent:
        """An agent over `sources`, by default the configured ones. Raises UsageError where there are none."""
        used = self.sources() if sources is None else sources
        return Agent(self.model(), used, limits=self.tables.limits, mode=self.tables.model.mode)

    def _database(self, table: DatabaseTable, *, several: bool) -> Database:
        url = table.url if table.url is not None else _secret(table.url_env or "", "url_env")
        return Database(
            self._address(url),
            name=table.name or "database",
            tool=f"sql_query_{table.name}" if several else "sql_query",
            tables=table.tables,
            rows=table.rows,
            timeout_seconds=table.timeout_seconds,
        )

    def _documents(self, table: DocumentsTable, *, several: bool) -> Documents:
        return Documents(
            self._path(table.path),
            name=table.name or "documents",
            index=self._path(table.index) if table.index else None,
            tool=f"vector_search_{table.name}" if several else "vector_search",
        )

    def _path(self, path: Path) -> Path:
        return self.folder / path.expanduser()

    def _address(self, url: str) -> str:
        """A database's address, with the path of a file made absolute."""
        scheme, separator, rest = url.partition("://")
        if not separator:
            return str(self._path(Path(url)))
        if scheme.lower() not in ("duckdb", "sqlite"):
            return url
        path, mark, options = rest.removeprefix("/").partition("?")
        return f"{scheme}:///{quote(str(self._path(Path(unquote(path))).absolute()))}{mark}{options}"


def load(path: str | Path | None = None) -> Config:
    """The configuration at `path`, by default the nearest sleuth.toml of the working directory and the folders above it.

    Raises ConfigError where there is none, and with file and line for what is wrong in it.
    """
    file = Path(path).expanduser() if path is not None else find(Path.cwd())
    if file is None:
        raise ConfigError(f"there is no {FILE} here or in a folder above", hint="`sleuth init` writes one, by looking around")
    try:
        text = file.read_text("utf-8-sig")  # editors on Windows begin it with a byte order mark
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file} is not UTF-8 text", hint="save it as UTF-8") from error
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}", hint="check the path of the configuration") from error
    return Config(parse(Tables, text, str(file)), file.absolute().parent)


def find(start: Path) -> Path | None:
    """The sleuth.toml of `start`, or of the nearest folder above it."""
    start = start.absolute()
    return next((folder / FILE for folder in (start, *start.parents) if (folder / FILE).is_file()), None)


def _secret(variable: str, key: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", variable):
        # Not repeated: it may be the secret itself.
        raise ConfigError(f"{key} is no name of an environment variable", hint=f'{key} = "MY_VARIABLE", and export MY_VARIABLE=…')
    value = os.environ.get(variable, "").strip()
    if not value:
        raise ConfigError(f"the environment variable {variable}, named by {key}, is not set", hint=f"export {variable}=…")
    return value

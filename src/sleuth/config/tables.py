"""What `sleuth.toml` may hold. The fields are the keys, their types are what is accepted: the reader knows nothing else.

A key that ends in `_env` names the environment variable that holds a secret, so that none stands in the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sleuth.errors import UsageError
from sleuth.limits import Limits

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")


@dataclass(frozen=True, slots=True)
class ModelTable:
    """[model]: a server's `url`, a file's `path`, or a `name` in the model store; with a `url`, `name` is the server's model.

    `context_tokens` and `threads` are for a model run in this process, `api_key_env` for a server.
    """

    url: str | None = field(default=None, repr=False)
    path: Path | None = None
    name: str | None = None
    api_key_env: str | None = None
    mode: Literal["schema", "native"] = "schema"
    context_tokens: int | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.url is not None and self.path is not None:
            raise UsageError("a model has a url or a path, not both", hint="leave one out")
        if self.url is None and self.api_key_env is not None:
            raise UsageError("api_key_env goes with the url of a server", hint="give url, or leave it out")
        if self.url is not None and (self.context_tokens is not None or self.threads is not None):
            raise UsageError("context_tokens and threads are for a local model", hint="a server sets its own: leave them out")
        _above_zero(context_tokens=self.context_tokens, threads=self.threads)
        if max(self.context_tokens or 0, self.threads or 0) >= 2**31:
            raise UsageError("context_tokens and threads must be below 2,147,483,648", hint="8192 tokens are the default")


@dataclass(frozen=True, slots=True)
class DatabaseTable:
    """[[database]]: see `sources.sql.source.Database`. The address stands in `url`, or in the variable that `url_env` names."""

    name: str | None = None
    url: str | None = field(default=None, repr=False)
    url_env: str | None = None
    tables: tuple[str, ...] | None = None
    rows: int = 50
    timeout_seconds: float = 10.0

    def __post_init__(self) -> None:
        if (self.url is None) == (self.url_env is None):
            raise UsageError("a database has a url or a url_env, one of the two", hint='for example url = "data.duckdb"')
        if self.tables is not None and not self.tables:
            raise UsageError("no table of the database may be read", hint="list tables, or leave tables out to allow all")
        _named(self.name)
        _above_zero(rows=self.rows, timeout_seconds=self.timeout_seconds)


@dataclass(frozen=True, slots=True)
class DocumentsTable:
    """[[documents]]: a folder, or one file. `index` is the folder of its index (default: the user's cache)."""

    path: Path
    name: str | None = None
    index: Path | None = None

    def __post_init__(self) -> None:
        _named(self.name)


@dataclass(frozen=True, slots=True)
class WebTable:
    """[web]: a SearXNG-compatible server. With `enabled = false` there is no web search."""

    url: str = field(repr=False)
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Tables:
    """The whole file."""

    model: ModelTable = field(default_factory=ModelTable)
    limits: Limits = field(default_factory=Limits)
    database: tuple[DatabaseTable, ...] = ()
    documents: tuple[DocumentsTable, ...] = ()
    web: WebTable | None = None

    def __post_init__(self) -> None:
        _told_apart("database", [table.name for table in self.database])
        _told_apart("documents", [table.name for table in self.documents])


def _named(name: str | None) -> None:
    if name is not None and not _NAME.fullmatch(name):
        raise UsageError(
            f"the name {name!r} cannot become part of a tool's name",
            hint="up to 40 letters, digits, - and _, the first a letter",
        )


def _above_zero(**values: float | None) -> None:
    for key, value in values.items():
        if value is not None and not 0 < value < float("inf"):
            raise UsageError(f"{key} must be above zero", hint="leave it out to take the default")


def _told_apart(table: str, names: list[str | None]) -> None:
    if len(names) > 1 and None in names:
        raise UsageError(f"with several [[{table}]] each needs a name", hint='for example name = "sales"')
    if len(set(names)) < len(names):
        raise UsageError(f"two [[{table}]] have the same name", hint="give each its own: their tools are called after it")

"""What there is to ask around a folder and on this machine: databases, documents, a model server, a web search."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from sleuth.errors import SleuthError
from sleuth.models.openai_chat import OpenAIChat
from sleuth.sources.documents.read.formats import SUFFIXES
from sleuth.sources.sql.source import Database
from sleuth.sources.web.source import Web

SERVERS = tuple(f"http://127.0.0.1:{port}/v1" for port in (8000, 30000, 8080, 11434))
"""Where vLLM, SGLang, llama.cpp and Ollama listen unless told otherwise."""

SEARXNG = "http://127.0.0.1:8888"

SECONDS = 2.0
"""For a server on this machine to answer."""

MOST_FILES = 20_000
"""Files of one folder looked at before the counting of documents ends: `init` in a home folder need not walk the whole disk."""

_DATABASES = ("*.duckdb", "*.ddb", "*.sqlite", "*.sqlite3", "*.db")
_NOT_DOCUMENTS = {"node_modules", "site-packages", "venv", "env", "__pycache__", "build", "dist", "index"}

_ABOUT = re.compile(r"(readme|changelog|contributing|licen[cs]e|notice|architecture)\b", re.IGNORECASE)
"""Files that speak of a repository: alone they make no folder of documents."""


@dataclass(frozen=True, slots=True)
class DatabaseFound:
    """`key` and `value` are what the configuration says of it; `shown` is what a person reads, without secrets."""

    name: str
    key: str
    value: str
    shown: str
    holds: str


@dataclass(frozen=True, slots=True)
class DocumentsFound:
    path: str
    count: int


@dataclass(frozen=True, slots=True)
class ModelFound:
    url: str
    name: str


@dataclass(frozen=True, slots=True)
class Findings:
    """`passed_over` says in words what was there and cannot be used."""

    databases: tuple[DatabaseFound, ...] = ()
    documents: tuple[DocumentsFound, ...] = ()
    model: ModelFound | None = None
    web: str | None = None
    passed_over: tuple[str, ...] = ()


async def look_around(
    folder: Path, environment: Mapping[str, str], *, servers: Sequence[str] = SERVERS, searxng: str = SEARXNG
) -> Findings:
    """Everything at once; nothing is changed, and only servers on this machine and DATABASE_URL are spoken to."""
    passed_over: list[str] = []
    databases, documents, model, web = await asyncio.gather(
        _databases(folder, environment, passed_over),
        asyncio.to_thread(documents_in, folder),
        _first_server(servers),
        _web(searxng),
    )
    return Findings(databases, documents, model, web, tuple(passed_over))


async def _databases(folder: Path, environment: Mapping[str, str], passed_over: list[str]) -> tuple[DatabaseFound, ...]:
    candidates: list[tuple[str, str, str, str]] = []
    if url := environment.get("DATABASE_URL"):
        candidates.append(("url_env", "DATABASE_URL", "the database of DATABASE_URL", url))
    candidates += [("url", path.name, path.name, str(path)) for path in _database_files(folder)]
    found: list[DatabaseFound] = []
    for key, value, shown, address in candidates:
        try:
            found.append(DatabaseFound(_name(value, {item.name for item in found}), key, value, shown, await _holds(address)))
        except SleuthError as error:
            passed_over.append(f"{shown}: {error.message}")
    return tuple(found)


def _database_files(folder: Path) -> list[Path]:
    return sorted({path for pattern in _DATABASES for path in folder.glob(pattern) if path.is_file()})


async def _holds(address: str) -> str:
    source = Database(address)
    try:
        card = await source.open()
    finally:
        await source.close()
    return ", ".join(f"{count} {what}" for what, count in card.facts)


def _name(value: str, taken: set[str]) -> str:
    """A name that can become part of a tool's, from the variable or the file."""
    plain = re.sub(r"[^a-z0-9]+", "_", Path(value).stem.lower()).strip("_")
    name = (plain if plain[:1].isalpha() else f"db_{plain}")[:36]
    return name if name not in taken else next(new for n in range(2, 100) if (new := f"{name}_{n}") not in taken)


def documents_in(folder: Path) -> tuple[DocumentsFound, ...]:
    """The folder inside that holds most documents, or `folder` itself where more lie loose in it. None without any."""
    entries = sorted(folder.iterdir())
    loose = sum(_is_document(entry) and entry.is_file() and not _ABOUT.match(entry.name) for entry in entries)
    counts = {
        entry.name: sum(map(_is_document, islice(_files(entry), MOST_FILES)))
        for entry in entries
        if entry.is_dir() and not _passed_by(entry.name)
    }
    best = max(counts, key=lambda name: counts[name], default="")
    if counts.get(best, 0) > loose:
        return (DocumentsFound(best, counts[best]),)
    return (DocumentsFound(".", loose + sum(counts.values())),) if loose else ()


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _passed_by(name))
        yield from (Path(place, name) for name in names)


def _is_document(file: Path) -> bool:
    return file.suffix.lower() in SUFFIXES and not file.name.startswith((".", "~$"))


def _passed_by(folder: str) -> bool:
    return folder.startswith(".") or folder in _NOT_DOCUMENTS


async def _first_server(servers: Sequence[str]) -> ModelFound | None:
    found = await asyncio.gather(*map(_server, servers))
    return next((item for item in found if item), None)


async def _server(url: str) -> ModelFound | None:
    model = OpenAIChat(url, connect_seconds=SECONDS, timeout_seconds=SECONDS, retries=0)
    try:
        async with asyncio.timeout(SECONDS):
            name, _ = await model.meet()
        return ModelFound(url, name)
    except (SleuthError, TimeoutError):
        return None
    finally:
        await model.close()


async def _web(url: str) -> str | None:
    try:
        await Web(url, timeout_seconds=SECONDS).open()
        return url
    except SleuthError:
        return None

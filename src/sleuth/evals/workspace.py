"""Where the answers are to be found: a user's own sources, the data beside a case file, or the sample case."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from sleuth.agent import Agent
from sleuth.config import find, load
from sleuth.errors import UsageError
from sleuth.evals.cases import Line, cache_folder
from sleuth.evals.report import Settings
from sleuth.models.base import Model
from sleuth.models.known import DEFAULT_MODEL
from sleuth.models.open import open_model
from sleuth.result import Json
from sleuth.source import Source
from sleuth.sources.documents.source import Documents
from sleuth.sources.sql.source import Database
from sleuth.sources.web.source import Web
from sleuth.sources.web.standin import StandInWeb


@dataclass(frozen=True, slots=True)
class Workspace:
    """`about` says which sources these are. `databases` are the SQLite files among them."""

    agent: Agent
    about: str
    databases: tuple[Path, ...] = ()


@asynccontextmanager
async def workspace(lines: Sequence[Line], settings: Settings) -> AsyncGenerator[Workspace]:
    """The first there is: the configuration given, the nearest sleuth.toml, the data beside the case file, the sample case.

    `lines` is the whole file, so that a workspace is the same for each of its cases. Sources and model are closed at the end.
    """
    async with AsyncExitStack() as stack:
        path = settings.config or find(Path.cwd())
        data = data_beside(settings.file)
        if path is not None:
            made = _configured(path, settings)
        elif data is not None:
            made = await _beside(data, lines, settings, stack)
        else:
            made = await _sample(settings, stack)
        stack.push_async_callback(made.agent.aclose)
        yield made


def data_beside(file: Path) -> Path | None:
    """The folder `common` beside or above a case file that holds databases/*.sqlite and documents/*.jsonl."""
    for folder in file.resolve().parents:
        common = folder / "common"
        if any((common / "databases").glob("*.sqlite")) and any((common / "documents").glob("*.jsonl")):
            return common
    return None


def named_databases(lines: Sequence[Line], folder: Path) -> tuple[Path, ...]:
    """The files of the databases that the cases name (`sql[].db`), in the order of their names. Raises CaseError."""
    found: dict[str, Path] = {}
    for line in lines:
        queries = line.fields.get("sql")
        for query in queries if isinstance(queries, list) else []:
            name = query.get("db") if isinstance(query, Mapping) else None
            if not isinstance(name, str):
                raise line.error("each item of 'sql' must name its 'db'")
            if name not in _stems(folder):
                raise line.error(f"there is no database {name!r}", f"there are {', '.join(_stems(folder))}")
            found[name] = folder / f"{name}.sqlite"
    return tuple(found[name] for name in sorted(found))


def write_documents(records: Sequence[Mapping[str, Json]], folder: Path) -> None:
    """One Markdown file a record (`doc_id`, `title`, `text`); what is there and unchanged is left alone, what is not named goes.

    Raises UsageError for an id that leads out of the folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    kept: set[Path] = set()
    for record in records:
        path = (folder / f"{record['doc_id']}.md").resolve()
        if not path.is_relative_to(folder.resolve()):
            raise UsageError(f"the document id {record['doc_id']!r} leads out of its folder")
        text = str(record["text"])
        body = text if text.lstrip().startswith("#") else f"# {record.get('title') or path.stem}\n\n{text}"
        if not path.is_file() or path.read_text("utf-8") != body:
            _write(path, body)
        kept.add(path)
    for path in folder.resolve().rglob("*.md"):
        if path not in kept:
            path.unlink()


def _configured(path: Path, settings: Settings) -> Workspace:
    config = load(path)
    model = config.model() if settings.model is None else _opened(settings.model)
    mode = settings.mode or config.tables.model.mode
    return Workspace(Agent(model, config.sources(), limits=config.tables.limits, mode=mode), f"the sources of {path}")


async def _beside(common: Path, lines: Sequence[Line], settings: Settings, stack: AsyncExitStack) -> Workspace:
    databases = named_databases(lines, common / "databases")
    several = len(databases) > 1
    sources: list[Source] = [
        Database(str(file), name=file.stem, tool=f"sql_query_{file.stem}" if several else "sql_query") for file in databases
    ]
    told = [f"{_plural(len(databases), 'database')} ({', '.join(file.stem for file in databases)})"] if databases else []
    documents, pages = _records(common / "documents")
    if documents:
        folder = cache_folder() / hashlib.sha256(str(common).encode()).hexdigest()[:16] / "documents"
        write_documents(documents, folder)
        sources.append(Documents(folder))
        told.append(_plural(len(documents), "document"))
    if pages is not None:
        sources.append(Web(await stack.enter_async_context(StandInWeb(pages))))
        told.append("a stand-in for the web")
    return Workspace(_agent(sources, settings), f"the data in {common}: {', '.join(told)}", databases)


async def _sample(settings: Settings, stack: AsyncExitStack) -> Workspace:
    if settings.sample is None:
        raise UsageError("there are no sources to answer from", hint="write a sleuth.toml (`sleuth init`), or pass --config")
    files = settings.sample()
    web = await stack.enter_async_context(StandInWeb(files.web))
    sources: list[Source] = [Database(str(files.database), name="contracts"), Documents(files.documents), Web(web)]
    return Workspace(_agent(sources, settings), "the sample case (examples/contracts), with a stand-in for the web")


def _agent(sources: Sequence[Source], settings: Settings) -> Agent:
    return Agent(_opened(settings.model or DEFAULT_MODEL), sources=sources, mode=settings.mode or "schema")


def _opened(model: Model | str) -> Model:
    return open_model(model) if isinstance(model, str) else model


def _records(folder: Path) -> tuple[list[Mapping[str, Json]], Path | None]:
    """The documents of all files whose records have a `doc_id`, and the file of web pages (`url`), if there is one."""
    documents: list[Mapping[str, Json]] = []
    pages: Path | None = None
    for file in sorted(folder.glob("*.jsonl")):
        records: list[Mapping[str, Json]] = [json.loads(line) for line in file.read_text("utf-8").split("\n") if line.strip()]
        if records and "doc_id" in records[0]:
            documents += records
        elif records and "url" in records[0]:
            pages = file
    return documents, pages


def _plural(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def _stems(folder: Path) -> list[str]:
    return sorted(file.stem for file in folder.glob("*.sqlite"))


def _write(path: Path, body: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=".", delete=False) as file:
        file.write(body)
    os.replace(file.name, path)

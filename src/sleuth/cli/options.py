"""The options that say where to look and what to ask, shared by the commands that answer questions."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from sleuth.agent import Agent
from sleuth.config import Config, find, load
from sleuth.config.tables import DatabaseTable, DocumentsTable, ModelTable, WebTable
from sleuth.errors import UsageError
from sleuth.source import Source
from sleuth.sources.documents.source import Documents

if TYPE_CHECKING:
    from sleuth.sources.documents.index import Progress

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - its only name


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", metavar="FILE", type=Path, help="a sleuth.toml (default: the nearest, here or above)")
    parser.add_argument(
        "--model", metavar="WHERE", help="a server's URL, a model's name or a .gguf file, instead of the configured"
    )
    parser.add_argument("--db", metavar="URL", action="append", default=[], help="a database's URL or file; may be repeated")
    parser.add_argument(
        "--docs", metavar="DIR", type=Path, action="append", default=[], help="a folder of documents; may be repeated"
    )
    parser.add_argument("--web", metavar="URL", help="a SearXNG-compatible server")
    parser.add_argument("--mode", choices=["schema", "native"], help="how calls are made, instead of the configured")
    parser.add_argument("--max-iterations", metavar="N", type=int, help="most turns before the answer is written")
    parser.add_argument("--max-seconds", metavar="S", type=float, help="most time before the answer is written")


def configured(args: argparse.Namespace) -> Config:
    """The configuration, overridden by the options. Sources given as options take the place of all the configured ones.

    Raises ConfigError for a bad file, or where there is neither a file nor a source; UsageError for options that cannot be.
    """
    given = bool(args.db or args.docs or args.web)
    path = args.config or find(Path.cwd())
    config = Config() if path is None and given else load(path)
    tables = config.tables
    if given:
        tables = dataclasses.replace(
            tables,
            database=tuple(
                DatabaseTable(name=_name("database", number, len(args.db)), url=_absolute(url))
                for number, url in enumerate(args.db, 1)
            ),
            documents=tuple(
                DocumentsTable(folder.expanduser().absolute(), _name("documents", number, len(args.docs)))
                for number, folder in enumerate(args.docs, 1)
            ),
            web=WebTable(args.web) if args.web else None,
        )
    if args.model is not None:
        tables = dataclasses.replace(tables, model=_model(args.model, tables.model))
    if args.mode is not None:
        tables = dataclasses.replace(tables, model=dataclasses.replace(tables.model, mode=args.mode))
    over = {"iterations": args.max_iterations, "seconds": args.max_seconds}
    limits = dataclasses.replace(tables.limits, **{key: value for key, value in over.items() if value is not None})
    return dataclasses.replace(config, tables=dataclasses.replace(tables, limits=limits))


def agent_of(config: Config, tell: Callable[[str], None]) -> Agent:
    """The agent of `config`; `tell` hears in words, from another thread, how the reading of documents goes."""
    sources = config.sources()
    if not sources:
        raise UsageError(
            "there is nothing to ask: no database, no documents, no web", hint="add one to sleuth.toml, or --db, --docs"
        )
    for source in sources:
        _watch(source, tell)
    return config.agent(sources)


def _watch(source: Source, tell: Callable[[str], None]) -> None:
    if isinstance(source, Documents):

        def show(progress: Progress) -> None:
            tell(f"indexing {progress.done}/{progress.total} {progress.path[-40:]}")

        source.on_progress = show


def _name(kind: str, number: int, of: int) -> str:
    return kind if of == 1 else f"{kind}_{number}"


def _absolute(url: str) -> str:
    """What an option names is relative to the working directory, not to the configuration's folder."""
    return url if "://" in url else str(Path(url).expanduser().absolute())


def _model(where: str, configured: ModelTable) -> ModelTable:
    if "://" in where:
        return ModelTable(url=where, mode=configured.mode)
    # As for the store: what looks like a file is one, relative to the working directory.
    if where.endswith(".gguf") or "/" in where:
        path = Path(where).expanduser().absolute()
        return ModelTable(path=path, mode=configured.mode, context_tokens=configured.context_tokens, threads=configured.threads)
    return ModelTable(name=where, mode=configured.mode, context_tokens=configured.context_tokens, threads=configured.threads)

"""`sleuth models`: what local models there are, and bringing one here."""

from __future__ import annotations

import asyncio
import json
from argparse import ArgumentParser, Namespace
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn
from rich.table import Table

from sleuth.models.known import DEFAULT_MODEL, KNOWN
from sleuth.models.store import Store

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage] - the only name argparse has for it


def add(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Register the command and its three actions; `args.run(args)` gives the exit status and raises SleuthError."""
    models = subparsers.add_parser("models", help="list, fetch and find local models")
    actions = models.add_subparsers(title="actions", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="known models and those that are here")
    listing.set_defaults(run=_list)
    fetching = actions.add_parser("pull", help="fetch a known model, verified by its SHA-256")
    fetching.add_argument("name", nargs="?", default=DEFAULT_MODEL, help=f"a known model (default: {DEFAULT_MODEL})")
    fetching.set_defaults(run=_pull)
    finding = actions.add_parser("path", help="print the file of a model that is here")
    finding.add_argument("name", nargs="?", default=DEFAULT_MODEL, help=f"a name or a SHA-256 (default: {DEFAULT_MODEL})")
    finding.set_defaults(run=_path)
    for action in (listing, fetching, finding):
        action.add_argument("--json", action="store_true", help="print JSON")


async def pull_with_bar(name: str, store: Store | None = None) -> Path:
    """`Store.pull` with a progress bar on standard error, shown once there is something to fetch."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(f"fetching {name}", total=None, visible=False)

        def progress(done_bytes: int, total_bytes: int) -> None:
            bar.update(task, completed=done_bytes, total=total_bytes, visible=True)

        def notice(words: str) -> None:
            console.print(words, style="dim", highlight=False, markup=False)

        return await (store or Store()).pull(name, progress=progress, notice=notice)


@dataclass(frozen=True, slots=True)
class _Row:
    """A known model, here or not, or another file in the store."""

    name: str
    here: bool
    size_bytes: int
    licence: str | None
    about: str
    sha256: str
    path: str | None


def _rows(store: Store) -> list[_Row]:
    here = {stored.sha256: stored for stored in store.list()}
    rows: list[_Row] = []
    for known in store.known.values():
        stored = here.pop(known.sha256, None)
        path = str(stored.path) if stored else None
        rows.append(_Row(known.name, path is not None, known.size_bytes, known.licence, known.about, known.sha256, path))
    for other in here.values():
        rows.append(_Row(other.name, True, other.size_bytes, None, "not a known model", other.sha256, str(other.path)))
    return rows


def _list(args: Namespace) -> int:
    rows = _rows(Store())
    if args.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
        return 0
    table = Table("name", "here", "size", "licence", "about", box=None, pad_edge=False)
    for row in rows:
        table.add_row(row.name, "yes" if row.here else "no", f"{row.size_bytes / 1e6:,.0f} MB", row.licence or "", row.about)
    Console().print(table)
    return 0


def _pull(args: Namespace) -> int:
    started = perf_counter()
    path = asyncio.run(pull_with_bar(args.name))
    if args.json:
        model = KNOWN[args.name]
        seconds = round(perf_counter() - started, 3)
        print(json.dumps({"name": model.name, "path": str(path), "sha256": model.sha256, "seconds": seconds}))
    else:
        print(path)
    return 0


def _path(args: Namespace) -> int:
    path = Store().find(args.name)
    print(json.dumps({"name": args.name, "path": str(path)}) if args.json else path)
    return 0

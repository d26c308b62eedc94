"""`sleuth demo`: the sample case, built and asked, every step shown as it happens, every second accounted for."""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from sleuth.agent import Agent
from sleuth.cli.answer_json import answer_json
from sleuth.cli.ask import exit_status, watched
from sleuth.cli.bars import index_bar
from sleuth.cli.models import pull_with_bar
from sleuth.cli.sample_case import QUESTION, build
from sleuth.cli.show import Show
from sleuth.models.base import Model
from sleuth.models.known import DEFAULT_MODEL, KNOWN
from sleuth.models.llamacpp import LlamaCpp
from sleuth.models.open import open_model
from sleuth.result import Json
from sleuth.sources.documents.source import Documents
from sleuth.sources.sql.source import Database
from sleuth.sources.web.source import Web
from sleuth.sources.web.standin import StandInWeb
from sleuth.trajectory import Answer

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - its only name

CONFIG = """\
# The sample case: `sleuth ask` in this folder answers from it.
# Its web is a stand-in that runs only while `sleuth demo` does; a SearXNG server of your own would stand here:
# [web]
# url = "http://127.0.0.1:8888"

[[database]]
name = "contracts"
url = "contracts.duckdb"

[[documents]]
path = "documents"
index = "index"
"""


class Clock:
    """Seconds by what they were spent on, in order."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._started = time.monotonic()

    @contextmanager
    def on(self, what: str) -> Generator[None]:
        begun = time.monotonic()
        try:
            yield
        finally:
            self.spent[what] = time.monotonic() - begun

    def finish(self, answer: Answer) -> None:
        for number, step in enumerate(answer.trajectory.steps, 1):
            self.spent[f"iteration {number}"] = step.seconds
        self.spent |= {"answer": sum(usage.seconds for usage in answer.writing), "total": time.monotonic() - self._started}


def add(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "demo",
        help="answer the sample question over the sample case",
        description="Build the sample case (a database of contracts, 65 documents, a stand-in for the web), fetch the default "
        "model when it is not here, and answer the sample question, every step shown.",
    )
    parser.add_argument("--into", metavar="DIR", type=Path, default=Path("sleuth-demo"), help="default: %(default)s")
    parser.add_argument(
        "--model", metavar="WHERE", default=DEFAULT_MODEL, help="a URL, a name or a .gguf file (default: %(default)s)"
    )
    parser.add_argument("--question", metavar="Q", default=QUESTION, help="another question over the same case")
    parser.add_argument("--json", action="store_true", help="print the answer, its steps and the times as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Exit status as for `sleuth ask`. Raises SleuthError."""
    console = Console(stderr=args.json, highlight=False)
    clock = Clock()
    answer = asyncio.run(_demo(args.into, args.model, args.question, console, clock, quiet=args.json))
    clock.finish(answer)
    if args.json:
        times: dict[str, Json] = {what: round(seconds, 2) for what, seconds in clock.spent.items()}
        told = {**answer_json(answer, trace=True), "times": times, "peak_memory_bytes": peak_memory_bytes()}
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        _show_times(clock, console)
        console.print(f"\nAsk more of the same case: cd {args.into} && sleuth ask …", markup=False, style="dim")
    return exit_status(answer)


async def _demo(into: Path, where: str, question: str, console: Console, clock: Clock, *, quiet: bool) -> Answer:
    with clock.on("sample case"):
        case = build(into)
        _write_config(into / "sleuth.toml")
    if where in KNOWN:
        with clock.on("model pull"):
            where = str(await pull_with_bar(where))
    async with StandInWeb(case.web) as web:
        about = f"The sample case is in {into}. A stand-in for the web answers at {web}: its pages are invented."
        console.print(about, markup=False, soft_wrap=True)
        model = open_model(where)
        documents = Documents(case.documents, index=into / "index")
        database = Database(str(case.database), name="contracts")
        async with Agent(model, [database, documents, Web(web)]) as agent:
            await _prepare(agent, model, documents, console, clock)
            console.print(f"\n{question}\n", style="bold", markup=False)
            with Show(console, steps=not quiet, answer=not quiet) as show:
                return await watched(agent, question, show)


async def _prepare(agent: Agent, model: Model, documents: Documents, console: Console, clock: Clock) -> None:
    """What the first question would wait for, done before it so that each has its own time."""
    with clock.on("index"), index_bar(Console(stderr=True)) as bar:
        documents.on_progress = bar
        await agent.open()
    if isinstance(model, LlamaCpp):
        with clock.on("model load"), console.status("loading the model"):
            await model.load()


def _write_config(path: Path) -> None:
    """One that is there may have been edited: it is left alone."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(CONFIG)
    except FileExistsError:
        return


def peak_memory_bytes() -> int:
    """Of this process. Linux gives KiB, macOS bytes (getrusage(2))."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _show_times(clock: Clock, console: Console) -> None:
    table = Table("", "seconds", box=None, pad_edge=False)
    table.columns[1].justify = "right"
    for what, seconds in clock.spent.items():
        table.add_row(what, f"{seconds:.1f}", style="bold" if what == "total" else "")
    console.print()
    console.print(table)
    console.print(f"peak memory {peak_memory_bytes() / 1e6:,.0f} MB")

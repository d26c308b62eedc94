"""`sleuth demo`: the sample case, built and asked, every step shown as it happens."""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from sleuth.agent import Agent
from sleuth.cli.models import pull_with_bar
from sleuth.cli.sample_case import QUESTION, SampleCase, build
from sleuth.event import AnswerStarted, Decided, Finished, IterationStarted, Observed, Started
from sleuth.models.llamacpp import LlamaCpp
from sleuth.models.known import DEFAULT_MODEL
from sleuth.sources.documents.source import Documents
from sleuth.sources.sql.source import Database
from sleuth.sources.web.source import Web
from sleuth.sources.web.standin import StandInWeb
from sleuth.trajectory import Answer

INSUFFICIENT = 3


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage] - argparse has no public name for it
    parser = subparsers.add_parser("demo", help="answer the sample question over the sample case")
    parser.add_argument("--into", type=Path, default=Path("sleuth-demo"), help="folder the case is built in (default: %(default)s)")
    parser.add_argument("--model", default=None, help="a name in the model store or the path of a GGUF file")
    parser.add_argument("--question", default=QUESTION)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    answer = asyncio.run(_demo(args.into, args.model, args.question))
    return 0 if answer.answered else INSUFFICIENT


async def _demo(into: Path, model: str | None, question: str) -> Answer:
    console = Console()
    times: list[tuple[str, float]] = []
    started = time.monotonic()
    case = build(into)
    if model is None:
        begun = time.monotonic()
        model = str(await pull_with_bar(DEFAULT_MODEL))
        times.append(("model pull", time.monotonic() - begun))
    async with StandInWeb(case.web) as url:
        console.print(f"A local stand-in for the web answers at {url}; every page in it is invented.")
        async with _agent(case, into, model, url) as agent:
            begun = time.monotonic()
            await agent.open()
            times.append(("index", time.monotonic() - begun))
            answer = await _ask(agent, question, console)
    for number, step in enumerate(answer.trajectory.steps, 1):
        times.append((f"iteration {number}", step.seconds))
    times += [("answer", answer.usage.seconds), ("total", time.monotonic() - started)]
    for name, seconds in times:
        console.print(f"{name:>14} {seconds:7.1f} s")
    # Linux gives the peak in KiB, macOS in bytes (getrusage(2)).
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    console.print(f"{'peak memory':>14} {peak / 1e6:7.0f} MB")
    return answer


def _agent(case: SampleCase, into: Path, model: str, url: str) -> Agent:
    documents = Documents(case.documents, index=into / "index")
    return Agent(LlamaCpp(model), [Database(str(case.database)), documents, Web(url)])


async def _ask(agent: Agent, question: str, console: Console) -> Answer:
    answer: Answer | None = None
    async for event in agent.stream(question):
        match event:
            case Started():
                console.rule(escape(question))
            case IterationStarted(number):
                console.print(f"[bold]Iteration {number}[/]")
            case Decided(_, step):
                console.print(f"  thought  {escape(step.raw)}")
            case Observed(_, seen):
                console.print(f"  observed ({seen.seconds:.1f} s) {escape(seen.text)}")
            case AnswerStarted():
                console.print("[bold]Answer[/]")
            case Finished():
                answer = event.answer
            case _:
                pass
    if answer is None:
        raise AssertionError("a run ends with Finished")
    console.print(escape(answer.text))
    if answer.note:
        console.print(f"Note: {escape(answer.note)}")
    for item in answer.cited:
        console.print(f"  [{item.id}] {item.locator}", markup=False)
    return answer

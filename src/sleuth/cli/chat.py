"""`sleuth chat`: one question after the other; each knows those before it."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib
from typing import TYPE_CHECKING

from rich.console import Console

from sleuth.agent import Agent
from sleuth.cli.ask import watched
from sleuth.cli.options import add_options, agent_of, configured
from sleuth.cli.show import Show
from sleuth.errors import ModelNotFound, SleuthError
from sleuth.observe.render import clean

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - its only name

REMEMBERED = 3
"""Earlier questions and answers that the model is told: a local model reads a few dozen tokens a second."""

PROMPT = "› "
HELP = "Ask a question. Ctrl-C stops the one being answered. /new forgets what was said, /quit ends."


def add(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "chat",
        help="ask one question after the other",
        description="Ask one question after the other; each knows the last few before it. Ctrl-C stops the question that is "
        "being answered, /quit or the end of the input ends.",
    )
    add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Raises SleuthError for what no further question could mend."""
    config = configured(args)
    console = Console(highlight=False)
    shows: list[Show] = []
    agent = agent_of(config, lambda words: shows[-1].goes_on(words) if shows else None)
    with contextlib.suppress(ImportError):
        importlib.import_module("readline")  # gives input() its editing and history, where Python has it
    console.print(HELP, style="dim")
    # One event loop for all questions: sockets, engines and the model stay with it.
    with asyncio.Runner() as runner:
        try:
            _loop(agent, runner, console, shows)
        finally:
            runner.run(agent.aclose())
    return 0


def _loop(agent: Agent, runner: asyncio.Runner, console: Console, shows: list[Show]) -> None:
    history: list[tuple[str, str]] = []
    while True:
        try:
            question = input(PROMPT).strip()
        except (EOFError, KeyboardInterrupt, RuntimeError):  # the last where standard input was closed
            console.print()
            return
        if question == "/quit":
            return
        if question == "/new":
            history.clear()
        elif question.startswith("/"):
            console.print(HELP, style="dim")
        elif question:
            history += _asked(agent, question, history[-REMEMBERED:], runner, console, shows)


def _asked(
    agent: Agent, question: str, history: list[tuple[str, str]], runner: asyncio.Runner, console: Console, shows: list[Show]
) -> list[tuple[str, str]]:
    """What to remember of the question: nothing, where it was stopped or failed."""
    try:
        with Show(console) as show:
            shows[:] = [show]
            answer = runner.run(watched(agent, question, show, history))
    except KeyboardInterrupt:
        console.print("Stopped.", style="yellow")
    except SleuthError as error:
        # A question can fail on its own; a model that is not there cannot answer the next one either.
        if isinstance(error, ModelNotFound):
            raise
        console.print(clean(error.message), style="red", markup=False)
        if error.hint:
            console.print(f"  → {clean(error.hint)}", markup=False)
    else:
        return [(question, answer.text)] if answer.answered else []
    return []

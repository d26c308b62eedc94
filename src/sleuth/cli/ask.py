"""`sleuth ask`: one question, answered with its evidence."""

from __future__ import annotations

import argparse
import asyncio
import json
from typing import TYPE_CHECKING

from rich.console import Console

from sleuth.agent import Agent
from sleuth.cli.answer_json import answer_json
from sleuth.cli.options import add_options, agent_of, configured
from sleuth.cli.show import Show
from sleuth.event import Finished
from sleuth.trajectory import Answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - its only name

ANSWERED, FAILED, INSUFFICIENT = 0, 1, 3


def add(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "ask",
        help="answer one question, with evidence",
        description="Answer one question from the configured sources, or from those given here. Exit status 0 answered, 3 when "
        "the evidence is not sufficient, 1 failed, 2 usage, 130 stopped by Ctrl-C.",
    )
    parser.add_argument("question", metavar="QUESTION")
    add_options(parser)
    parser.add_argument("--json", action="store_true", help="print the answer and its evidence as JSON")
    parser.add_argument("--trace", action="store_true", help="every step too: in the JSON, or where there is no terminal")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Raises SleuthError."""
    config = configured(args)
    # JSON stands alone on standard output: the spinner goes beside it.
    console = Console(stderr=args.json, highlight=False)
    with Show(console, steps=not args.json and (args.trace or console.is_terminal), answer=not args.json) as show:
        agent = agent_of(config, show.goes_on)
        answer = asyncio.run(_answered(agent, args.question, show))
    if args.json:
        print(json.dumps(answer_json(answer, trace=args.trace), ensure_ascii=False, indent=2))
    return exit_status(answer)


def exit_status(answer: Answer) -> int:
    """A model that gave no usable reply says nothing of the sources."""
    return ANSWERED if answer.answered else FAILED if answer.stop_reason == "model_error" else INSUFFICIENT


async def _answered(agent: Agent, question: str, show: Show) -> Answer:
    async with agent:
        return await watched(agent, question, show)


async def watched(agent: Agent, question: str, show: Show, history: Sequence[tuple[str, str]] = ()) -> Answer:
    """The answer, every event on the way to it shown."""
    answer: Answer | None = None
    show.wait("opening the sources")
    async for event in agent.stream(question, history=history):
        show.see(event)
        if isinstance(event, Finished):
            answer = event.answer
    if answer is None:
        raise AssertionError("a run ends with Finished")
    return answer

"""`sleuth doctor`: what the model's server really does, and what each source holds."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sleuth.config import load
from sleuth.errors import ConfigError, SleuthError
from sleuth.models.base import Model
from sleuth.models.open import open_model
from sleuth.models.openai_chat import OpenAIChat
from sleuth.models.probe import Item, Probe, Verdict, Word, probe
from sleuth.models.probed import remember
from sleuth.run import Mode
from sleuth.source import Source

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - its only name

LABELS: dict[Item, str] = {
    "schema": "JSON Schema",
    "choice": "choice",
    "regex": "regular expression",
    "grammar": "grammar",
    "tool_calls": "native tool calls",
    "tool_arguments": "their arguments",
    "parallel_calls": "several at once",
    "streaming": "streaming",
    "logprobs": "log probabilities",
}

DECISIVE: dict[Mode, Item] = {"schema": "schema", "native": "tool_arguments"}
"""What decisions are held in, by the mode of the configuration."""

MEANING: dict[Word, str] = {
    "enforced": "Decisions are valid by construction.",
    "unverified": "Whether decisions are kept in form was not seen: each is checked afterwards, and called validated.",
    "off": "Decisions are not kept in form: each is checked afterwards, and called validated.",
}

COLOURS: dict[Word, str] = {"enforced": "green", "works": "green", "unverified": "yellow", "off": "red"}


@dataclass(frozen=True, slots=True)
class Examined:
    """The model: its probe, or why there is none."""

    name: str
    mode: Mode
    probe: Probe | None = None
    problem: str | None = None
    hint: str | None = None

    @property
    def decisions(self) -> Word | None:
        """Whether decisions are held in form; None where nothing could be asked."""
        return self.probe and self.probe.word(DECISIVE[self.mode])


@dataclass(frozen=True, slots=True)
class Opened:
    """A source: what it holds, or why it could not be opened."""

    name: str
    holds: str | None
    problem: str | None = None
    hint: str | None = None


def add(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "doctor",
        help="see whether the model keeps its form, and whether the sources open",
        description="Ask the model for what a constraint forbids and see whether it holds: enforced, unverified or off. Open "
        "each source of the configuration. Exit status 0 when decisions are held in form and every source opens, else 1.",
    )
    parser.add_argument("--config", metavar="FILE", type=Path, help="the configuration (default: the nearest sleuth.toml)")
    parser.add_argument("--model", metavar="WHERE", help="probe this model instead: a URL, a name or a .gguf file")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """With `--model` and no `--config` only the model is looked at. Raises ConfigError."""
    settings = None if args.model and args.config is None else load(args.config)
    notices = Console(stderr=True)
    with notices.status("Asking the model …") as status:

        def show(verdict: Verdict) -> None:
            status.update(f"Asking the model … {LABELS[verdict.item]}: {verdict.word}")

        def model() -> Model:
            return open_model(args.model) if args.model or settings is None else settings.model()

        mode: Mode = settings.tables.model.mode if settings else "schema"
        sources = settings.sources() if settings else ()
        examined, opened = asyncio.run(_findings(model, mode, sources, show))
    well = examined.decisions == "enforced" and not any(source.problem for source in opened)
    if args.json:
        found = {"well": well, "model": asdict(examined), "sources": [asdict(source) for source in opened]}
        print(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        _show(examined, opened, Console())
    return 0 if well else 1


async def _findings(
    make: Callable[[], Model], mode: Mode, sources: Sequence[Source], show: Callable[[Verdict], None]
) -> tuple[Examined, list[Opened]]:
    """All at once: a source that is slow to open does not keep the model waiting."""
    return await asyncio.gather(_examined(make, mode, show), asyncio.gather(*map(_opened, sources)))


async def _examined(make: Callable[[], Model], mode: Mode, show: Callable[[Verdict], None]) -> Examined:
    name = "the model"
    try:
        model = make()
        name = model.name
        try:
            found = await probe(model, on_verdict=show)
            if isinstance(model, OpenAIChat):
                with suppress(OSError):  # a home that cannot be written to is no reason to be silent about the model
                    remember(found, model.url)
            return Examined(model.name, mode, found)
        finally:
            await model.close()
    except ConfigError:
        raise
    except SleuthError as error:
        return Examined(name, mode, None, error.message, error.hint)


async def _opened(source: Source) -> Opened:
    try:
        card = await source.open()
        return Opened(source.name, ", ".join(f"{what}: {count:,}" for what, count in card.facts) or card.title)
    except SleuthError as error:
        return Opened(source.name, None, error.message, error.hint)
    finally:
        await source.close()


def _show(examined: Examined, opened: Sequence[Opened], console: Console) -> None:
    if examined.probe is None:
        console.print(f"[red]{escape(examined.name)}[/]: {_sentence(examined.problem, examined.hint)}")
    else:
        title = f"{escape(examined.probe.model)}, {examined.probe.seconds:.1f} s"
        table = Table("asked for", "verdict", "what was seen", title=title, title_justify="left", box=None, pad_edge=False)
        for verdict in examined.probe.verdicts:
            table.add_row(LABELS[verdict.item], f"[{COLOURS[verdict.word]}]{verdict.word}[/]", escape(verdict.reason))
        console.print(table)
        console.print(MEANING.get(examined.probe.word(DECISIVE[examined.mode]), ""))
    if opened:
        table = Table("source", "", "what it holds", box=None, pad_edge=False)
        for source in opened:
            word = "[red]failed[/]" if source.problem else "[green]open[/]"
            table.add_row(escape(source.name), word, escape(source.holds or "") or _sentence(source.problem, source.hint))
        console.print()
        console.print(table)


def _sentence(problem: str | None, hint: str | None) -> str:
    return escape(f"{problem}; {hint}" if hint else str(problem))

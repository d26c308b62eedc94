"""Writes docs/commands.md from the commands themselves; a test compares the two.

python docs/make_commands.py
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

from sleuth.cli.main import COMMANDS, parser

TARGET = Path(__file__).with_name("commands.md")
HEAD = "# Commands\n\nWritten by `docs/make_commands.py` from the commands themselves.\n"


def page() -> str:
    os.environ["COLUMNS"] = "100"
    parts = [HEAD, *(_section(name, made) for name, made in parsers())]
    return "\n".join(parts)


def parsers() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command by its whole name, `sleuth` itself first."""
    yield "sleuth", parser(None)
    for name in COMMANDS:
        yield from _with_actions(f"sleuth {name}", _inner(parser(name))[name])


def _with_actions(name: str, made: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    yield name, made
    for action, inner in _inner(made).items():
        yield from _with_actions(f"{name} {action}", inner)


def _inner(made: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """argparse has no public way from a parser to the parsers of its commands."""
    for action in made._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _section(name: str, made: argparse.ArgumentParser) -> str:
    return f"## {name}\n\n```text\n{made.format_help().rstrip()}\n```\n"


if __name__ == "__main__":
    TARGET.write_text(page(), "utf-8")

"""`sleuth init`: a sleuth.toml written by looking around, and what was found said."""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from sleuth.cli.looking import Findings, look_around
from sleuth.config.build import FILE
from sleuth.errors import UsageError
from sleuth.models.known import DEFAULT_MODEL
from sleuth.observe.render import clean

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - its only name


def add(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "init",
        help="write a sleuth.toml by looking around",
        description="Look for a database (DATABASE_URL, database files), a folder of documents, a model server on this machine "
        "(ports 8000, 30000, 8080, 11434) and a SearXNG server (port 8888), and write a sleuth.toml with what is there.",
    )
    parser.add_argument("--path", metavar="DIR", type=Path, default=Path(), help="where to look and to write (default: here)")
    parser.add_argument("--force", action="store_true", help=f"write over a {FILE} that is there")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Raises UsageError where there is a configuration already, or no such folder."""
    folder: Path = args.path.expanduser()
    target = folder / FILE
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}", hint="make it first, or give another by --path")
    if target.exists() and not args.force:
        raise UsageError(
            f"there is a {FILE} {'here' if folder == Path() else f'in {folder}'} already", hint="--force writes over it"
        )
    console = Console(highlight=False)
    with Console(stderr=True).status("looking around"):
        found = asyncio.run(look_around(folder, os.environ))
    _write(target, toml(found))
    for words in told(found):
        console.print(clean(words), markup=False, soft_wrap=True)
    console.print(f"Wrote {target}. Next: sleuth doctor, then sleuth ask …", markup=False, soft_wrap=True)
    return 0


def told(found: Findings) -> list[str]:
    """What was found, a line each, and what was passed over and why."""
    lines = [f"database: {item.shown} ({item.holds})" for item in found.databases]
    lines += [f"documents: {item.path} ({item.count} files)" for item in found.documents]
    lines.append(
        f"model: {found.model.name} at {found.model.url}" if found.model else f"model: {DEFAULT_MODEL}, run on this machine"
    )
    lines += [f"web: SearXNG at {found.web}"] if found.web else []
    missing = [what for what, there in (("database", found.databases), ("documents", found.documents)) if not there]
    lines += [f"no {' and no '.join(missing)} found: fill in what is commented out"] if missing else []
    return lines + [f"passed over: {words}" for words in found.passed_over]


def toml(found: Findings) -> str:
    """The file. What was not found stands in it as a comment, to be filled in."""
    parts = ["# What sleuth asks, and with which model. `sleuth doctor` checks it. Paths are relative to this file."]
    if found.model:
        parts.append(_table("[model]", {"url": found.model.url, "name": found.model.name}, '# api_key_env = "MODEL_API_KEY"'))
    else:
        parts.append(_table("[model]", {"name": DEFAULT_MODEL}, '# or a server: url = "http://127.0.0.1:8000/v1"'))
    for item in found.databases:
        several = {"name": item.name} if len(found.databases) > 1 else {}
        parts.append(_table("[[database]]", {**several, item.key: item.value}, '# tables = ["…"]  # only these may be read'))
    for item in found.documents:
        parts.append(_table("[[documents]]", {"path": item.path}))
    if not found.databases:
        parts.append('# [[database]]\n# url = "data.duckdb"  # or url_env = "DATABASE_URL"')
    if not found.documents:
        parts.append('# [[documents]]\n# path = "documents"')
    parts.append(_table("[web]", {"url": found.web}) if found.web else '# [web]\n# url = "http://127.0.0.1:8888"  # SearXNG')
    return "\n\n".join(parts) + "\n"


def _table(head: str, values: Mapping[str, str], comment: str | None = None) -> str:
    lines = [head, *(f"{key} = {_text(value)}" for key, value in values.items())]
    return "\n".join([*lines, comment] if comment else lines)


def _text(value: str) -> str:
    """A TOML basic string (https://toml.io/en/v1.0.0#string)."""
    escaped = "".join(
        f"\\{character}"
        if character in '"\\'
        else f"\\u{ord(character):04x}"
        if ord(character) < 32 or character == "\x7f"
        else character
        for character in value
    )
    return f'"{escaped}"'


def _write(target: Path, text: str) -> None:
    """Whole or not at all."""
    try:
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=target.parent, prefix=".sleuth-", delete=False) as file:
            file.write(text)
        made = Path(file.name)
        made.chmod(0o644)
        made.replace(target)
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror}", hint="choose another folder by --path") from error

"""`sleuth index`: bring the index of a folder up to date."""

from __future__ import annotations

import argparse
import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

import sleuth  # its names load the engines when first used: `sleuth --help` loads none
from sleuth.cli.bars import index_bar

if TYPE_CHECKING:
    from sleuth.sources.documents.index import Report

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - its only name

_INTERRUPTED = 130  # 128 + SIGINT, as shells report it


def add(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "index",
        help="read a folder of documents into its index",
        description="Read the PDF, DOCX, HTML, Markdown and text files of a folder into its index. Only what is new or changed "
        "is read; what was deleted is forgotten. Interrupted, it leaves a usable index and goes on from there the next time.",
    )
    parser.add_argument("path", metavar="PATH", type=Path, help="a folder, or one file")
    parser.add_argument("--into", metavar="DIR", type=Path, help="where the index is kept (default: your cache directory)")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Exit status 0 also where single files could not be read, 1 where none could. Raises SleuthError."""
    notices = Console(stderr=True)
    try:
        report = _indexed(args.path, args.into, notices)
    except KeyboardInterrupt:
        notices.print("Stopped. What was read is in the index; the same command goes on from there.")
        return _INTERRUPTED
    if args.json:
        print(json.dumps(dataclasses.asdict(report), ensure_ascii=False))
    else:
        _show(report, Console())
    return 0 if report.documents else 1


def _indexed(path: Path, into: Path | None, notices: Console) -> Report:
    with index_bar(notices) as show:
        documents = sleuth.Documents(path, index=into, on_progress=show)
        try:
            return documents.update()
        finally:
            documents.release()


def _show(report: Report, console: Console) -> None:
    changes = [f"{count} {word}" for word in ("added", "changed", "deleted", "unchanged") if (count := getattr(report, word))]
    console.print(
        f"{report.documents} documents, {report.passages} passages in {report.seconds:.1f} s: {', '.join(changes) or 'none'}"
    )
    if report.rebuilt:
        console.print(f"All were read again: {report.rebuilt}.")
    if report.ignored:
        passed_over = ", ".join(f"{count} × {ending}" for ending, count in report.ignored)
        console.print(f"Passed over: {passed_over}", markup=False)
    if report.unreadable:
        table = Table("File", "Why it could not be read", title=f"{len(report.unreadable)} unreadable", title_justify="left")
        for path, why in report.unreadable:
            table.add_row(escape(path), escape(why))
        console.print(table)

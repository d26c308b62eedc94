"""`sleuth eval run`: the one door through which case files are scored."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sleuth.cli.sample_case import build
from sleuth.errors import UsageError
from sleuth.evals.cases import cache_folder, chosen, read_lines
from sleuth.evals.kinds import KINDS, kind_called
from sleuth.evals.report import Evaluation, Outcome, Report, SampleFiles, Settings
from sleuth.result import Json

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - its only name

_INTERRUPTED = 130  # 128 + SIGINT, as shells report it


def add(subparsers: Subparsers) -> None:
    """Register the command; `args.run(args)` gives the exit status and raises SleuthError."""
    parser = subparsers.add_parser("eval", help="score a file of cases")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    run = actions.add_parser(
        "run",
        help="run the cases of a file and score them",
        description="Run the cases of a JSON Lines file and score them. Exit status 0 when they could be run, whatever the "
        "score. Sources: --config, else the nearest sleuth.toml, else the data beside the file (common/databases, "
        "common/documents), else the sample case.",
    )
    run.add_argument("file", metavar="FILE.jsonl", type=Path, help="one case a line")
    run.add_argument("--kind", required=True, metavar="KIND", help=f"how they are scored: {', '.join(KINDS)}")
    run.add_argument("--limit", metavar="N", type=_count, help="score only N cases: the first, or with --seed as many at random")
    run.add_argument("--seed", metavar="S", type=int, help="draw the N cases of --limit with this seed")
    run.add_argument("--config", metavar="FILE", type=Path, help="a sleuth.toml")
    run.add_argument("--model", metavar="WHERE", help="a server's URL, a model's name, or a GGUF file, instead of the configured")
    run.add_argument("--mode", choices=["schema", "native"], help="how calls are made, instead of the configured")
    run.add_argument("--compare", metavar="WITH", help="native: also the first turn by native function calling, side by side")
    run.add_argument("--json", action="store_true", help="print the report as JSON")
    run.set_defaults(run=_run)


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def _run(args: argparse.Namespace) -> int:
    notices = Console(stderr=True, highlight=False)

    def tell(words: str) -> None:
        notices.print(words, style="dim", markup=False, soft_wrap=True)

    if args.seed is not None and args.limit is None:
        raise UsageError("--seed draws the cases of --limit, and there is no --limit", hint="add --limit N, or leave it out")
    kind = kind_called(args.kind)
    lines = read_lines(args.file)
    cases = chosen(lines, args.limit, args.seed)
    settings = Settings(args.file, args.config, args.model, args.mode, args.compare, _sample_files, tell)
    evaluation = kind.evaluation(lines, cases, settings)
    outcomes: list[Outcome] = []
    status = 0
    try:
        asyncio.run(_collect(evaluation, outcomes, len(cases), notices))
    except KeyboardInterrupt:
        status = _INTERRUPTED
    report = Report(args.kind, len(cases), tuple(outcomes), evaluation.figures(), interrupted=status != 0)
    if args.json:
        print(json.dumps(report.as_json(), ensure_ascii=False))
    else:
        _show(report, evaluation.columns, Console())
    return status


async def _collect(evaluation: Evaluation, outcomes: list[Outcome], cases: int, notices: Console) -> None:
    async for outcome in evaluation.outcomes():
        outcomes.append(outcome)
        why = f": {outcome.why}" if outcome.why else ""
        notices.print(f"[{len(outcomes)}/{cases}] {outcome.id} {outcome.verdict}{why}", markup=False, soft_wrap=True)


def _sample_files() -> SampleFiles:
    """Built in the user's cache, where the next evaluation finds it and its index again."""
    case = build(cache_folder() / "sample-case")
    return SampleFiles(case.database, case.documents, case.web)


def _show(report: Report, columns: Sequence[str], console: Console) -> None:
    table = Table(*columns, show_lines=True)
    for outcome in report.outcomes:
        table.add_row(*(Text(cell) for cell in outcome.cells))
    console.print(table)
    said = f"{report.cases} cases: {report.count('passed')} passed, {report.count('failed')} failed, {report.unscored} unscored"
    console.print(f"{said} (stopped early: partial)" if report.partial else said, markup=False)
    for words in _lines_of(report.figures):
        console.print(words, markup=False, highlight=False)
    for beside in _side_by_side(report.figures):
        console.print(beside)


def _lines_of(figures: Mapping[str, Json]) -> list[str]:
    """Figures one a line, a group of figures on one line; lists are for --json."""
    lines: list[str] = []
    alike = {name for group in _alike(figures) for name in group}
    for name, value in figures.items():
        if name in alike or isinstance(value, list):
            continue
        lines.append(f"{_spoken(name)}: {_told(value)}")
    return lines


def _told(value: Json) -> str:
    if isinstance(value, Mapping):
        inner = [
            f"{_spoken(key)} ({_told(item)})" if isinstance(item, Mapping) else f"{_spoken(key)} {_told(item)}"
            for key, item in value.items()
        ]
        return ", ".join(inner) or "none"
    return "not known" if value is None else f"{value:,}" if isinstance(value, int | float) else str(value)


def _side_by_side(figures: Mapping[str, Json]) -> list[Table]:
    """Groups of figures with the same names are the columns of one table."""
    tables: list[Table] = []
    for names in _alike(figures):
        table = Table("", *map(_spoken, names))
        groups = [value for name in names if isinstance(value := figures[name], Mapping)]
        for row in groups[0]:
            table.add_row(_spoken(row), *(_told(group[row]) for group in groups))
        tables.append(table)
    return tables


def _alike(figures: Mapping[str, Json]) -> list[list[str]]:
    by_names: dict[tuple[str, ...], list[str]] = {}
    for name, value in figures.items():
        if isinstance(value, Mapping) and value:
            by_names.setdefault(tuple(value), []).append(name)
    return [names for names in by_names.values() if len(names) > 1]


def _spoken(name: str) -> str:
    return name.replace("_", " ")

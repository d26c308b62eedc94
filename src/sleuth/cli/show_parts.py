"""The pieces a run is shown in. Whatever came from outside is cleaned: no control character reaches the terminal."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from sleuth.cli.answer_json import tokens, weakest
from sleuth.evidence import Evidence, Locator
from sleuth.observe.render import cell_text, clean
from sleuth.result import Failure, Json, Rows
from sleuth.structured_output.grammar.grounded import numbers_in
from sleuth.tool import ToolCall
from sleuth.trajectory import Action, Answer, Calls, Conclude, GiveUp, Malformed, Observation, Usage

ROWS = 6
PASSAGE_CHARS = 240
LABEL = 10
"""Width of the words that name a line."""

_MARKER = re.compile(r"\[\d+\]")


def rule(title: str) -> RenderableType:
    return Rule(Text(title, style="bold"), align="left", characters="─", style="dim")


def line(label: str, said: str, *, style: str = "") -> RenderableType:
    """A labelled line; what does not fit goes on beneath itself, not beneath the label."""
    return _row(Text(label, style="dim"), Text(clean(said), style=style))


def action_lines(action: Action) -> Iterator[RenderableType]:
    match action:
        case Calls(calls):
            for call in calls:
                yield _row(Text("action", style="dim"), _call(call))
        case Conclude():
            yield line("action", "answer")
        case GiveUp():
            yield line("action", "evidence insufficient")
        case Malformed(problem):
            yield line("problem", problem, style="yellow")


def observed_lines(seen: Observation) -> Iterator[RenderableType]:
    took = f"{clean(seen.call.tool)}, {seen.seconds:.1f} s"
    if isinstance(seen.result, Failure):
        yield _row(Text("observed", style="dim"), Text(took, style="dim"), Text(clean(seen.text), style="red"))
    elif isinstance(seen.result, Rows) and seen.evidence:
        yield _row(Text("observed", style="dim"), Text(took, style="dim"), _rows(seen.result, seen.evidence[0].id))
    elif seen.evidence:
        shown = [Text.assemble(_mark(item.id), " ", _place(item), "\n", _extract(item.text)) for item in seen.evidence]
        yield _row(Text("observed", style="dim"), Text(took, style="dim"), *shown)
    else:
        yield _row(Text("observed", style="dim"), Text(took, style="dim"), Text(clean(seen.text)))


def usage_words(usage: Usage) -> RenderableType:
    kept = f" ({usage.cached_tokens:,} known)" if usage.cached_tokens else ""
    words = (
        f"{usage.seconds:.1f} s, {usage.prompt_tokens:,} tokens read{kept}, {usage.completion_tokens:,} written, {usage.enforced}"
    )
    return _row(Text(""), Text(words, style="dim"))


def answer_lines(answer: Answer) -> Iterator[RenderableType]:
    """The answer, what must be known beside it, the evidence it cites in full, and a count of the rest."""
    for paragraph in answer.text.splitlines():
        text = Text(clean(paragraph))
        text.highlight_regex(_MARKER, "bold cyan")
        yield text
    if answer.note:
        yield Text(f"Note: {clean(answer.note)}", style="yellow")
    cited = answer.cited
    if cited:
        yield Text("\nEvidence", style="bold")
        for item in cited:
            yield _cited(item, [claim.claim for claim in answer.citations if item.id in claim.evidence])
    uncited = len(answer.evidence) - len(cited)
    if uncited:
        yield Text(f"{uncited} other {'pieces' if uncited > 1 else 'piece'} of evidence seen, not cited.", style="dim")
    yield Text(_summary(answer), style="dim")


def _summary(answer: Answer) -> str:
    used = answer.usages
    steps = len(answer.trajectory.steps)
    calls = answer.trajectory.spent.calls
    word = "Answered" if answer.answered else "Ended"
    read, written = tokens(used)["prompt"], tokens(used)["completion"]
    return (
        f"{word} in {answer.seconds:.1f} s: {_count(steps, 'iteration')}, {_count(calls, 'call')}, "
        f"{read:,} tokens read, {written:,} written; form of the output: {weakest(used) or 'no output'}."
    )


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _row(label: Text, *parts: RenderableType) -> RenderableType:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=LABEL, no_wrap=True, justify="right")
    grid.add_column(ratio=1, overflow="fold")
    grid.add_row(label, Group(*parts))
    return grid


def _call(call: ToolCall) -> Text:
    head = Text.assemble((clean(call.tool), "bold"), f" for {clean(call.part)}" if call.part else "")
    query = call.arguments.get("query")
    rest = {key: value for key, value in call.arguments.items() if key != "query"}
    params = rest.pop("params", None)
    if not isinstance(query, str):
        return head.append("\n" + _plain(call.arguments))
    if isinstance(params, Sequence) and not isinstance(params, str):
        head.append("\n" + clean(query), style="green")
        head.append(_bound([value if isinstance(value, str) else json.dumps(value) for value in params]))
    else:
        head.append(f"\n“{clean(query)}”", style="green")
    return head.append("\n" + _plain(rest)) if rest else head


def _bound(params: Sequence[str]) -> str:
    return "\n" + ", ".join(f"${number} = {clean(value)}" for number, value in enumerate(params, 1)) if params else ""


def _plain(arguments: Mapping[str, Json]) -> str:
    return clean(json.dumps(dict(arguments), ensure_ascii=False))


def _rows(result: Rows, evidence_id: int) -> RenderableType:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in result.columns:
        table.add_column(Text(clean(column)))
    for row in result.rows[:ROWS]:
        table.add_row(*(Text(_cut(cell_text(cell), 60)) for cell in row))
    more = len(result.rows) - ROWS
    said = [f"{more} more rows"] if more > 0 else []
    said += ["no rows"] if not result.rows else []
    said += ["there are rows beyond the limit"] if result.truncated else []
    said += [clean(result.note)] if result.note else []
    parts: list[RenderableType] = [_mark(evidence_id), table]
    return Group(*parts, *(Text(f"({words})", style="dim") for words in said))


def _cited(item: Evidence, claims: Sequence[str]) -> RenderableType:
    head = Text.assemble(_mark(item.id), " ", _place(item))
    body = Text(_around(clean(item.text), claims), style="dim") if item.locator.kind != "rows" else _result(item.text)
    bound = [Text(_bound(item.locator.params).strip())] if item.locator.params else []
    return Group(head, Padding(Group(*bound, body), (0, 0, 0, 4)))


def _result(text: str) -> Text:
    """Rows as the model saw them, a line each; the first names the columns."""
    lines = [clean(row) for row in text.splitlines()]
    shown = lines[: ROWS + 1]
    if len(lines) > len(shown):
        shown.append(f"({len(lines) - len(shown)} more rows)")
    return Text("\n".join(shown), style="dim")


def _mark(evidence_id: int) -> Text:
    return Text(f"[{evidence_id}]", style="bold cyan")


def _place(item: Evidence) -> Text:
    """Where it stands, and in how many documents the same does but for names and numbers."""
    text = Text(clean(item.locator.where), style="bold")
    text.append(_within(item.locator), style="not bold")
    if item.also_in:
        others = len(item.also_in)
        text.append(f"; alike in {_count(others, 'other document')}, {others + 1} in all", style="not bold")
    return text


def _within(where: Locator) -> str:
    parts = [f"page {where.page}"] if where.page is not None else []
    parts += [f"clause {clean(where.clause)}"] if where.clause else []
    parts += [f"“{clean(where.heading)}”"] if where.heading else []
    if where.statement:
        return f": {clean(where.statement)}"
    return "".join(f", {part}" for part in parts)


def _extract(text: str) -> Text:
    return Text(_cut(clean(text), PASSAGE_CHARS), style="dim")


def _around(text: str, claims: Sequence[str]) -> str:
    """The part of `text` that the last of the claims' figures stands in, so that it can be checked.

    Earlier ones are mostly numbers of clauses, which the place names.
    """
    figures = {number for claim in claims for number in numbers_in(claim)}
    places = [found.end() for found in re.finditer(r"\d[\d.,:/-]*\d|\d", text) if found.group() in figures]
    if not places or places[-1] <= PASSAGE_CHARS - 2:
        return _cut(text, PASSAGE_CHARS)
    start = text.rfind(" ", 0, places[-1] - PASSAGE_CHARS * 2 // 3) + 1
    return f"… {_cut(text[start:], PASSAGE_CHARS)}"


def _cut(text: str, chars: int) -> str:
    return text if len(text) <= chars else text[: chars - 2].rstrip() + " …"

"""What a run looks like: in a terminal, in a file, and whatever came from outside."""

from __future__ import annotations

import io
import json

from rich.console import Console

from sleuth.agent import Agent
from sleuth.cli.answer_json import answer_json, weakest
from sleuth.cli.ask import watched
from sleuth.cli.show import Show
from sleuth.cli.show_parts import answer_lines
from sleuth.errors import SourceUnavailable
from sleuth.evidence import Citation, Evidence, Ledger, Locator
from sleuth.models.scripted import Scripted
from sleuth.result import Page, Pages, Passage, Passages, Rows
from sleuth.tool import tool
from sleuth.trajectory import Answer, Trajectory, Usage

HOSTILE = "\x1b]0;owned\x07\x1b[2J\u202epaid\x9b1m within 30 days"


@tool
def rules(query: str) -> Passages:
    """What the documents say. NOT for counts."""
    also = tuple(f"contract-{number}.pdf" for number in range(38))
    hits = (Passage(HOSTILE, "policy\x1b[31m.pdf", "Policy", 2, "4.1", "Time\x07", also_in=also), Passage("Other.", "b.pdf", "B"))
    return Passages(hits)


@tool
def sales(year: int) -> Rows:
    """What was sold. NOT for rules."""
    rows = tuple((number, f"name {number}\x1b[1m") for number in range(9))
    return Rows(("n\x1b[1m", "name"), rows, "SELECT n, name FROM sales WHERE year = $1", (year,), "shop", truncated=True)


@tool
def news(query: str) -> Pages:
    """What the web says. NOT for us."""
    return Pages((Page("Copper\x1b[0m", "https://prices.example/copper", "It closed at 9,842.\x00"),))


@tool
def broken(query: str) -> str:
    """Always down."""
    raise SourceUnavailable("the index is \x1b[31mdown", hint="start it")


CALLS = json.dumps(
    {
        "thought": "Parts: \u001b[31mthe rule; the sales; the price.",
        "calls": [
            {"part": "the rule", "tool": "rules", "args": {"query": "paid"}},
            {"part": "the sales", "tool": "sales", "args": {"year": 2025}},
            {"part": "the price", "tool": "news", "args": {"query": "copper"}},
            {"part": "the rest", "tool": "broken", "args": {"query": "x y"}},
        ],
    }
)
TOLD = [
    json.dumps({"found": True, "claims": [{"evidence": [number], "text": text}]})
    for number, text in (
        (1, "Paid within 30 days, in 39 documents."),
        (3, "The sales begin with name 0."),
        (4, "Copper closed at 9,842."),
    )
]
SCRIPT = [CALLS, json.dumps({"thought": "That is all.", "finish": "answer"}), *TOLD]


async def shown(*, terminal: bool, steps: bool = True) -> tuple[str, Answer]:
    stream = io.StringIO()
    console = Console(
        file=stream, force_terminal=terminal, width=110, highlight=False, color_system="standard" if terminal else None
    )
    with Show(console, steps=steps) as show:
        async with Agent(Scripted(SCRIPT), tools=[rules, sales, news, broken]) as agent:
            answer = await watched(agent, "What is paid, sold and priced?", show)
    return stream.getvalue(), answer


async def test_a_run_in_a_file_is_plain_text_in_the_order_it_happened() -> None:
    text, _ = await shown(terminal=False)
    order = [
        "Iteration 1",
        "thought",
        "action rules for the rule",
        "“paid”",
        "action sales for the sales",
        "observed rules",
        "[1] policy",
        "page 2, clause 4.1",
        "alike in 38 other documents, 39 in all",
        "observed sales",
        "(3 more rows)",
        "(there are rows beyond the limit)",
        "[4] https://prices.example/copper",
        "observed broken",
        "failed: the index is",
        "Iteration 2",
        "Answer",
        "Paid within 30 days, in 39 documents [1].",
        "Note: broken failed",
        "Evidence",
        "[3] shop: SELECT n, name FROM sales WHERE year = $1",
        "$1 = 2025",
        "1 other piece of evidence seen, not cited.",
        "Answered in",
    ]
    places = [text.find(words) for words in order]
    assert -1 not in places, order[places.index(-1)]
    assert places == sorted(places)


async def test_nothing_from_outside_steers_the_terminal() -> None:
    plain, _ = await shown(terminal=False)
    assert not {character for character in plain if ord(character) < 32 or 0x7F <= ord(character) < 0xA0} - {"\n"}
    assert "\u202e" not in plain
    coloured, _ = await shown(terminal=True)
    assert "\x1b]0;" not in coloured and "\x07" not in coloured and "\x9b" not in coloured and "\x1b[2J" not in coloured
    assert "\x1b[1;36m[1]" in coloured


async def test_without_steps_only_the_answer_is_printed() -> None:
    text, _ = await shown(terminal=False, steps=False)
    assert text.startswith("Paid within 30 days")
    assert "Iteration" not in text and "thought" not in text


async def test_cited_evidence_stands_in_full_and_the_rest_is_counted() -> None:
    _, answer = await shown(terminal=False)
    stream = io.StringIO()
    for line in answer_lines(answer):
        Console(file=stream, width=200).print(line)
    assert [f"\n[{number}] " in stream.getvalue() for number in (1, 2, 3, 4)] == [True, False, True, True]


def test_of_long_evidence_that_part_is_shown_in_which_the_cited_figure_stands() -> None:
    text = (
        f"{'Prices may be revised once a year. ' * 9}The revision is at most 2 % a year, and never before the 12 months are over."
    )
    item = Evidence(1, text, Locator("passage", "c.pdf", 3, "7.1"), "internal", "look")
    for claim, held in (("Prices rise by 2 % a year.", "at most 2 % a year"), ("Prices may be revised.", "Prices may be")):
        answer = Answer("?", claim, (Citation(claim, (1,)),), "answered", Trajectory("?", ledger=Ledger((item,))))
        stream = io.StringIO()
        for line in answer_lines(answer):
            Console(file=stream, width=200).print(line)
        shown = stream.getvalue().partition("clause 7.1")[2]
        assert held in " ".join(shown.split()) and "…" in shown


async def test_the_json_of_an_answer_holds_claims_evidence_and_with_a_trace_every_step() -> None:
    _, answer = await shown(terminal=False)
    told = json.loads(json.dumps(answer_json(answer)))
    assert told["citations"][0] == {"claim": "Paid within 30 days, in 39 documents.", "evidence": [1]}
    first, rows, page = told["evidence"]
    assert (first["page"], first["clause"], first["documents"], len(first["also_in"])) == (2, "4.1", 39, 38)
    assert (rows["statement"], rows["params"]) == ("SELECT n, name FROM sales WHERE year = $1", ["2025"])
    assert page["where"] == "https://prices.example/copper"
    assert "trajectory" not in told
    traced = json.loads(json.dumps(answer_json(answer, trace=True)))
    assert [step["action"]["kind"] for step in traced["trajectory"]] == ["calls", "answer"]
    assert [seen["failed"] for seen in traced["trajectory"][0]["observations"]] == [False, False, False, True]
    assert [item["id"] for item in traced["seen"]] == [1, 2, 3, 4]


def test_the_word_for_a_run_is_its_weakest() -> None:
    assert weakest([Usage(enforced="server"), Usage(enforced="validated"), Usage(enforced="masked")]) == "validated"
    assert weakest([]) is None

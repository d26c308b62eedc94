from __future__ import annotations

import json

import pytest

from sleuth.catalogue.catalogue import Catalogue, Entry
from sleuth.decide.action_space import action_space
from sleuth.decide.prompt import question_message, system_message
from sleuth.decide.read import read_action, read_native
from sleuth.errors import ConstraintViolated
from sleuth.models.base import Completion, RawToolCall
from sleuth.source import Card
from sleuth.structured_output.compile import check
from sleuth.structured_output.verify import verify
from sleuth.tool import Example, FunctionTool, ToolSpec
from sleuth.trajectory import Calls, Conclude, GiveUp, Malformed

SQL = ToolSpec(
    "sql_query",
    "Counts and sums. NOT for rules.",
    {
        "type": "object",
        "properties": {
            "query": {"type": "string", "pattern": "^SELECT [a-z$0-9 =*().,]+$"},
            "params": {"type": "array", "items": {"type": ["string", "number"]}},
        },
        "required": ["query", "params"],
        "additionalProperties": False,
    },
    examples=(Example("How many are red?", "number, colour red", {"query": "SELECT n", "params": ["red"]}),),
)
DOCS = ToolSpec(
    "vector_search",
    "What documents say. NOT for counts.",
    {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"], "additionalProperties": False},
    examples=(Example("What does the Policy say?", "the policy", {"query": "policy"}),),
)
EVERYTHING = action_space([SQL, DOCS], may_conclude=True, calls=2)
ENTRIES = [Entry(FunctionTool(spec, print)) for spec in (SQL, DOCS)]


def message(**parts: object) -> str:
    return json.dumps({"thought": "I look it up.", **parts})


def call(tool: str, **args: object) -> dict[str, object]:
    return {"part": "the part", "tool": tool, "args": args}


GOOD = call("sql_query", query="SELECT count(*) = $1", params=["red"])


@pytest.mark.parametrize("may_conclude", [True, False])
def test_every_action_space_compiles_to_a_mask(may_conclude: bool) -> None:
    check(action_space([SQL, DOCS], may_conclude=may_conclude, calls=4))


def test_a_turn_of_two_calls_is_read_with_ids_parts_and_arguments() -> None:
    text = message(calls=[GOOD, call("vector_search", query="rules")])
    verify(text, EVERYTHING)
    thought, action = read_action(text, 3)
    assert thought == "I look it up."
    assert isinstance(action, Calls)
    assert [(one.id, one.tool, one.part) for one in action.calls] == [
        ("call_3_1", "sql_query", "the part"),
        ("call_3_2", "vector_search", "the part"),
    ]
    assert action.calls[0].arguments == {"query": "SELECT count(*) = $1", "params": ["red"]}


def test_conclusions_are_read() -> None:
    assert read_action(message(finish="answer"), 1)[1] == Conclude()
    assert read_action(message(finish="insufficient"), 1)[1] == GiveUp("I look it up.")


@pytest.mark.parametrize(
    "text",
    [
        message(calls=[call("drop_table", query="x")]),
        message(calls=[call("vector_search", query="x", extra=1)]),
        message(calls=[call("sql_query", query="SELECT 'spliced'", params=[])]),
        message(calls=[]),
        message(calls=[GOOD, GOOD, GOOD]),
        message(finish="maybe"),
        message(calls=[GOOD], finish="answer"),
        message(),
        json.dumps({"finish": "answer"}),
    ],
    ids=[
        "unknown tool",
        "unknown argument",
        "spliced value",
        "no call",
        "too many",
        "unknown end",
        "both",
        "neither",
        "no thought",
    ],
)
def test_what_is_outside_the_action_space_breaks_it(text: str) -> None:
    with pytest.raises(ConstraintViolated):
        verify(text, EVERYTHING)


def test_without_evidence_there_is_no_concluding() -> None:
    with pytest.raises(ConstraintViolated):
        verify(message(finish="answer"), action_space([SQL], may_conclude=False, calls=2))


def test_examples_are_made_of_the_tools_own_and_keep_the_form() -> None:
    text = system_message(Catalogue.of(ENTRIES)).content
    shown = [line for line in text.splitlines() if line.startswith('{"thought": "')]
    examples = [line for line in shown if "…" not in line]
    assert len(examples) == 4
    for example in examples:
        verify(example, EVERYTHING)
    assert "How many are red, and what does the Policy say?" in text


def test_values_in_the_question_are_pointed_out_beside_it() -> None:
    card = Card("shop", "database", "Shop", (), (("items.colour", "red"),))
    catalogue = Catalogue.of([Entry(FunctionTool(SQL, print), card)])
    asked = question_message("How many are red?", catalogue, [("What is there?", "Items.")])
    assert asked.content == (
        'Earlier question: What is there?\nEarlier answer: Items.\nQuestion: How many are red?\n"red" is a value of items.colour.'
    )


def native(*calls: RawToolCall, text: str = "", finish_reason: str = "tool_calls") -> object:
    return read_native(Completion(text, calls, finish_reason), [SQL, DOCS], 1, most=2)[1]


@pytest.mark.parametrize(
    ("name", "arguments", "problem"),
    [
        ("serch_docs", "{}", "there is no tool 'serch_docs'"),
        ("vector_search", '{"query": "x"', "not valid"),
        ("vector_search", '"{\\"query\\":\\"x\\"}"', "not valid"),
        ("vector_search", "[]", "not valid"),
        ("vector_search", "null", "not valid"),
        ("vector_search", '{"query": 5}', "not valid"),
        ("vector_search", "", "not valid"),
    ],
)
def test_a_native_call_that_is_not_valid_is_told_to_the_model_and_never_run(name: str, arguments: str, problem: str) -> None:
    action = native(RawToolCall("x", name, arguments))
    assert isinstance(action, Malformed)
    assert problem in action.problem


def test_a_native_call_cut_at_the_token_limit_is_never_run_even_if_its_json_closes() -> None:
    action = native(RawToolCall("x", "vector_search", '{"query": "x"}'), finish_reason="length")
    assert isinstance(action, Malformed)


def test_native_words_end_the_run() -> None:
    assert native(text="ANSWER.") == Conclude()
    assert native(text="Insufficient: no tool") == GiveUp("Insufficient: no tool")
    assert isinstance(native(text="The answer is 42."), Malformed)

"""Calls that stand in a model's text."""

from __future__ import annotations

import json

import pytest

from sleuth.evals.printed import printed_calls
from sleuth.evals.tools import kind_of

CALL = '{"name": "sql_query", "arguments": {"query": "SELECT 1"}}'


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"<tool_call>{CALL}",
        f"Let me look.\n```json\n{CALL}\n```\nThat is it.",
        f"```\n[{CALL}]\n```",
        '{"type": "function", "function": {"name": "sql_query", "arguments": "{\\"query\\": \\"SELECT 1\\"}"}}',
        '{"name": "sql_query", "parameters": {"query": "SELECT 1"}}',
    ],
)
def test_a_printed_call_is_found(text: str) -> None:
    (call,) = printed_calls(text)
    assert call.name == "sql_query"
    assert json.loads(call.arguments) == {"query": "SELECT 1"}


def test_several_printed_calls_are_found_in_order() -> None:
    other = CALL.replace("sql_query", "web_search")
    assert [call.name for call in printed_calls(f"<tool_call>{CALL}</tool_call><tool_call>{other}</tool_call>")] == [
        "sql_query",
        "web_search",
    ]
    assert [call.name for call in printed_calls(f"```json\n{CALL}\n{other}\n```")] == ["sql_query", "web_search"]


@pytest.mark.parametrize(
    "text", ["ANSWER", '{"answer": 47}', '{"name": "sql_query", "arguments": {', "```sql\nSELECT 1\n```", "[" * 5000]
)
def test_other_text_is_no_call(text: str) -> None:
    assert printed_calls(text) == ()


def test_tools_are_told_by_their_kind() -> None:
    assert kind_of("sql_query_shop") == "sql_query"
    assert kind_of("sql_query") == "sql_query"
    assert kind_of("lookup_a", ["lookup"]) == "lookup"
    assert kind_of("lookup") == "lookup"
    assert kind_of("sql_query_shop", ["sql_query_shop"]) == "sql_query_shop"

"""Tools on the wire are projected to what servers take, and what comes back is what the caller's schema knows."""

from __future__ import annotations

from typing import Any

import pytest

from sleuth.models.base import Message, RawToolCall, Request
from sleuth.models.chat_body import chat_body, without_dummies
from sleuth.result import Json
from sleuth.structured_output.constraint import closed_object
from sleuth.structured_output.dialects import DialectName
from sleuth.tool import ToolSpec

NOW = ToolSpec("now", "The time.", closed_object({}))
LOOK = ToolSpec("look", "Look it up.", closed_object({"q": {"type": "string", "maxLength": 9, "description": None}}))
OPEN = ToolSpec("open", "Open.", {"type": "object", "properties": {"q": {"type": "string"}}})


def tool(spec: ToolSpec, dialect: DialectName = "vllm") -> dict[str, Any]:
    body = chat_body(Request((Message("user", "?"),), tools=(spec,), parallel_tool_calls=False), "tiny", dialect)
    assert body["parallel_tool_calls"] is False
    (sent,) = body["tools"]
    assert sent["type"] == "function"
    return sent["function"]


def test_a_tool_is_sent_strict_without_words_that_are_null() -> None:
    sent = tool(LOOK)
    assert (sent["name"], sent["description"], sent["strict"]) == ("look", "Look it up.", True)
    assert sent["parameters"]["properties"] == {"q": {"type": "string", "maxLength": 9}}


def test_a_null_that_is_data_is_left() -> None:
    schema: dict[str, Json] = {"q": {"enum": [{"description": None}]}, "description": {"type": "null"}}
    assert tool(ToolSpec("look", "Look.", closed_object(schema)))["parameters"]["properties"] == schema


def test_openai_gets_its_subset_and_what_lies_outside_goes_without_strict() -> None:
    assert tool(LOOK, "openai")["parameters"]["properties"] == {"q": {"type": "string"}}
    assert tool(OPEN, "openai")["strict"] is False
    assert tool(OPEN, "openai")["parameters"] == OPEN.parameters


def test_no_object_without_properties_is_sent() -> None:
    assert tool(NOW)["parameters"]["properties"] == {"nothing": {"type": "string", "enum": [""]}}


@pytest.mark.parametrize(
    ("name", "arguments", "back"),
    [
        ("now", '{"nothing": ""}', "{}"),
        ("now", "", "{}"),
        ("now", '{"nothing": "", "more": 1}', '{"nothing": "", "more": 1}'),
        ("now", '{"nothi', '{"nothi'),
        ("look", '{"nothing": ""}', '{"nothing": ""}'),
    ],
)
def test_the_property_that_was_added_is_taken_out_again_and_nothing_else(name: str, arguments: str, back: str) -> None:
    (call,) = without_dummies([RawToolCall("a", name, arguments)], [NOW, LOOK])
    assert call == RawToolCall("a", name, back)

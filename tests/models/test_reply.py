"""Streamed tool calls, in every way that servers are known to send them, are the same two calls."""

from __future__ import annotations

from typing import Any

import pytest

from sleuth.models.base import RawToolCall
from sleuth.models.reply import Reply

FIRST = '{"q": "Käse \\u00e9"}'
SECOND = '{"q": 2}'


def call(arguments: Any, *, name: str | None = None, **more: Any) -> dict[str, Any]:
    return {"function": {"arguments": arguments, **({"name": name} if name else {})}, **more}


def pieces(*calls: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"choices": [{"delta": {"tool_calls": [one]}}]} for one in calls]


def read(*calls: dict[str, Any]) -> tuple[RawToolCall, ...]:
    reply = Reply()
    for piece in pieces(*calls):
        reply.take(piece)
    return reply.calls()


STREAMS = {
    "as OpenAI does": [
        call("", name="look", index=0, id="a"),
        *(call(char, index=0) for char in FIRST),
        call("", name="find", index=1, id="b"),
        *(call(char, index=1) for char in SECOND),
    ],
    "whole, and the index is always 0": [
        call(FIRST, name="look", index=0, id="a"),
        call(SECOND, name="find", index=0, id="b"),
    ],
    "whole, without an index": [call(FIRST, name="look", id="a"), call(SECOND, name="find", id="b")],
    "whole, twice the same id": [
        call(FIRST, name="look", index=0, id="a"),
        call(SECOND, name="find", index=0, id="a"),
    ],
    "whole, with nothing to tell them apart but that the first is whole": [call(FIRST, name="look"), call(SECOND, name="find")],
    "id and name in every piece": [
        *(call(char, name="look", index=0, id="a") for char in FIRST),
        call("", name="look", index=0, id="a"),
        *(call(char, name="find", index=1, id="b") for char in SECOND),
    ],
    "a new id in every piece": [
        call("", name="look", index=0, id="a"),
        *(call(char, index=0, id=f"x{place}") for place, char in enumerate(FIRST)),
        call("", name="find", index=1, id="b"),
        *(call(char, index=1, id=f"y{place}") for place, char in enumerate(SECOND)),
    ],
    "no index, an id only at the start": [
        call(None, name="look", id="a"),
        *(call(char) for char in FIRST),
        call(None, name="find", id="b"),
        *(call(char) for char in SECOND),
    ],
    "one woven into the other": [
        call(None, name="look", index=0, id="a"),
        call(None, name="find", index=1, id="b"),
        *(call(FIRST[place : place + 1], index=0) for place in range(0, 8)),
        *(call(char, index=1) for char in SECOND),
        call(FIRST[8:], index=0),
    ],
    "the arguments as an object": [call({"q": "Käse é"}, name="look", id="a"), call({"q": 2}, name="find", id="b")],
    "the id comes late": [
        call(FIRST[:3], name="look", index=0),
        call(FIRST[3:], index=0, id="a"),
        call(SECOND, name="find", index=1, id="b"),
    ],
}


@pytest.mark.parametrize("stream", STREAMS.values(), ids=STREAMS)
def test_two_calls_stay_two_calls(stream: list[dict[str, Any]]) -> None:
    first, second = read(*stream)
    assert (first.name, second.name) == ("look", "find")
    assert first.arguments.replace("\\u00e9", "é") == '{"q": "Käse é"}'
    assert second.arguments == SECOND
    assert first.id and second.id and first.id != second.id


def test_two_calls_without_arguments_stay_two() -> None:
    assert [one.name for one in read(call("", name="now", index=0, id="a"), call("", name="today", index=0, id="b"))] == [
        "now",
        "today",
    ]


def test_white_space_after_a_whole_call_begins_no_other() -> None:
    made = read(
        call(SECOND, name="find", index=0, id="a"), call("\n", name="find", index=0, id="a"), call("", name="find", index=0)
    )
    assert made == (RawToolCall("a", "find", SECOND + "\n"),)


def test_a_call_that_was_cut_is_given_as_it_is() -> None:
    assert read(call('{"q": "ha', name="look", id="a")) == (RawToolCall("a", "look", '{"q": "ha'),)


@pytest.mark.parametrize(
    "piece",
    [
        {"choices": []},
        {"choices": [None]},
        {"choices": [{"delta": None}]},
        {"choices": [{"delta": {"content": None, "tool_calls": None}}]},
        {"choices": [{"delta": {"content": 3, "tool_calls": "none"}}], "usage": None},
        {"choices": [{"delta": []}], "usage": 7},
    ],
)
def test_pieces_that_hold_nothing_say_nothing(piece: dict[str, Any]) -> None:
    reply = Reply()
    assert reply.take(piece) == ""
    assert (reply.text, reply.calls(), reply.first) == ("", (), None)


def test_a_call_made_of_nothing_sensible_breaks_nothing() -> None:
    assert read({"function": None}, {"index": "0", "id": 7, "function": {"name": [], "arguments": 4}}) == (
        RawToolCall("call_1", "", ""),
    )

"""Calls that a model printed into its text: in <tool_call> tags, in a fenced block, or as bare JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from sleuth.models.base import RawToolCall
from sleuth.result import Json

_TAGGED = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_FENCED = re.compile(r"```[\w-]*\n(.*?)(?:```|\Z)", re.DOTALL)
_VALUE_BEGINS = re.compile(r"(?:^|\n)\s*(?=[\[{])")
_DECODER = json.JSONDecoder()


def printed_calls(text: str) -> tuple[RawToolCall, ...]:
    """Whatever in `text` is a JSON object with a name and arguments, in order. Other JSON, and broken JSON, is no call."""
    blocks = _TAGGED.findall(text) or _FENCED.findall(text) or [text]
    calls = [call for block in blocks for value in _values(block) for call in _calls(value)]
    return tuple(RawToolCall(f"printed_{number}", name, arguments) for number, (name, arguments) in enumerate(calls, 1))


def _values(block: str) -> Iterator[Json]:
    """The JSON values that begin a line of the block, one after the other."""
    place = 0
    while (start := _VALUE_BEGINS.search(block, place)) is not None:
        try:
            value, place = _DECODER.raw_decode(block, start.end())
        except (ValueError, RecursionError):
            place = start.end() + 1
            continue
        yield value


def _calls(value: Json) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        for item in value:
            yield from _calls(item)
    elif isinstance(value, Mapping):
        inner = value.get("function")
        call = inner if isinstance(inner, Mapping) else value
        arguments = next((call[key] for key in ("arguments", "parameters", "args") if key in call), None)
        name = call.get("name") or (inner if isinstance(inner, str) else None)
        if isinstance(name, str) and arguments is not None:
            yield name, arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)

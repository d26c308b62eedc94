"""A request as OpenAI-compatible servers take it (https://platform.openai.com/docs/api-reference/chat/create)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias, cast

from sleuth.errors import ConstraintUnsupported
from sleuth.models.base import Message, RawToolCall, Request
from sleuth.result import Json, json_object
from sleuth.structured_output.dialects import DIALECTS, DialectName, openai
from sleuth.tool import ToolSpec

Fields: TypeAlias = dict[str, Any]

NOTHING = "nothing"
"""The one property of a tool without parameters: an object without properties is refused by llama.cpp
(https://github.com/ggml-org/llama.cpp/issues/25923) and makes vLLM write blanks for ever under `strict`
(https://github.com/vllm-project/vllm/issues/50989)."""

_EMPTY: dict[str, Json] = {
    "type": "object",
    "properties": {NOTHING: {"type": "string", "enum": [""]}},
    "required": [NOTHING],
    "additionalProperties": False,
}

_DATA = ("const", "default", "enum", "examples")


def chat_body(request: Request, model: str, dialect: DialectName) -> Fields:
    """Raises ConstraintUnsupported for a constraint that `dialect` cannot take."""
    body: Fields = {
        "model": model,
        "messages": [_message(message) for message in request.messages],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.seed is not None:
        body["seed"] = request.seed
    if request.constraint is not None:
        body |= DIALECTS[dialect].lower(request.constraint)
    if request.tools:
        body["tools"] = [_tool(spec, dialect) for spec in request.tools]
        body["parallel_tool_calls"] = request.parallel_tool_calls
    return body


def without_dummies(calls: Sequence[RawToolCall], tools: Sequence[ToolSpec]) -> tuple[RawToolCall, ...]:
    """The calls of tools without parameters with the arguments that the caller's schema knows."""
    bare = {spec.name for spec in tools if not _properties(spec)}
    return tuple(replace(call, arguments="{}") if call.name in bare and _is_dummy(call.arguments) else call for call in calls)


def _message(message: Message) -> Fields:
    body: Fields = {"role": message.role, "content": message.content}
    if message.tool_calls:
        body["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": _readable(call.arguments)}}
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        body["tool_call_id"] = message.tool_call_id
    return body


def _readable(arguments: str) -> str:
    """Arguments that are not JSON make some servers refuse every later request of the conversation
    (https://github.com/ggml-org/llama.cpp/issues/25510); what was wrong with them stands in the tool's message."""
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except ValueError:
        return "{}"


def _tool(spec: ToolSpec, dialect: DialectName) -> Fields:
    parameters = json_object(_without_null_words(dict(spec.parameters))) if _properties(spec) else _EMPTY
    strict = True
    if dialect == "openai":
        try:
            parameters = openai.strict(parameters)
        except ConstraintUnsupported:  # sent as it is, and checked like every call
            strict = False
    function = {"name": spec.name, "description": spec.description, "parameters": parameters, "strict": strict}
    return {"type": "function", "function": function}


def _properties(spec: ToolSpec) -> bool:
    return bool(spec.parameters.get("properties"))


def _without_null_words(schema: Json) -> Json:
    """Without `"description": null` and `"title": null`, which are no JSON Schema and which servers refuse."""
    if isinstance(schema, dict):
        said = {key: value for key, value in schema.items() if not (key in ("description", "title") and value is None)}
        return {key: value if key in _DATA else _without_null_words(value) for key, value in said.items()}
    if isinstance(schema, list):
        return [_without_null_words(part) for part in schema]
    return schema


def _is_dummy(arguments: str) -> bool:
    try:
        value: object = json.loads(arguments or "{}")
    except ValueError:
        return False
    return isinstance(value, dict) and set(cast("dict[str, object]", value)) <= {NOTHING}

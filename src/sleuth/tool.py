"""What the model may call: a specification in JSON Schema, a call, and the thing that runs it."""

from __future__ import annotations

import asyncio
import inspect
import json
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast, runtime_checkable

from sleuth.errors import UsageError
from sleuth.result import Failure, Json, Page, Pages, Passage, Passages, Result, Rows, Text

Arguments = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Example:
    """A question, the part of it that a call is for (its conditions spelled out), and the call's arguments."""

    question: str
    part: str
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What the model reads of a tool.

    `parameters` is a closed JSON Schema object; a pattern or enum in it is kept by construction wherever the engine can mask.
    `public` says that the arguments leave the house.
    """

    name: str
    description: str
    parameters: Mapping[str, Json]
    public: bool = False
    examples: tuple[Example, ...] = ()
    """Good calls, shown to the model; taken from what the source really holds."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """`part` is the part of the question the call is for, in the model's words."""

    id: str
    tool: str
    arguments: Arguments = field(default_factory=dict[str, Json])
    part: str = ""

    @property
    def canonical(self) -> str:
        """Equal for equal calls, whatever the key order and whatever they are for."""
        return f"{self.tool}({json.dumps(self.arguments, sort_keys=True, ensure_ascii=False, separators=(',', ':'))})"


@runtime_checkable
class Tool(Protocol):
    @property
    def spec(self) -> ToolSpec: ...

    async def run(self, arguments: Arguments) -> Result:
        """Arguments have been validated against `spec.parameters`. Raises SleuthError; anything else is a bug of the tool."""
        ...


@dataclass(frozen=True, slots=True)
class FunctionTool:
    """A Python function as a tool; a plain function runs in a thread."""

    spec: ToolSpec
    function: Callable[..., Any]  # any signature: the schema is read from its annotations

    async def run(self, arguments: Arguments) -> Result:
        if inspect.iscoroutinefunction(self.function):
            value = await self.function(**arguments)
        else:
            value = await asyncio.to_thread(self.function, **arguments)
        return as_result(value)


def as_result(value: object) -> Result:
    """A function's return value as a Result; anything JSON can hold is accepted."""
    if isinstance(value, Passages | Rows | Pages | Text | Failure):
        return value
    if isinstance(value, Passage):
        return Passages((value,))
    if isinstance(value, Page):
        return Pages((value,))
    if isinstance(value, str):
        return Text(value)
    return Text(json.dumps(value, ensure_ascii=False, default=str))


@typing.overload
def tool(function: Callable[..., Any], /) -> FunctionTool: ...
@typing.overload
def tool(*, name: str | None = None, public: bool = False) -> Callable[[Callable[..., Any]], FunctionTool]: ...
def tool(
    function: Callable[..., Any] | None = None, /, *, name: str | None = None, public: bool = False
) -> FunctionTool | Callable[[Callable[..., Any]], FunctionTool]:
    """Make a tool of a function: its docstring is the description, its annotations the schema.

    Raises UsageError for a function without docstring, or with a parameter whose type no JSON Schema can express.
    """

    def make(inner: Callable[..., Any]) -> FunctionTool:
        label = name or getattr(inner, "__name__", "tool")
        description = inspect.getdoc(inner)
        if not description:
            raise UsageError(f"tool {label!r} has no docstring", hint="say in one line what it is for and what it is not for")
        return FunctionTool(ToolSpec(label, description, _schema_of(inner, label), public), inner)

    return make if function is None else make(function)


def _schema_of(function: Callable[..., Any], label: str) -> dict[str, Json]:
    hints = typing.get_type_hints(function)
    properties: dict[str, Json] = {}
    required: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise UsageError(f"tool {label!r}: parameter {parameter.name!r} cannot be passed by name")
        if parameter.name not in hints:
            raise UsageError(f"tool {label!r}: parameter {parameter.name!r} has no type", hint="annotate it")
        properties[parameter.name] = _type_schema(hints[parameter.name], f"tool {label!r}: parameter {parameter.name!r}")
        if parameter.default is parameter.empty:
            required.append(parameter.name)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


_PLAIN: dict[object, str] = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def _type_schema(kind: object, where: str) -> Json:
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return {"enum": list(cast("tuple[Json, ...]", arguments))}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_type_schema(option, where) for option in arguments]}
    if origin in (list, tuple) and arguments:
        return {"type": "array", "items": _type_schema(arguments[0], where)}
    raise UsageError(f"{where}: {kind!r} has no JSON Schema here", hint="use str, int, float, bool, list[…], Literal or a union")

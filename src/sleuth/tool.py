"""What the model may call: a specification in JSON Schema, a call, and the thing that runs it."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import inspect
import json
import threading
import types
import typing
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
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


THREADS = 32
"""Calls of one plain function at once, those among them that were abandoned; a further one waits for its turn."""


class _Threads:
    """Daemon threads for one function, each ending when nothing waits.

    Not asyncio's executor: an event loop does not close, and the interpreter not exit, before all threads of that one are done,
    and a function that hangs would take them from everything else that uses it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[tuple[Future[object], Callable[[], object]]] = deque()
        self._running = 0

    def submit(self, work: Callable[[], object]) -> Future[object]:
        """What `work` returns or raises. Cancelled in time, it never begins."""
        future: Future[object] = Future()
        with self._lock:
            while self._waiting and self._waiting[0][0].cancelled():
                self._waiting.popleft()
            if self._running < THREADS:
                threading.Thread(target=self._run, name="sleuth-tool", daemon=True).start()
                self._running += 1
            self._waiting.append((future, work))
        return future

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._running -= 1
                    return
                future, work = self._waiting.popleft()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work())
                except (StopIteration, GeneratorExit) as error:  # no awaited future can hold one (PEP 479)
                    future.set_exception(RuntimeError(f"the function raised {error!r}"))
                except BaseException as error:  # it is the caller's, whatever it is
                    future.set_exception(error)
            del future, work  # or the last call's values would live until the next


@dataclass(frozen=True, slots=True)
class FunctionTool:
    """A Python function as a tool.

    A plain function runs in a thread. No thread can be stopped from outside: at its limit such a function is abandoned, not
    stopped. It goes on until it returns, and what it returns is dropped; at the end of the process it ends wherever it is. A
    function that must clean up, or that others pay for, is better async, or has a limit of its own.
    """

    spec: ToolSpec
    function: Callable[..., Any]  # any signature: the schema is read from its annotations
    _threads: _Threads = field(default_factory=_Threads, init=False, repr=False, compare=False)

    async def run(self, arguments: Arguments) -> Result:
        if inspect.iscoroutinefunction(self.function):
            value = await self.function(**arguments)
        else:
            work = functools.partial(contextvars.copy_context().run, self.function, **arguments)
            value = await asyncio.wrap_future(self._threads.submit(work))
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

    An async function is cancelled at its limit; a plain one runs in a thread and is abandoned there, not stopped.

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
    if origin is tuple and arguments[1:] != (Ellipsis,):
        # The items of one array have one schema here, and a mask would let any number of them through.
        raise UsageError(f"{where}: {kind!r} has a fixed length", hint="use tuple[…, ...], list[…], or a parameter for each item")
    if origin in (list, tuple) and arguments:
        return {"type": "array", "items": _type_schema(arguments[0], where)}
    raise UsageError(f"{where}: {kind!r} has no JSON Schema here", hint="use str, int, float, bool, list[…], Literal or a union")

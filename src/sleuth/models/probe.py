"""Whether a model's server does what it says, seen on requests whose free answer would break the constraint.

Servers answer 200 to a constraint they ignore. So each is asked for what its constraint forbids, once freely and once
constrained: where the free answer breaks the constraint and the constrained one keeps it, several times and each time otherwise,
the constraint is enforced.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Literal, Protocol, TypeAlias, get_args, runtime_checkable

from sleuth.errors import ConstraintUnsupported, ConstraintViolated, ModelError
from sleuth.models.base import Chunk, Completion, Message, Model, RawToolCall, Request, complete
from sleuth.structured_output.constraint import Choice, Constraint, Grammar, JsonSchema, Regex, closed_object
from sleuth.structured_output.verify import begins, verify
from sleuth.tool import ToolSpec

Item = Literal["schema", "choice", "regex", "grammar", "tool_calls", "tool_arguments", "parallel_calls", "streaming", "logprobs"]

Word = Literal["enforced", "works", "unverified", "off"]
"""`enforced`: kept wherever the free answer breaks it. `off`: a breach was seen, or it is not there at all. `unverified`: neither
was seen. `works`, for what there is nothing to enforce in: it was seen."""

ITEMS: tuple[Item, ...] = get_args(Item)

KINDS: Mapping[type, Item] = {JsonSchema: "schema", Choice: "choice", Regex: "regex", Grammar: "grammar"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """`reason` is one line: what was seen."""

    item: Item
    word: Word
    reason: str


@dataclass(frozen=True, slots=True)
class Probe:
    """What was found out about a model."""

    model: str
    verdicts: tuple[Verdict, ...]
    seconds: float

    def word(self, item: Item) -> Word:
        """`unverified` for what was not probed."""
        words: dict[Item, Word] = {verdict.item: verdict.word for verdict in self.verdicts}
        return words.get(item, "unverified")

    def covers(self, request: Request) -> bool:
        """Whether the server has been seen to keep the kind of form that `request` asks for."""
        if request.constraint is not None:
            return self.word(KINDS[type(request.constraint)]) == "enforced"
        return bool(request.tools) and self.word("tool_arguments") == "enforced"


@runtime_checkable
class Remembers(Protocol):
    """A model that keeps what was found out about it."""

    probed: Probe | None


@runtime_checkable
class Asks(Protocol):
    """A model behind a server whose whole answer can be seen."""

    async def ask(self, fields: dict[str, Any]) -> Mapping[str, Any]: ...


async def probe(model: Model, items: Collection[Item] = ITEMS, *, on_verdict: Callable[[Verdict], None] | None = None) -> Probe:
    """Probe `items` of `model`, one request at a time, some twenty short ones in all; `on_verdict` hears each as it is found.

    What only a server can show is left out for a model in this process. A model that remembers is given the result, so that its
    `usage.enforced` follows. Raises ModelError when the model answers nothing at all.
    """
    started = perf_counter()
    trials = _Trials(model)
    found: list[Verdict] = []
    for item in ITEMS:
        if item in items and (verdict := await trials.verdict(item)) is not None:
            found.append(verdict)
            if on_verdict is not None:
                on_verdict(verdict)
    if isinstance(model, Remembers) and model.probed is not None:
        known = [verdict for verdict in model.probed.verdicts if verdict.item not in {new.item for new in found}]
        found = sorted([*known, *found], key=lambda verdict: ITEMS.index(verdict.item))
    result = Probe(model.name, tuple(found), perf_counter() - started)
    if isinstance(model, Remembers):
        model.probed = result
    return result


# Each asks for what its constraint forbids. The words allowed are such that no model would come upon them by itself.

_ANIMAL = 'Reply with this JSON and nothing else: {"animal": "zebra"}'
_CODE = 'Reply with this JSON and nothing else: {"code": "hello"}'
_LEGS = 'Reply with this JSON and nothing else: {"legs": 4, "wings": 0}'
_ZEBRA = "Reply with the word zebra and nothing else."
_HELLO = "Reply with the word hello and nothing else."

FORBIDDEN: Mapping[Item, Sequence[tuple[str, Constraint]]] = {
    "schema": (
        (_ANIMAL, JsonSchema.of(closed_object({"animal": {"enum": ["quokka", "axolotl"]}}))),
        (_CODE, JsonSchema.of(closed_object({"code": {"type": "string", "pattern": "^[A-F]{3}-[0-9]{2}$"}}))),
        (_LEGS, JsonSchema.of(closed_object({"legs": {"type": "integer", "minimum": 700, "maximum": 799}}))),
    ),
    "choice": ((_ZEBRA, Choice(("quokka", "axolotl"))), (_HELLO, Choice(("umbra", "penumbra")))),
    "regex": ((_ZEBRA, Regex("[A-F]{3}-[0-9]{2}")), (_HELLO, Regex("<[0-9]{3}>"))),
    "grammar": (
        (_ZEBRA, Grammar('start: "quokka " NUMBER\nNUMBER: /[1-9]/')),
        (_HELLO, Grammar('start: "[" side "]"\nside: "left" | "right"')),
    ),
}


def _tool(name: str, description: str, argument: str, allowed: Sequence[str] | None) -> ToolSpec:
    schema = {"type": "string"} if allowed is None else {"type": "string", "enum": list(allowed)}
    return ToolSpec(name, description, closed_object({argument: schema}))


_INSIST = "even though it is not in the list"

ARGUMENTS: Sequence[tuple[str, str, str, str, tuple[str, ...]]] = (
    ("paint", "Paint the wall.", "colour", "purple", ("teal", "ochre")),
    ("steer", "Steer the boat.", "course", "upwards", ("port", "starboard")),
)
"""Tool, description, argument, the value asked for, those allowed."""

SHORT = 48
"""Tokens that every kept output fits in several times."""

CALL = 160

_Judged: TypeAlias = tuple[Literal["kept", "broken", "unclear", "absent"], str]


class _Trials:
    """The trials of one model, and its free answers, each asked for once."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._free: dict[str, str] = {}
        self._free_calls: dict[str, Completion] = {}

    async def verdict(self, item: Item) -> Verdict | None:
        if item in FORBIDDEN:
            return _summed(item, [await self._constrained(*trial) for trial in FORBIDDEN[item]])
        others: dict[Item, Callable[[], Awaitable[Verdict | None]]] = {
            "tool_calls": self._tool_calls,
            "tool_arguments": self._tool_arguments,
            "parallel_calls": self._parallel_calls,
            "streaming": self._streaming,
            "logprobs": self._logprobs,
        }
        try:
            return await others[item]()
        except ModelError as error:
            return Verdict(item, "unverified", error.message)

    async def _constrained(self, prompt: str, constraint: Constraint) -> _Judged:
        free = await self._freely(prompt)
        if _judged(free, constraint)[0] != "broken":
            return "unclear", f"the free answer {_short(free)} proves nothing"
        try:
            await complete(self._model, _asked(prompt, constraint=constraint))
        except ConstraintViolated as error:
            return _judged(error.output, constraint)
        except ConstraintUnsupported as error:
            return "absent", f"not offered: {error.message}"
        except ModelError as error:
            return "unclear", error.message
        return "kept", ""

    async def _freely(self, prompt: str) -> str:
        if prompt not in self._free:
            self._free[prompt] = (await complete(self._model, _asked(prompt))).text
        return self._free[prompt]

    async def _tool_calls(self) -> Verdict:
        """Whether the server reads the calls that the model writes."""
        calls, texts = 0, ""
        for name, description, argument, value, _ in ARGUMENTS:
            completion = await self._called(name, description, argument, value, None)
            calls += any(call.name == name for call in completion.tool_calls)
            texts = texts or (completion.text if name in completion.text and "{" in completion.text else "")
        if calls:
            return Verdict("tool_calls", "works", f"{calls} of {len(ARGUMENTS)} calls that were asked for came back as calls")
        if texts:
            return Verdict("tool_calls", "off", f"a call came back as text: {_short(texts)}")
        return Verdict("tool_calls", "unverified", "the model called nothing")

    async def _tool_arguments(self) -> Verdict:
        """Whether the schema of a tool's arguments is kept by the server: the model is asked to break it."""
        judged: list[_Judged] = []
        for name, description, argument, value, allowed in ARGUMENTS:
            schema = JsonSchema.of(_tool(name, description, argument, allowed).parameters)
            free = _judged_calls((await self._called(name, description, argument, value, None)).tool_calls, name, schema)
            if free[0] != "broken":
                judged.append(("unclear", "the model does not call a tool with the argument that it is told to"))
            else:
                bound = await self._called(name, description, argument, value, allowed)
                judged.append(_judged_calls(bound.tool_calls, name, schema))
        return _summed("tool_arguments", judged)

    async def _called(self, name: str, description: str, argument: str, value: str, allowed: Sequence[str] | None) -> Completion:
        if allowed is None and name in self._free_calls:
            return self._free_calls[name]
        prompt = f'Call the tool {name} with {argument} "{value}", exactly this word' + (f", {_INSIST}." if allowed else ".")
        completion = await complete(
            self._model, _asked(prompt, tools=(_tool(name, description, argument, allowed),), max_tokens=CALL)
        )
        if allowed is None:
            self._free_calls[name] = completion
        return completion

    async def _parallel_calls(self) -> Verdict:
        name, description, argument, _, allowed = ARGUMENTS[0]
        prompt = f"Call the tool {name} twice, both calls at once: with {argument} {' and with '.join(allowed)}."
        tools = (_tool(name, description, argument, allowed),)
        calls = (await complete(self._model, _asked(prompt, tools=tools, max_tokens=CALL))).tool_calls
        if len(calls) > 1:
            return Verdict("parallel_calls", "works", f"{len(calls)} calls came in one turn")
        return Verdict("parallel_calls", "unverified", f"{len(calls) or 'no'} call came where two were asked for")

    async def _streaming(self) -> Verdict:
        pieces = 0
        async for output in self._model.stream(_asked("Count from one to nine in words.")):
            pieces += isinstance(output, Chunk)
        return Verdict(
            "streaming", "works" if pieces > 1 else "off", f"the text came in {pieces} {'piece' if pieces == 1 else 'pieces'}"
        )

    async def _logprobs(self) -> Verdict | None:
        if not isinstance(self._model, Asks):
            return None
        messages = [{"role": "user", "content": _HELLO}]
        answer = await self._model.ask(
            {"messages": messages, "max_tokens": 4, "temperature": 0.0, "logprobs": True, "top_logprobs": 2}
        )
        given = '"logprob"' in json.dumps(answer, default=str)
        return Verdict("logprobs", "works" if given else "off", "they came" if given else "the answer holds none")


def _asked(
    prompt: str, *, constraint: Constraint | None = None, tools: tuple[ToolSpec, ...] = (), max_tokens: int = SHORT
) -> Request:
    return Request((Message("user", prompt),), constraint=constraint, tools=tools, max_tokens=max_tokens)


def _judged(text: str, constraint: Constraint) -> _Judged:
    """A text that only wants its end shows nothing: it may have been cut."""
    try:
        verify(text, constraint)
    except ConstraintViolated as error:
        if begins(text, constraint):
            return "unclear", f"the output {_short(text)} was cut"
        return "broken", f"{_short(text)}: {error.message}"
    return "kept", ""


def _judged_calls(calls: Sequence[RawToolCall], name: str, schema: JsonSchema) -> _Judged:
    if not calls:
        return "unclear", "the model called nothing"
    for call in calls:
        if call.name != name:
            return "broken", f"a tool {_short(call.name)} was called that there is not"
        judged = _judged(call.arguments, schema)
        if judged[0] != "kept":
            return judged
    return "kept", ""


def _summed(item: Item, judged: Sequence[_Judged]) -> Verdict:
    reasons: dict[str, list[str]] = {}
    for how, why in judged:
        reasons.setdefault(how, []).append(why)
    if broken := reasons.get("broken"):
        return Verdict(item, "off", f"broken in {len(broken)} of {len(judged)}: {broken[0]}")
    if absent := reasons.get("absent"):
        return Verdict(item, "off", absent[0])
    if unclear := reasons.get("unclear"):
        return Verdict(item, "unverified", unclear[0])
    return Verdict(item, "enforced", f"kept in {len(judged)} of {len(judged)} requests for what it forbids")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= 60 else f"{line[:60]}…")

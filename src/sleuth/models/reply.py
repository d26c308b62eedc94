"""A chat server's answer, put together from its pieces.

Streams of tool calls differ more than their specification says: the index is missing or always 0, the id comes once, in every
piece or never, the name is repeated, the arguments are null, or whole, or an object. What is told apart here is told apart by all
of them together.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, TypeAlias, cast

from sleuth.errors import ContextExceeded, ModelUnavailable
from sleuth.models.base import RawToolCall

Body: TypeAlias = Mapping[str, Any]
"""An object as a server sent it: any of its values may be of any type."""

CONTEXT_CODES = ("exceed_context_size_error", "context_length_exceeded")
"""For a prompt longer than the context: the `type` of llama.cpp's server, the `code` of OpenAI."""

CONTEXT_WORDS = (
    "maximum context length",  # OpenAI, vLLM
    "maximum model length",  # vLLM
    "longer than the model's context length",  # SGLang
    "exceeds the available context size",  # llama.cpp
)
"""What servers say of it that give no code."""

CONTEXT_HINT = "give the server a larger context, or show the model less"


@dataclass(slots=True)
class _Call:
    index: int | None
    id: str
    name: str
    arguments: str

    @property
    def whole(self) -> bool:
        try:
            return isinstance(json.loads(self.arguments), dict)
        except ValueError:
            return False


@dataclass(slots=True)
class Reply:
    """What has come so far.

    `first` is the `perf_counter` reading of the first output; `thought` says that there was reasoning apart from the text; `done`
    that the server has said that this is all; `blanks` how much white space the text ends with; `pieces` how many pieces held
    text, each at least one token.
    """

    text: str = ""
    finish_reason: str = ""
    usage: Body = field(default_factory=dict[str, Any])
    first: float | None = None
    thought: bool = False
    done: bool = False
    blanks: int = 0
    pieces: int = 0
    _calls: list[_Call] = field(default_factory=list[_Call])

    def take(self, piece: Body) -> str:
        """Add one piece, of a stream or the whole answer; its text, if it has any.

        Raises ContextExceeded or ModelUnavailable for an error that the server sends inside its stream, ModelUnavailable for what
        is no answer at all.
        """
        if "error" in piece or piece.get("object") == "error":
            if exceeds_context(piece):
                raise ContextExceeded(f"the server failed: {words_of(piece)}", hint=CONTEXT_HINT)
            raise ModelUnavailable(f"the server failed: {words_of(piece)}")
        if not isinstance(piece.get("choices"), list):
            raise ModelUnavailable("the server sent something that is no chat completion")
        self.usage = as_object(piece.get("usage")) or self.usage
        text = ""
        for choice in [one for one in map(as_object, piece["choices"]) if not one.get("index")][:1]:
            delta = as_object(choice.get("delta")) or as_object(choice.get("message"))
            text += _text(delta.get("content"))
            calls = delta.get("tool_calls")
            for call in cast("list[object]", calls) if isinstance(calls, list) else []:
                self._take_call(as_object(call))
            self.thought = self.thought or bool(delta.get("reasoning_content") or delta.get("reasoning"))
            self.finish_reason = str(choice.get("finish_reason") or self.finish_reason)
        if self.first is None and (text or self._calls):
            self.first = perf_counter()
        self.text += text
        self.pieces += bool(text)
        kept = len(text.rstrip())
        self.blanks = len(text) - kept + (0 if kept else self.blanks)
        return text

    def calls(self) -> tuple[RawToolCall, ...]:
        """In the order they began, each with an id of its own."""
        seen: set[str] = set()
        made: list[RawToolCall] = []
        for place, call in enumerate(self._calls, 1):
            own = call.id if call.id and call.id not in seen else f"call_{place}"
            seen.add(own)
            made.append(RawToolCall(own, call.name, call.arguments))
        return tuple(made)

    def _take_call(self, delta: Body) -> None:
        function = as_object(delta.get("function"))
        index = delta.get("index") if isinstance(delta.get("index"), int) else None
        piece = _Call(index, _text(delta.get("id")), _text(function.get("name")), _arguments(function.get("arguments")))
        call = self._open_call(piece)
        if call is None:
            self._calls.append(piece)
            return
        call.id = call.id or piece.id
        call.name = call.name or piece.name
        call.arguments += piece.arguments

    def _open_call(self, piece: _Call) -> _Call | None:
        """The call that `piece` goes on with, or None when it begins one."""
        call = self._same_id(piece) or self._same_place(piece)
        if call is None:
            return None
        # Something after a whole call is another call, whatever it is numbered: white space and repeated names are not something.
        if piece.name and piece.arguments.strip() and call.whole:
            return None
        another_id = piece.id and call.id and piece.id != call.id
        if another_id and piece.name and (call.whole or not call.arguments):
            return None
        return call

    def _same_id(self, piece: _Call) -> _Call | None:
        return next((call for call in reversed(self._calls) if piece.id and call.id == piece.id), None)

    def _same_place(self, piece: _Call) -> _Call | None:
        if piece.index is None:
            return self._calls[-1] if self._calls else None
        return next((call for call in reversed(self._calls) if call.index == piece.index), None)


def words_of(body: Body) -> str:
    """What a server says of its failure: OpenAI's {"error": {"message"}} and the shapes that others use."""
    error = body.get("error", body)
    if isinstance(error, Mapping):
        held = cast("Body", error)
        error = next((held[key] for key in ("message", "detail", "msg", "error") if held.get(key)), dict(held))
    return " ".join(error.split()) if isinstance(error, str) else json.dumps(error, ensure_ascii=False, default=str)


def exceeds_context(body: Body) -> bool:
    """Whether a server's failure is that the prompt, alone or with the output asked for, is longer than the context."""
    error = as_object(body.get("error")) or body
    words = words_of(body).lower()
    coded = any(error.get(key) == code for key in ("type", "code") for code in CONTEXT_CODES)
    return coded or any(said in words for said in CONTEXT_WORDS)


def as_object(value: object) -> Body:
    """`value`, or an empty object where it is none."""
    return cast("Body", value) if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    """A text, or the text of parts: `content` may be a list of {"type": "text", "text": …}."""
    if isinstance(value, list):
        return "".join(_text(as_object(part).get("text")) for part in cast("list[object]", value))
    return value if isinstance(value, str) else ""


def _arguments(value: object) -> str:
    """Some servers send the object itself where its text is due."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else _text(value)

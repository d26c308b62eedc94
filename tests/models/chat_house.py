"""A chat server on loopback with OpenAI's API, as good or as bad as a test wants it.

Its model says what it is told to, byte by byte. Where the server keeps constraints, bytes that would break one are masked, as
engines do it; where it does not, they are said.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from aiohttp import web
from aiohttp.test_utils import TestServer
from llguidance import LLMatcher, LLTokenizer

from sleuth.structured_output.compile import to_lark
from sleuth.structured_output.constraint import Choice, Constraint, Grammar, JsonSchema, Regex

Body: TypeAlias = dict[str, Any]

LAST_RESORT = b'"}],: 0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-{[_.'
"""Bytes in the order they are tried when the mask forbids what the model wanted: what ends something comes first."""


@dataclass
class Failure:
    """An answer that is not 200."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass
class Raw:
    """An answer 200 as these pieces, each written on its own; then it ends, is `cut`, or `hangs`."""

    pieces: Sequence[bytes]
    then: str = "end"
    content_type: str = "text/event-stream"


@dataclass
class ChatHouse:
    """`script` is served first, one item a request; then the model answers.

    `keeps` says which wishes are kept: "schema", "grammar", "regex", "choice", "tools". `calls` says that the model calls tools
    when it is given some.
    """

    model: str = "echo-1"
    owner: str = "vllm"
    keeps: frozenset[str] = frozenset({"schema", "grammar", "regex", "choice", "tools"})
    calls: bool = True
    streams: bool = True
    logprobs: bool = True
    pages: Mapping[str, Body] = field(default_factory=dict[str, Body])
    script: list[Failure | Raw] = field(default_factory=list["Failure | Raw"])
    asked: list[Body] = field(default_factory=list[Body])
    headers: list[Mapping[str, str]] = field(default_factory=list[Mapping[str, str]])
    peers: set[object] = field(default_factory=set[object])
    hung: asyncio.Event = field(default_factory=asyncio.Event)

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/v1/models", self._models)
        app.router.add_post("/v1/chat/completions", self._chat)
        for path, page in self.pages.items():
            app.router.add_get(path, lambda _, page=page: web.json_response(page))
        return app

    async def _models(self, request: web.Request) -> web.Response:
        self.headers.append(dict(request.headers))
        return web.json_response({"object": "list", "data": [{"id": self.model, "object": "model", "owned_by": self.owner}]})

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body: Body = await request.json()
        self.asked.append(body)
        self.headers.append(dict(request.headers))
        self.peers.add(request.transport and request.transport.get_extra_info("peername"))
        if self.script:
            step = self.script.pop(0)
            if isinstance(step, Failure):
                return web.json_response(step.body, status=step.status, headers=step.headers)
            return await self._raw(request, step)
        answer = self._answer(body)
        if not body.get("stream") or not self.streams:
            return web.json_response(answer)
        return await self._raw(request, Raw(list(pieces_of(answer))))

    async def _raw(self, request: web.Request, step: Raw) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": step.content_type})
        await response.prepare(request)
        for piece in step.pieces:
            await response.write(piece)
        if step.then == "hang":
            await self.hung.wait()
        if step.then == "cut":
            assert request.transport is not None
            request.transport.abort()
        else:
            await response.write_eof()
        return response

    def _answer(self, body: Body) -> Body:
        wanted = told(body["messages"][-1]["content"])
        message: Body = {"role": "assistant", "content": None}
        if body.get("tools") and self.calls:
            message["tool_calls"] = [
                {"id": f"call-{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
                for n, (name, arguments) in enumerate(self._calls(body, wanted))
            ]
        else:
            message["content"] = self._text(body, wanted[0])
        reason = "tool_calls" if message.get("tool_calls") else "stop"
        choice: Body = {"index": 0, "message": message, "finish_reason": reason}
        if self.logprobs and body.get("logprobs"):
            choice["logprobs"] = {"content": [{"token": "x", "logprob": -0.5, "top_logprobs": []}]}
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 4}}
        return {"object": "chat.completion", "choices": [choice], "usage": usage}

    def _text(self, body: Body, wanted: str) -> str:
        kind, constraint = constraint_of(body)
        return wanted if constraint is None or kind not in self.keeps else masked(wanted, constraint, body["max_tokens"])

    def _calls(self, body: Body, wanted: Sequence[str]) -> list[tuple[str, str]]:
        """One call of the first tool for each word it is told, which becomes the first argument."""
        function = body["tools"][0]["function"]
        first = next(iter(function["parameters"]["properties"]))
        many = wanted if body.get("parallel_tool_calls", True) else wanted[:1]
        made = [json.dumps({first: word}) for word in many]
        if "tools" in self.keeps and function.get("strict"):
            made = [masked(arguments, JsonSchema.of(function["parameters"]), 500) for arguments in made]
        return [(function["name"], arguments) for arguments in made]


def told(content: str) -> list[str]:
    """What a message tells the model to say: JSON, a word, or the values of a tool's argument; else the message itself."""
    if found := re.search(r"\{.*\}", content):
        return [found[0]]
    if found := re.search(r"the word (\w+)", content):
        return [found[1]]
    return re.findall(r'with (?:\w+ )??"?(\w+)"?(?=,| and|\.)', content) or [content]


def constraint_of(body: Body) -> tuple[str, Constraint | None]:
    """What a request asks for, in whichever dialect."""
    if "grammar" in body:
        return "grammar", Grammar(body["grammar"])
    if "regex" in body:
        return "regex", Regex(body["regex"])
    for kind, value in body.get("structured_outputs", {}).items():
        made = {"regex": Regex, "grammar": Grammar, "choice": lambda options: Choice(tuple(options)), "json": JsonSchema.of}
        return kind, made[kind](value)
    described = body.get("response_format", {}).get("json_schema")
    return "schema", JsonSchema.of(described["schema"]) if described else None


def masked(wanted: str, constraint: Constraint, most: int) -> str:
    """The text of a model that wants to say `wanted` and is masked at every byte."""
    tokenizer = LLTokenizer("byte")
    matcher = LLMatcher(tokenizer, to_lark(constraint))
    assert not matcher.get_error(), matcher.get_error()
    said, wish = bytearray(), list(wanted.encode())
    while len(said) < most:
        mask = matcher.compute_bitmask()
        allowed = [byte for byte in range(256) if mask[byte // 8] >> (byte % 8) & 1]
        if wish and wish[0] in allowed:
            byte = wish.pop(0)
        elif matcher.is_accepting() or not allowed:
            break
        else:
            byte = next((byte for byte in LAST_RESORT if byte in allowed), allowed[0])
        said.append(byte)
        matcher.consume_token(byte)
    return said.decode()


def event(piece: object) -> bytes:
    return b"data: " + (piece if isinstance(piece, bytes) else json.dumps(piece).encode()) + b"\n\n"


def delta(finish_reason: str | None = None, **fields: Any) -> bytes:
    """One event of a stream whose delta has these fields."""
    return event({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": fields, "finish_reason": finish_reason}]})


def pieces_of(answer: Body) -> list[bytes]:
    """A whole answer as a stream: a role, the text in small pieces, the calls, the reason, the usage, and that it is done."""
    choice = answer["choices"][0]
    text: str = choice["message"]["content"] or ""
    pieces = [delta(role="assistant", content="")]
    pieces += [delta(content=text[at : at + 5]) for at in range(0, len(text), 5)]
    for index, call in enumerate(choice["message"].get("tool_calls", ())):
        pieces.append(delta(tool_calls=[{"index": index, **call}]))
    pieces.append(delta(choice["finish_reason"]))
    pieces.append(event({"object": "chat.completion.chunk", "choices": [], "usage": answer["usage"]}))
    return [*pieces, event(b"[DONE]")]


@asynccontextmanager
async def opened(house: ChatHouse) -> AsyncIterator[str]:
    """The URL of the running house."""
    server = TestServer(house.app())
    await server.start_server(shutdown_timeout=0)
    try:
        yield str(server.make_url("")).rstrip("/")
    finally:
        house.hung.set()
        await server.close()

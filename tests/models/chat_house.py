"""A chat server on loopback: says what a test has queued, else does what it is told, and keeps constraints or ignores them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from aiohttp import web
from llguidance import LLMatcher, LLTokenizer

Body = dict[str, Any]


@dataclass
class Said:
    """One queued answer: `parts` are written one by one; then the connection is cut, or held open, where that is asked for."""

    parts: list[bytes] = field(default_factory=list[bytes])
    status: int = 200
    content_type: str = "text/event-stream"
    headers: dict[str, str] = field(default_factory=dict[str, str])
    cut: bool = False
    hang: bool = False


def events(*pieces: Body | str, done: bool = True) -> Said:
    """An answer as a stream of events, each in a part of its own."""
    lines = [piece if isinstance(piece, str) else json.dumps(piece) for piece in pieces]
    return Said([f"data: {line}\n\n".encode() for line in [*lines, *(["[DONE]"] if done else [])]])


def delta(content: str | None = None, *, finish: str | None = None, **more: Any) -> Body:
    """One piece of a stream."""
    said = more if content is None else {"content": content, **more}
    return {"choices": [{"index": 0, "delta": said, "finish_reason": finish}]}


def refusal(status: int, words: str, **headers: str) -> Said:
    error = json.dumps({"error": {"message": words, "type": "error"}}).encode()
    return Said([error], status, "application/json", {name.replace("_", "-"): value for name, value in headers.items()})


@dataclass
class ChatHouse:
    """`keeps`: constraints and the schemas of tools are kept. `models` are (id, owned_by), unless `lists` is said instead.
    `pages` are answers at other paths."""

    keeps: bool = True
    parses_calls: bool = True
    models: list[tuple[str, str]] = field(default_factory=lambda: [("tiny", "vllm")])
    lists: Said | None = None
    pages: dict[str, Body] = field(default_factory=dict[str, Body])
    queue: list[Said] = field(default_factory=list[Said])
    bodies: list[Body] = field(default_factory=list[Body])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    gets: list[str] = field(default_factory=list[str])
    peers: set[Any] = field(default_factory=set[Any])
    over: asyncio.Event = field(default_factory=asyncio.Event)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    url: str = ""

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_get("/{path:.*}", self._page)
        app.router.add_post("/{path:.*}", self._page)
        return app

    async def _page(self, request: web.Request) -> web.Response:
        self.gets.append(request.path)
        if request.path == "/v1/models" and self.lists:
            return web.Response(body=self.lists.parts[0], status=self.lists.status, content_type=self.lists.content_type)
        if request.path == "/v1/models" and self.models:
            return web.json_response({"data": [{"id": name, "owned_by": owner} for name, owner in self.models]})
        if request.path in self.pages:
            return web.json_response(self.pages[request.path])
        return web.Response(status=404)

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        assert request.transport is not None
        self.peers.add(request.transport.get_extra_info("peername"))
        if not body.get("stream") and not self.queue:
            return web.json_response(self._whole(body))
        said = self.queue.pop(0) if self.queue else self._obedient(body)
        response = web.StreamResponse(status=said.status, headers=said.headers)
        response.content_type = said.content_type
        await response.prepare(request)
        try:
            for part in said.parts:
                await response.write(part)
                await asyncio.sleep(0)
            if said.hang:
                await self.over.wait()
        except (ConnectionResetError, asyncio.CancelledError):
            self.gone.set()
            raise
        if said.cut:
            request.transport.abort()
        return response

    def _whole(self, body: Body) -> Body:
        choice: Body = {"index": 0, "message": {"content": self._text(body)}, "finish_reason": "stop"}
        if body.get("logprobs"):
            choice["logprobs"] = {"content": [{"token": "a", "logprob": -0.1, "top_logprobs": []}]}
        return {"choices": [choice]}

    def _obedient(self, body: Body) -> Said:
        usage = {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 3}}
        if body.get("tools"):
            calls = list(self._calls(body))
            if not self.parses_calls:
                return events(delta(json.dumps(calls[0]["function"]), finish="stop"), usage)
            return events(*(delta(tool_calls=[call]) for call in calls), delta(finish="tool_calls"), usage)
        words = re.findall(r"\S+\s*", self._text(body))
        return events(*map(delta, words), delta(finish="stop"), usage)

    def _text(self, body: Body) -> str:
        if self.keeps and (lark := grammar_of(body)):
            return "".join(kept(lark))
        prompt = str(body["messages"][-1]["content"])
        if asked := re.search(r"with this JSON and nothing else: (.*)", prompt) or re.search(r"with the word (\w+)", prompt):
            return asked[1]
        return "one two three four five six seven eight nine"

    def _calls(self, body: Body) -> Iterator[Body]:
        tool = body["tools"][0]["function"]
        ((argument, schema),) = tool["parameters"]["properties"].items()
        prompt = str(body["messages"][-1]["content"])
        asked = re.findall(r'"(\w+)"', prompt) or schema["enum"]
        for place, value in enumerate(asked):
            told = schema["enum"][0] if self.keeps and "enum" in schema and value not in schema["enum"] else value
            function = {"name": tool["name"], "arguments": json.dumps({argument: told})}
            yield {"index": place, "id": f"c{place}", "type": "function", "function": function}


def grammar_of(body: Body) -> str:
    """The constraint of a request in any of the dialects, as LLGuidance takes it."""
    if "grammar" in body:
        return str(body["grammar"])
    other = body.get("structured_outputs", body)
    if "response_format" in body:
        return LLMatcher.grammar_from_json_schema(body["response_format"]["json_schema"]["schema"])
    if "regex" in other:
        return LLMatcher.grammar_from_regex(other["regex"])
    if "choice" in other:
        return "start: " + " | ".join(map(json.dumps, other["choice"]))
    return str(other.get("grammar", ""))


def kept(lark: str) -> Iterator[str]:
    """A text that keeps the grammar: at each byte a quote, which ends a string, else the first that is allowed, blanks last."""
    matcher = LLMatcher(LLTokenizer("byte"), lark)
    assert not matcher.is_error(), matcher.get_error()
    while not matcher.is_stopped():
        bits = np.unpackbits(np.frombuffer(matcher.compute_bitmask(), np.uint8), bitorder="little")[:256]
        allowed = [byte for byte in np.flatnonzero(bits) if byte < 127]
        if not allowed:
            return
        byte = int(min(allowed, key=lambda byte: (byte != ord('"'), byte <= 32, byte)))
        matcher.consume_token(byte)
        yield chr(byte)
        if matcher.is_accepting():
            return

"""Any server with OpenAI's chat API: vLLM, SGLang, llama.cpp, Ollama, OpenAI itself.

What the server promises is not taken on trust: every constraint is compiled before it is sent, every constrained output is
verified, and `usage.enforced` says "server" only after a probe of this model has seen the constraint hold.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any

import aiohttp

from sleuth.errors import ConstraintViolated, ContextExceeded, ModelError, ModelUnavailable, UsageError
from sleuth.models.base import Chunk, Completion, Output, Request
from sleuth.models.chat_body import Fields, chat_body, without_dummies
from sleuth.models.detect import detect, list_models
from sleuth.models.probe import Probe
from sleuth.models.probed import recall
from sleuth.models.reply import Body, Reply, as_object
from sleuth.models.sse import EventParser
from sleuth.models.transport import Refused, Transport
from sleuth.models.verified import verify_reply
from sleuth.structured_output.compile import check
from sleuth.structured_output.constraint import JsonSchema
from sleuth.structured_output.dialects import DIALECTS, DialectName, openai
from sleuth.trajectory import Enforcement, Usage

COMPLETIONS = "chat/completions"

DONE = "[DONE]"

DRAIN_SECONDS = 0.25
"""For the end of a response whose stream has said that it is done, so that the connection can be used again."""

MAX_BLANKS = 500
"""White space in a row, in characters, after which an output in JSON will not get anywhere any more."""

BLANKS_HINT = "have the server space JSON in one way: vLLM takes --structured-outputs-config.disable_any_whitespace=true"

REPLACEMENTS: Mapping[str, str | None] = {
    "max_tokens": "max_completion_tokens",
    "temperature": None,
    "seed": None,
    "stream_options": None,
    "parallel_tool_calls": None,
}
"""Fields that some models refuse, and what is sent instead (https://platform.openai.com/docs/guides/reasoning)."""


class OpenAIChat:
    """A model of a server. See `models.base.Model`.

    `url` is the server's address, with or without "/v1". `model` defaults to the first that the server lists, `dialect` to what
    the server looks like. `timeout_seconds` is its longest silence, and the longest time that retries may take; `connect_seconds`
    the longest wait for a connection. A server that is overloaded is tried `retries` times more, after the time it asks for.

    Raises UsageError for an address that is none.
    """

    def __init__(
        self,
        url: str,
        *,
        model: str | None = None,
        api_key: str | None = None,
        dialect: DialectName | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_seconds: float = 120.0,
        connect_seconds: float = 5.0,
        retries: int = 2,
    ) -> None:
        self._server = Transport(
            url,
            headers=headers or {},
            api_key=api_key,
            timeout_seconds=timeout_seconds,
            connect_seconds=connect_seconds,
            retries=retries,
        )
        self._model = model
        self._dialect: DialectName | None = dialect
        self._meeting: asyncio.Lock | None = None
        self._refused: set[str] = set()
        self.probed: Probe | None = None
        """What a probe has found: set by `models.probe.probe`, else what the last one of this server did within a month."""
        self._recalled = False

    def __repr__(self) -> str:
        return f"OpenAIChat({self.url!r}, model={self._model!r})"

    @property
    def name(self) -> str:
        """The model's, without the folders of a file; the server's until the model is known."""
        model = self._model or self._server.base.authority
        return model.rsplit("/", 1)[-1] if model.startswith("/") else model

    @property
    def url(self) -> str:
        return self._server.shown

    async def meet(self) -> tuple[str, DialectName]:
        """The model's name on the server and the server's dialect, asked for once.

        Raises ModelError when the server does not answer to that, UsageError when no model was named and the server lists none.
        """
        if self._model is None or self._dialect is None:
            self._meeting = self._meeting or asyncio.Lock()
            async with self._meeting:
                if self._model is None or self._dialect is None:
                    await self._look()
        if self._model is None or self._dialect is None:
            raise UsageError(f"{self.url} lists no model", hint="give the name of one")
        if self.probed is None and not self._recalled:
            self._recalled = True
            self.probed = recall(self.url, self.name)
        return self._model, self._dialect

    async def stream(self, request: Request) -> AsyncGenerator[Output, None]:
        """Raises, beside what `Model.stream` says: ModelError with the server's own words for a request that it does not take."""
        if request.constraint is not None:
            await asyncio.to_thread(check, request.constraint)
        model, dialect = await self.meet()
        body = chat_body(request, model, dialect)
        wrapped = dialect == "openai" and request.constraint is not None and openai.wraps(request.constraint)
        started = perf_counter()
        reply = Reply()
        response = await self._post(body)
        try:
            async for piece in self._pieces(response, reply):
                text = self._taken(reply, piece)
                if reply.blanks > MAX_BLANKS and isinstance(request.constraint, JsonSchema):
                    raise self._blank(request, reply, started)
                if text and not wrapped:
                    yield Chunk(text)
        finally:
            response.close()
        if wrapped:
            reply.text = openai.unwrap(reply.text)
            yield Chunk(reply.text)
        yield self._completion(request, reply, started)

    async def ask(self, fields: Fields) -> Body:
        """The whole answer to one request that is not streamed, with `fields` beside the model's name. Raises ModelError."""
        model, _ = await self.meet()
        return await self._server.whole(await self._post({"model": model, **fields}))

    async def close(self) -> None:
        await self._server.close()

    async def _look(self) -> None:
        try:
            listed = await list_models(self._server)
        except ModelError:
            if self._model is None:
                raise
            listed = ()
        if self._model is None and listed:
            self._model = listed[0][0]
        if self._dialect is None:
            owners = dict(listed)
            self._dialect = await detect(self._server, owners.get(self._model or "") or next(iter(owners.values()), ""))

    async def _post(self, body: Fields) -> aiohttp.ClientResponse:
        """Once more, without it, for each field that this model turns out not to take."""
        while True:
            try:
                return await self._server.send("POST", COMPLETIONS, _without(body, self._refused))
            except Refused as refused:
                field = refused.field or _named(refused.message)
                if field not in REPLACEMENTS or field not in body or field in self._refused:
                    raise
                self._refused.add(field)

    async def _pieces(self, response: aiohttp.ClientResponse, reply: Reply) -> AsyncIterator[Body]:
        """The objects of a stream, or the one of an answer that came whole. Raises ModelUnavailable where it breaks off."""
        try:
            if response.content_type == "application/json":
                yield await self._server.whole(response)
                return
            async for data in _events(response):
                if data.strip() == DONE:
                    reply.done = True
                    await _drain(response)
                    return
                yield as_object(json.loads(data))
        except (aiohttp.ClientError, TimeoutError, ValueError, RecursionError) as error:
            raise self._server.failure(error) from error

    def _taken(self, reply: Reply, piece: Body) -> str:
        try:
            return reply.take(piece)
        except (ModelUnavailable, ContextExceeded) as error:
            raise type(error)(f"{self.url}: {self._server.redacted(error.message)}", hint=error.hint) from None

    def _blank(self, request: Request, reply: Reply, started: float) -> ConstraintViolated:
        """Nobody counts the tokens of what is broken off: there was one a piece, at least."""
        usage = self._usage(request, reply, started)
        usage = replace(usage, completion_tokens=max(usage.completion_tokens, reply.pieces))
        return ConstraintViolated("the model writes blanks without end", output=reply.text, hint=BLANKS_HINT, usage=usage)

    def _completion(self, request: Request, reply: Reply, started: float) -> Completion:
        if not reply.finish_reason and not reply.done:
            what = "broke off its answer" if reply.first else "sent no completion"
            raise ModelUnavailable(f"{self.url} {what}", hint="see the log of the server")
        usage = self._usage(request, reply, started)
        verify_reply(request, reply, usage)
        calls = without_dummies(reply.calls(), request.tools)
        finish_reason = reply.finish_reason or ("tool_calls" if calls else "stop")
        return Completion(reply.text, calls, finish_reason, usage)

    def _usage(self, request: Request, reply: Reply, started: float) -> Usage:
        now = perf_counter()
        return Usage(
            prompt_tokens=_count(reply.usage, "prompt_tokens"),
            cached_tokens=_count(as_object(reply.usage.get("prompt_tokens_details")), "cached_tokens"),
            completion_tokens=_count(reply.usage, "completion_tokens"),
            ttft_seconds=(reply.first or now) - started,
            seconds=now - started,
            enforced=self._enforcement(request),
        )

    def _enforcement(self, request: Request) -> Enforcement:
        if request.constraint is None:
            return "server" if self.probed is not None and self.probed.covers(request) else "off"
        whole = self._dialect is not None and not DIALECTS[self._dialect].leaves(request.constraint)
        return "server" if whole and self.probed is not None and self.probed.covers(request) else "validated"


async def _events(response: aiohttp.ClientResponse) -> AsyncIterator[str]:
    parser = EventParser()
    async for received in response.content.iter_any():
        for data in parser.feed(received):
            yield data
    for data in parser.end():
        yield data


async def _drain(response: aiohttp.ClientResponse) -> None:
    try:
        async with asyncio.timeout(DRAIN_SECONDS):
            await response.content.read()
    except (aiohttp.ClientError, TimeoutError):
        return  # all there was to say has been said


def _without(body: Fields, refused: set[str]) -> Fields:
    sent: dict[str, Any] = {}
    for field, value in body.items():
        name = REPLACEMENTS[field] if field in refused else field
        if name is not None:
            sent[name] = value
    return sent


def _named(words: str) -> str:
    """The field that an error without `param` complains of, if it is one that can be left out."""
    complaint = any(
        word in words.lower() for word in ("unsupported", "not supported", "unrecognized", "unknown", "not permitted")
    )
    return next((field for field in REPLACEMENTS if complaint and field in words), "")


def _count(usage: Body, key: str) -> int:
    value = usage.get(key)
    return max(value, 0) if isinstance(value, int) else 0

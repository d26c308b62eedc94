"""A GGUF model in this process.

llama.cpp fails open: to a grammar it cannot use it answers 200 and free text. So a constraint is compiled by LLGuidance before
anything is sent, a probe at load shows whether this build keeps one, and every constrained output is verified.

The engine's calls block, so they run on one thread of its own, which is also the queue: one request at a time.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from sleuth.errors import ConstraintViolated, ModelError, ModelUnavailable, UsageError
from sleuth.models.base import Chunk, Completion, Message, Output, RawToolCall, Request
from sleuth.models.cores import physical_cores
from sleuth.models.engine import Body, Engine, open_engine
from sleuth.models.prefixes import Prefixes
from sleuth.models.store import Store
from sleuth.structured_output.compile import check
from sleuth.structured_output.constraint import JsonSchema
from sleuth.structured_output.dialects import llama_server
from sleuth.structured_output.verify import verify
from sleuth.tool import ToolSpec
from sleuth.trajectory import Enforcement, Usage

PROBE = JsonSchema.of(
    {
        "type": "object",
        "properties": {"probe": {"const": "held"}},
        "required": ["probe"],
        "additionalProperties": False,
    }
)
PROBE_QUESTION = "Reply with the word hello."


class LlamaCpp:
    """A model file run on this machine's processors. See `models.base.Model`.

    `path` is a GGUF file, or the name or SHA-256 of a model in the store. It is loaded at the first request, or by `load`.
    `context_tokens` bounds prompt and output together; `threads` defaults to the physical cores this process may use.
    `keep_prefixes` writes the state after a system message to the store's `.prefixes`, so that the next process need not read
    that message again.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        context_tokens: int = 8192,
        threads: int | None = None,
        name: str | None = None,
        keep_prefixes: bool = True,
    ) -> None:
        self.name = name or Path(path).name.removesuffix(".gguf")
        self._path = path
        self._context_tokens = context_tokens
        self._threads = threads or physical_cores()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="llamacpp")
        self._engine: Engine | None = None
        self._prefixes: Prefixes | None = None
        self._keep_prefixes = keep_prefixes
        self._enforced: Enforcement = "validated"
        self._turns: set[_Turn] = set()

    async def load(self) -> None:
        """Read the model and probe it; at once when that is done already.

        Raises ModelNotFound, or ModelUnavailable for a file that llama.cpp cannot load.
        """
        await self._loaded()

    async def stream(self, request: Request) -> AsyncGenerator[Output, None]:
        """Raises, beside what `Model.stream` says: UsageError for a prompt longer than the context."""
        if request.constraint is not None:
            if request.tools:
                raise UsageError("a request carries a constraint or tools, not both", hint="leave one out")
            await asyncio.to_thread(check, request.constraint)
        body = _body(request)
        engine = await self._loaded()
        started = perf_counter()
        turn = _Turn(asyncio.get_running_loop())
        self._turns.add(turn)
        queued = self._thread.submit(turn.run, engine, body, self._prefixes)
        reply = _Reply(started)
        try:
            while (piece := await turn.pieces.get()) is not None:
                if text := reply.take(piece):
                    yield Chunk(text)
        finally:
            turn.stop()
            queued.cancel()
            self._turns.discard(turn)
        reply.primed_tokens = turn.primed_tokens
        yield reply.completion(request, "off" if request.constraint is None else self._enforced)

    async def close(self) -> None:
        """Stop what is being generated and free the model. The next request would load it again."""
        for turn in tuple(self._turns):
            turn.stop()
        await asyncio.wrap_future(self._thread.submit(self._unload))

    async def _loaded(self) -> Engine:
        return self._engine or await asyncio.wrap_future(self._thread.submit(self._load))

    def _load(self) -> Engine:
        if self._engine is None:
            store = Store()
            path = store.find(self._path)
            self._prefixes = Prefixes.of(store.folder / ".prefixes", path, self._context_tokens) if self._keep_prefixes else None
            engine = open_engine(path, self._context_tokens, self._threads, self._prefixes and self._prefixes.folder)
            self._enforced = "server" if _enforces(engine) else "validated"
            self._engine = engine
        return self._engine

    def _unload(self) -> None:
        self._engine = self._prefixes = None


class _Turn:
    """One generation: pieces cross from the engine's thread to the event loop, the wish to stop crosses back."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.pieces: asyncio.Queue[Body | None] = asyncio.Queue()
        self.primed_tokens = 0
        self._loop = loop
        self._stopped = threading.Event()

    def stop(self) -> None:
        self._stopped.set()

    def run(self, engine: Engine, body: Body, prefixes: Prefixes | None) -> None:
        """On the engine's thread. Ends the pieces with None, whatever happens."""
        try:
            if prefixes and not self._stopped.is_set():
                self.primed_tokens = prefixes.prime(engine, body, self._stopped.is_set)
            if not self._stopped.is_set():
                engine.chat(body, self._on_piece)
        except Exception as error:  # whatever the binding raises is the engine's failure, and must reach the reader
            self._send({"error": {"message": f"{type(error).__name__}: {error}"}})
        self._send(None)

    def _on_piece(self, piece: Body) -> bool:
        self._send(piece)
        return self._stopped.is_set()

    def _send(self, piece: Body | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self.pieces.put_nowait, piece)
        except RuntimeError:  # the event loop is closed: nobody listens any more
            self._stopped.set()


@dataclass(slots=True)
class _Reply:
    """What has come so far. `started` is a `perf_counter` reading; `primed_tokens` were read just before the request, for it."""

    started: float
    text: str = ""
    calls: dict[int, RawToolCall] = field(default_factory=dict[int, RawToolCall])
    finish_reason: str = ""
    timings: Body = field(default_factory=dict[str, Any])
    first: float | None = None
    primed_tokens: int = 0

    def take(self, piece: Body) -> str:
        """Add one piece of the stream; its text, if it has any."""
        if error := piece.get("error"):
            raise _as_error(error)
        self.timings = piece.get("timings") or self.timings
        text = ""
        for choice in piece.get("choices", ()):
            delta: Body = choice.get("delta") or {}
            text += delta.get("content") or ""
            for call in delta.get("tool_calls") or ():
                self._take_call(call)
            self.finish_reason = choice.get("finish_reason") or self.finish_reason
        if self.first is None and (text or self.calls):
            self.first = perf_counter()
        self.text += text
        return text

    def _take_call(self, delta: Body) -> None:
        index: int = delta.get("index", 0)
        known = self.calls.get(index, RawToolCall("", "", ""))
        function: Body = delta.get("function") or {}
        self.calls[index] = RawToolCall(
            known.id or delta.get("id") or "",
            known.name or function.get("name") or "",
            known.arguments + (function.get("arguments") or ""),
        )

    def completion(self, request: Request, enforced: Enforcement) -> Completion:
        if not self.finish_reason:
            raise ModelUnavailable("the local model was stopped before it had finished")
        if request.constraint is not None:
            try:
                verify(self.text, request.constraint)
            except ConstraintViolated as broken:
                if self.finish_reason != "length":
                    raise
                raise ConstraintViolated(
                    f"the output was cut after {self.timings.get('predicted_n', request.max_tokens)} tokens",
                    output=self.text,
                    pointer=broken.pointer,
                    hint="allow more max_tokens, or a larger context",
                ) from broken
        return Completion(self.text, tuple(self.calls[n] for n in sorted(self.calls)), self.finish_reason, self._usage(enforced))

    def _usage(self, enforced: Enforcement) -> Usage:
        now = perf_counter()
        cached: int = self.timings.get("cache_n", 0)
        return Usage(
            prompt_tokens=cached + self.timings.get("prompt_n", 0),
            cached_tokens=max(0, cached - self.primed_tokens),
            completion_tokens=self.timings.get("predicted_n", 0),
            ttft_seconds=(self.first or now) - self.started,
            seconds=now - self.started,
            enforced=enforced,
        )


def _enforces(engine: Engine) -> bool:
    """Whether a constraint holds, seen on a request whose free answer would break it."""
    body = _body(Request((Message("user", PROBE_QUESTION),), constraint=PROBE, max_tokens=24))
    answer = engine.answer(body)
    choices: list[Body] = answer.get("choices") or []
    text = "".join(choice["message"]["content"] or "" for choice in choices)
    try:
        verify(text, PROBE)
    except ConstraintViolated:
        return False
    return True


def _body(request: Request) -> Body:
    """The request as llama.cpp's server takes it (tools/server/README.md, "POST /v1/chat/completions")."""
    body: Body = {
        "messages": [_message(message) for message in request.messages],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "return_progress": True,  # the callback is called during prefill too, so that a long prompt can be stopped
        "cache_prompt": True,
        "reasoning_format": "none",  # the text stays as it was written
    }
    if request.seed is not None:
        body["seed"] = request.seed
    if request.constraint is not None:
        body |= llama_server.lower(request.constraint)
    if request.tools:
        body["tools"] = [_tool(spec) for spec in request.tools]
        body["parallel_tool_calls"] = request.parallel_tool_calls
    return body


def _message(message: Message) -> Body:
    body: Body = {"role": message.role, "content": message.content}
    if message.tool_calls:
        body["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        body["tool_call_id"] = message.tool_call_id
    return body


def _tool(spec: ToolSpec) -> Body:
    function = {"name": spec.name, "description": spec.description, "parameters": dict(spec.parameters)}
    return {"type": "function", "function": function}


def _as_error(error: Body) -> ModelError | UsageError:
    if error.get("type") == "exceed_context_size_error":
        return UsageError(
            f"the prompt has {error.get('n_prompt_tokens')} tokens and the context holds {error.get('n_ctx')}",
            hint="raise context_tokens, or show the model less",
        )
    return ModelUnavailable(f"the local model failed: {error.get('message', error)}")

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
from pathlib import Path
from time import perf_counter

from sleuth.errors import ConstraintViolated, ContextExceeded, ModelError, ModelUnavailable
from sleuth.models.base import Chunk, Completion, Message, Output, Request
from sleuth.models.chat_body import chat_body, without_dummies
from sleuth.models.cores import physical_cores
from sleuth.models.engine import Body, Engine, open_engine
from sleuth.models.prefixes import Prefixes
from sleuth.models.probe import Probe
from sleuth.models.reply import Reply, as_object, exceeds_context, words_of
from sleuth.models.store import Store
from sleuth.models.verified import verify_reply
from sleuth.structured_output.compile import check
from sleuth.structured_output.constraint import JsonSchema
from sleuth.structured_output.verify import verify
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
        self.probed: Probe | None = None
        """What a probe has found; set by `models.probe.probe`."""

    async def load(self) -> None:
        """Read the model and probe it; at once when that is done already.

        Raises ModelNotFound, or ModelUnavailable for a file that llama.cpp cannot load.
        """
        await self._loaded()

    async def stream(self, request: Request) -> AsyncGenerator[Output, None]:
        if request.constraint is not None:
            await asyncio.to_thread(check, request.constraint)
        body = _body(request)
        engine = await self._loaded()
        started = perf_counter()
        turn = _Turn(asyncio.get_running_loop())
        self._turns.add(turn)
        queued = self._thread.submit(turn.run, engine, body, self._prefixes)
        reply = Reply()
        try:
            while (piece := await turn.pieces.get()) is not None:
                if "error" in piece:
                    raise _as_error(piece)
                if text := reply.take(piece):
                    yield Chunk(text)
        finally:
            turn.stop()
            queued.cancel()
            self._turns.discard(turn)
        usage = _usage(reply, started, turn.primed_tokens, self._enforcement(request))
        yield _completion(request, reply, usage)

    async def close(self) -> None:
        """Stop what is being generated and free the model. The next request would load it again."""
        for turn in tuple(self._turns):
            turn.stop()
        await asyncio.wrap_future(self._thread.submit(self._unload))

    def _enforcement(self, request: Request) -> Enforcement:
        """A probe knows more than the one question at load."""
        if self.probed is not None and self.probed.covers(request):
            return "masked"
        if request.constraint is None:
            return "off"
        return self._enforced if self.probed is None else "validated"

    async def _loaded(self) -> Engine:
        return self._engine or await asyncio.wrap_future(self._thread.submit(self._load))

    def _load(self) -> Engine:
        if self._engine is None:
            store = Store()
            path = store.find(self._path)
            self._prefixes = Prefixes.of(store.folder / ".prefixes", path, self._context_tokens) if self._keep_prefixes else None
            engine = open_engine(path, self._context_tokens, self._threads, self._prefixes and self._prefixes.folder)
            self._enforced = "masked" if _enforces(engine) else "validated"
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


def _completion(request: Request, reply: Reply, usage: Usage) -> Completion:
    """Raises ModelUnavailable for an output without an end, ConstraintViolated for one that breaks its constraint."""
    if not reply.finish_reason:
        raise ModelUnavailable("the local model was stopped before it had finished")
    verify_reply(request, reply, usage)
    return Completion(reply.text, without_dummies(reply.calls(), request.tools), reply.finish_reason, usage)


def _usage(reply: Reply, started: float, primed_tokens: int, enforced: Enforcement) -> Usage:
    """`started` is a `perf_counter` reading; `primed_tokens` were read just before the request, for it."""
    now = perf_counter()
    cached: int = as_object(reply.usage.get("prompt_tokens_details")).get("cached_tokens", 0)
    return Usage(
        prompt_tokens=reply.usage.get("prompt_tokens", 0),
        cached_tokens=max(0, cached - primed_tokens),
        completion_tokens=reply.usage.get("completion_tokens", 0),
        ttft_seconds=(reply.first or now) - started,
        seconds=now - started,
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
    return {
        **chat_body(request, "local", "llama_server"),
        "return_progress": True,  # the callback is called during prefill too, so that a long prompt can be stopped
        "cache_prompt": True,
        "reasoning_format": "none",  # the text stays as it was written
    }


def _as_error(piece: Body) -> ModelError:
    if not exceeds_context(piece):
        return ModelUnavailable(f"the local model failed: {words_of(piece)}")
    error = as_object(piece["error"])
    prompt, context = error.get("n_prompt_tokens"), error.get("n_ctx")
    message = f"the prompt has {prompt} tokens and the context holds {context}" if prompt and context else words_of(piece)
    return ContextExceeded(message, hint="raise context_tokens, or show the model less")

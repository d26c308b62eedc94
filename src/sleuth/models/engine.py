"""llama.cpp's server in this process: the part of xllamacpp that is used, with types, and the settings it runs under."""

from __future__ import annotations

import http.client
import json
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeAlias, cast

from sleuth.errors import ModelUnavailable

# libgomp reads this once, when it is loaded. Its threads spin while they wait for each other, by default for so long that on a
# machine that does anything else those that spin keep those they wait for from running. Tokens a second of a 0.5B model, two
# threads on two cores, for 300,000 turns (the default), 1,000 and none: idle 42-46, 43-45 and 22; beside two busy processes 1-8,
# 9-19 and 11-14.
_SPIN = "GOMP_SPINCOUNT"
_chosen = _SPIN in os.environ or "OMP_WAIT_POLICY" in os.environ
if not _chosen:
    os.environ[_SPIN] = "1000"
import xllamacpp  # noqa: E402 - after the line above, or it has no effect

if not _chosen:
    del os.environ[_SPIN]

GGUF_MAGIC = b"GGUF"
"""First four bytes of the format (ggml/docs/gguf.md, "File Structure")."""

BATCH_TOKENS = 128
"""Prompt tokens between two chances to stop. On a CPU 64, 128, 512 and 2048 prefill equally fast (within 10 %), and 128 of them
take a 1.5B model about three seconds."""

PROMPTS_MIB = 256
"""Memory for the slots of earlier prompts; llama.cpp would take eight gigabytes."""

SLOT_SECONDS = 30.0

# A request, an answer or a piece of one, as the engine's JSON parser takes and returns them; their shape is the server's affair.
Body: TypeAlias = dict[str, Any]

# Cython classes without stubs; the attributes of CommonParams are the fields of llama.cpp's `common_params`.
_binding: Any = xllamacpp


class Server(Protocol):
    """What is used of `xllamacpp.Server`.

    With a callback, the body's "stream" decides whether it is called once or for every piece; a true return value ends the
    generation. Without, the one answer is returned. Errors are answers too: {"error": {"code", "type", "message"}}. The
    interpreter lock is free meanwhile.
    """

    @property
    def listening_address(self) -> str: ...

    def handle_chat_completions(self, body: Body, callback: Callable[[Body], bool] | None = None, /) -> Body | None: ...


class Engine:
    """A loaded model with one slot: the keys and values of the last prompt, which the next one that begins like it goes on from.

    The slot can be written to a file and read back. The binding has no call for that, so it goes over the HTTP listener on
    loopback that every such server opens; `key` keeps other users of the machine away from it.
    """

    def __init__(self, server: Server, slots: Path | None = None, key: str = "") -> None:
        self.slots = slots
        self._server = server
        self._key = key

    def chat(self, body: Body, on_piece: Callable[[Body], bool]) -> None:
        """Every piece of the answer to a streaming request; ends early when `on_piece` says so."""
        self._server.handle_chat_completions({**body, "stream": True}, on_piece)

    def answer(self, body: Body) -> Body:
        return self._server.handle_chat_completions({**body, "stream": False}) or {}

    def save_slot(self, name: str) -> bool:
        """Write the slot to `slots / name`; whether that worked."""
        return self._slot("save", name)

    def restore_slot(self, name: str) -> bool:
        """Read the slot back; False, and an empty slot, for a file that is missing, cut short or of another model's shape."""
        return self._slot("restore", name)

    def _slot(self, action: str, name: str) -> bool:
        connection = http.client.HTTPConnection(self._server.listening_address.removeprefix("http://"), timeout=SLOT_SECONDS)
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        try:
            connection.request("POST", f"/slots/0?action={action}", json.dumps({"filename": name}), headers)
            return connection.getresponse().status == http.HTTPStatus.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


def open_engine(path: Path, context_tokens: int, threads: int, slots: Path | None = None) -> Engine:
    """Load a GGUF file: seconds, during which xllamacpp holds the interpreter lock. `slots` is an existing folder for slot files.

    Raises ModelUnavailable.
    """
    with path.open("rb") as file:
        if file.read(len(GGUF_MAGIC)) != GGUF_MAGIC:
            raise ModelUnavailable(
                f"{path} is not a GGUF file", hint="give a .gguf model, or a name that `sleuth models list` shows"
            )
    key = secrets.token_urlsafe(32)
    params = _binding.CommonParams()
    params.model.path = str(path)
    params.n_ctx = context_tokens
    params.n_batch = BATCH_TOKENS
    params.n_parallel = 1
    params.ctx_shift = False  # a full context ends the output; the start of the prompt is never dropped in silence
    params.cache_ram_mib = PROMPTS_MIB
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    params.verbosity = -1
    params.api_keys = [key]
    if slots is not None:
        params.slot_save_path = f"{slots}/"
    try:
        return Engine(cast("Server", _binding.Server(params)), slots, key)
    except RuntimeError as error:
        raise ModelUnavailable(
            f"llama.cpp could not load {path.name}",
            hint="the file may be cut short, of an architecture this llama.cpp does not know, or larger than the free memory",
        ) from error

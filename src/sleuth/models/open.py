"""A model from one word: a server's URL, a name in the store, or the path of a file."""

from __future__ import annotations

import importlib
from typing import cast

from sleuth.errors import ModelUnavailable, UsageError
from sleuth.models.base import Model
from sleuth.models.known import DEFAULT_MODEL


def open_model(
    where: str = DEFAULT_MODEL,
    *,
    name: str | None = None,
    api_key: str | None = None,
    context_tokens: int | None = None,
    threads: int | None = None,
) -> Model:
    """The model at `where`; nothing is loaded or asked yet.

    An http(s) URL is an OpenAI-compatible server, asked for its model `name`. Everything else is a GGUF file or a model of the
    store, run in this process, and `name` is only what it is called. `context_tokens` and `threads` are for that one.

    Raises UsageError for another kind of URL, a key given to a local model, or a local model's options given to a server.
    """
    scheme, separator, _ = where.partition("://")
    local = {key: value for key, value in (("context_tokens", context_tokens), ("threads", threads)) if value is not None}
    if separator and scheme.lower() in {"http", "https"}:
        if local:
            raise UsageError(f"{' and '.join(local)} cannot be set for a server", hint="set it where the server is started")
        return _adapter("openai_chat", "OpenAIChat", where, model=name, api_key=api_key)
    if separator:
        raise UsageError(f"a model cannot be reached by {scheme}://", hint="give an http(s) URL, a model's name or a .gguf file")
    if api_key is not None:
        raise UsageError(f"the local model {where!r} takes no key", hint="a key goes with the URL of a server")
    return _adapter("llamacpp", "LlamaCpp", where, name=name, **local)


def _adapter(module: str, adapter: str, where: str, **options: str | int | None) -> Model:
    """Imported only here, and by name: llama.cpp is a hundred megabytes, and who calls a server does not need it."""
    try:
        make = getattr(importlib.import_module(f"sleuth.models.{module}"), adapter)
    except ImportError as error:
        if "libgomp" not in str(error):
            raise
        raise ModelUnavailable(
            "llama.cpp needs the OpenMP library of the system, and it is not there",
            hint="install it (Debian, Ubuntu: apt-get install libgomp1), or give the URL of a model server",
        ) from error
    return cast("Model", make(where, **options))

"""llama.cpp's own HTTP server for a GGUF file, on a free port of the loopback.

As a program, for questions asked over HTTP: python tests/models/llama_http.py MODEL.gguf
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sleuth.models.cores import physical_cores
from sleuth.models.engine import BATCH_TOKENS, PROMPTS_MIB

import xllamacpp  # isort: skip - after the engine, which sets how its threads wait


@contextmanager
def llama_http(
    path: Path, *, context_tokens: int = 8192, parallel: int = 1, threads: int | None = None, api_key: str | None = None
) -> Iterator[str]:
    """The server's URL while the block runs. Each of `parallel` requests at once has `context_tokens` to itself."""
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.model_alias = {path.stem}
    params.n_ctx = context_tokens * parallel
    params.n_parallel = parallel
    params.n_batch = BATCH_TOKENS
    params.ctx_shift = False
    params.cache_ram_mib = PROMPTS_MIB
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads or physical_cores()
    params.verbosity = -1
    if api_key is not None:
        params.api_keys = [api_key]
    server = xllamacpp.Server(params)
    try:
        yield str(server.listening_address)
    finally:
        del server


if __name__ == "__main__":
    with llama_http(Path(sys.argv[1])) as url:
        print(url, flush=True)
        signal.sigwait({signal.SIGINT, signal.SIGTERM})

"""The state of a model after a system message, kept on disk between processes.

Reading a prompt is most of what a local model costs: a thousand tokens take a 1.5B model half a minute on two cores, and its
state after them comes back from a file in milliseconds. The system message alone is kept, never a question or what was found.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from sleuth.models.engine import Body, Engine

SHORTEST_CHARS = 400
"""A system message below this is read as fast as a file."""
KEPT = 8
"""Files in the folder, the least recently used going first. One is 12 to 30 kB for each token of the message."""

_ASIDE: Body = {"messages": [{"role": "user", "content": "."}], "max_tokens": 0}
"""A few tokens that make the engine put what is in the slot aside in memory; a file read into the slot would overwrite it."""


class Prefixes:
    """One model's states in `folder`, which models and processes share: a file's name hashes all that its content rests on."""

    def __init__(self, folder: Path, identity: str) -> None:
        self.folder = folder
        self._identity = identity
        self._seen: set[str] = set()

    @classmethod
    def of(cls, folder: Path, model: Path, context_tokens: int) -> Prefixes | None:
        """None where nothing can be kept."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError:
            return None
        file = model.resolve()
        stat = file.stat()
        return cls(folder, f"{file}\0{stat.st_size}\0{stat.st_mtime_ns}\0{context_tokens}\0{version('xllamacpp')}")

    def prime(self, engine: Engine, body: Body, stopped: Callable[[], bool]) -> int:
        """Bring the engine to the state after the system message that `body` begins with, from a file or by reading it.

        The number of tokens that had to be read. Whatever fails here costs time and nothing else: the request reads its prompt.
        """
        head: Body = body["messages"][0]
        text = str(head["content"])
        if head["role"] != "system" or len(text) < SHORTEST_CHARS or text in self._seen:
            return 0  # what this process has read before, the engine itself remembers, and more of it
        name = hashlib.sha256(f"{self._identity}\0{text}".encode()).hexdigest() + ".slot"
        if (self.folder / name).exists():
            if self._seen:
                engine.answer(_ASIDE)
            if engine.restore_slot(name):
                self._seen.add(text)
                os.utime(self.folder / name)
                return 0
        read = _read(engine, head, stopped)
        if not stopped():
            self._seen.add(text)
            if read:
                self._keep(engine, name)
        return read

    def _keep(self, engine: Engine, name: str) -> None:
        draft = f"{name}.{os.getpid()}"
        try:
            if engine.save_slot(draft):
                os.replace(self.folder / draft, self.folder / name)
            for old in sorted(self.folder.glob("*.slot"), key=_used, reverse=True)[KEPT:]:
                old.unlink(missing_ok=True)
        except OSError:
            pass  # a full or read-only disk: the next process reads the message again


def _read(engine: Engine, head: Body, stopped: Callable[[], bool]) -> int:
    """Tokens read of the message alone; 0 when it was stopped, or the model's template takes no system message by itself."""
    read = 0

    def on_piece(piece: Body) -> bool:
        nonlocal read
        if timings := piece.get("timings"):
            read = timings["prompt_n"]
        return stopped()

    engine.chat({"messages": [head], "max_tokens": 0, "return_progress": True, "cache_prompt": True}, on_piece)
    return read


def _used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:  # another process was faster
        return 0.0

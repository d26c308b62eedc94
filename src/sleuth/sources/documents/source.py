"""A folder of documents as a source: opened, it is indexed; its tool finds passages with page and clause."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sleuth.errors import SourceUnavailable, UsageError
from sleuth.result import Passages
from sleuth.source import Card
from sleuth.sources.documents.card import card, spec
from sleuth.sources.documents.embed.base import Embedder
from sleuth.sources.documents.embed.minilm import MiniLM
from sleuth.sources.documents.index import Index, Progress, Report
from sleuth.sources.documents.search import search
from sleuth.tool import Arguments, Tool, ToolSpec


class Documents:
    """A `Source` over the PDF, DOCX, HTML, Markdown and text files under `path` (a folder, or one file).

    The index is kept in `index` (default: the user's cache); opening reads only what changed since. `top_k` is how many passages
    the tool shows. `on_progress` is called from another thread while files are read. `report` says what the last opening did,
    also which files could not be read and why.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        name: str = "documents",
        index: str | Path | None = None,
        tool: str = "vector_search",
        top_k: int = 8,
        embedder: Embedder | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> None:
        if top_k < 1:
            raise UsageError("top_k must be at least 1")
        self.path = Path(path).expanduser()
        self.report: Report | None = None
        self.on_progress = on_progress
        self._name = name
        self._directory = Path(index).expanduser() if index is not None else None
        self._tool = tool
        self._top_k = top_k
        self._embedder = embedder
        self._index: Index | None = None
        self._card: Card | None = None
        self._spec: ToolSpec | None = None
        self._lock = threading.Lock()
        self._stop = threading.Event()

    @property
    def name(self) -> str:
        return self._name

    async def open(self) -> Card:
        """As `update`, in a thread; the card says what is there. Cancelled, it ends at the next passages.

        Raises SourceUnavailable also where not one file could be read.
        """
        self._stop = stop = threading.Event()
        try:
            report = await asyncio.to_thread(self._update, stop)
        except asyncio.CancelledError:
            stop.set()
            raise
        if self._card is None or report.documents == 0:
            await self.close()
            raise _nothing_read(report)
        return self._card

    def tools(self) -> Sequence[Tool]:
        if self._spec is None:
            raise UsageError("the documents are not open yet", hint="await open() first")
        return (_VectorSearch(self._spec, self),)

    def search(self, query: str, top_k: int | None = None, *, recurring: bool = False) -> Passages:
        """The passages that answer `query` best; with `recurring` those that stand in most documents.

        Opens the index when it is not open. Blocks: not for an event loop's thread.
        """
        if self._index is None:
            self.update()
        with self._lock:
            if self._index is None:
                raise SourceUnavailable("the documents were closed")
            return search(self._index.store, self._index.embedder, query, top_k or self._top_k, recurring=recurring)

    async def close(self) -> None:
        self._stop.set()
        await asyncio.to_thread(self.release)

    def update(self) -> Report:
        """Bring the index up to date and keep it open. Blocks. However it ends, the index is usable and the next run goes on.

        Raises SourceUnavailable where there is nothing to read, or while another process has the index open.
        """
        return self._update(threading.Event())

    def _update(self, stop: threading.Event) -> Report:
        with self._lock:
            if self._index is None:
                self._index = Index.open(self.path, self._directory, embedder=self._embedder or _default_embedder())
            try:
                self.report = self._index.update(self.on_progress, stop)
                self._card = card(self._name, self._index.manifest.files)
                self._spec = spec(self._tool, self._index.manifest.files)
            except BaseException:
                self._index.close()
                self._index = None
                raise
            return self.report

    def release(self) -> None:
        """Close the index, so that another process can open it. Waits for a search or an update that is running."""
        with self._lock:
            if self._index is not None:
                self._index.close()
                self._index = None


@dataclass(frozen=True, slots=True)
class _VectorSearch:
    spec: ToolSpec
    documents: Documents

    async def run(self, arguments: Arguments) -> Passages:
        return await asyncio.to_thread(
            self.documents.search, str(arguments["query"]), recurring=bool(arguments.get("recurring", False))
        )


def _nothing_read(report: Report) -> SourceUnavailable:
    reasons = "; ".join(f"{path}: {why}" for path, why in report.unreadable[:3]) or "stopped before the first"
    return SourceUnavailable(f"none of the documents could be read ({reasons})", hint="`sleuth index` lists each with its reason")


@cache
def _default_embedder() -> MiniLM:
    """One model for all sources of a process."""
    return MiniLM()

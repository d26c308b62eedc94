"""A folder into an index, and the index kept true to the folder: only what changed is read again."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

from sleuth.errors import SourceUnavailable, UnreadableDocument
from sleuth.sources.documents.embed.base import Embedder
from sleuth.sources.documents.embed.minilm import MiniLM
from sleuth.sources.documents.folder import Folder, look, stamp
from sleuth.sources.documents.manifest import SCHEMA, Indexed, Manifest, Stamp
from sleuth.sources.documents.read.formats import read
from sleuth.sources.documents.split import Part, split
from sleuth.sources.documents.store import Store

_GROUP = 32
"""Files between two saves of the manifest: what a kill can cost."""
_SLICE = 128
"""Passages embedded and stored at a time."""
_MOST_HEADINGS = 40
"""Headings of one document kept in the manifest."""
_REMEMBERED = 20_000
"""Vectors kept while indexing, for passages that recur word for word."""


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` changed files are in the index, with `passages`; `path` is the one being worked on."""

    path: str
    done: int
    total: int
    passages: int


@dataclass(frozen=True, slots=True)
class Report:
    """What one run did. `documents`, `pages` and `passages` are in the index now; `rebuilt` says why all was read again.

    `unreadable` pairs a path with why. `complete` is False after a run that was stopped.
    """

    added: int = 0
    changed: int = 0
    deleted: int = 0
    unchanged: int = 0
    unreadable: tuple[tuple[str, str], ...] = ()
    ignored: tuple[tuple[str, int], ...] = ()
    documents: int = 0
    pages: int = 0
    passages: int = 0
    rebuilt: str | None = None
    complete: bool = True
    seconds: float = 0.0


def default_directory(path: Path) -> Path:
    """Where the index of a folder is kept when no place is given: in the user's cache, for it can always be made again."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    place = path.resolve()
    return base / "sleuth" / "index" / f"{place.name or 'root'}-{hashlib.sha256(str(place).encode()).hexdigest()[:12]}"


def index(
    path: Path,
    into: Path | None = None,
    progress: Callable[[Progress], None] | None = None,
    *,
    embedder: Embedder | None = None,
    stop: threading.Event | None = None,
) -> Report:
    """Bring the index of a folder up to date, and close it. Errors as of `Index.open`."""
    with Index.open(path, into, embedder=embedder or MiniLM()) as opened:
        return opened.update(progress, stop)


MANIFEST = "manifest.json"

MARK = ".sleuth-index"
"""The name of an empty file that says that a folder's content is ours, to be replaced whenever it is damaged or out of date."""


def _claim(directory: Path) -> None:
    """Mark the folder as ours. Raises SourceUnavailable where somebody else keeps files in it: a rebuilt index deletes them."""
    mark = directory / MARK
    if not mark.exists():
        if any(directory.iterdir()) and Manifest.load(directory / MANIFEST) is None:
            raise SourceUnavailable(
                f"{directory} holds other files, and no index of ours", hint="give the index an empty folder (index=… or --into)"
            )
        mark.touch()


class Index:
    """An open index: `store` for searching, `manifest` for what it holds. One process, one thread at a time."""

    def __init__(self, path: Path, directory: Path, embedder: Embedder) -> None:
        self.path = path
        self.directory = directory
        self.embedder = embedder
        self._shard, self._manifest_file = directory / "passages", directory / MANIFEST
        self._vectors: dict[str, list[float]] = {}
        self._stored = 0
        self.rebuilt: str | None = None
        self.store, self.manifest = self._opened()

    @classmethod
    def open(cls, path: Path, into: Path | None = None, *, embedder: Embedder) -> Index:
        """Raises SourceUnavailable while another process has the index open, or where it cannot be written."""
        directory = into or default_directory(path)
        try:
            directory.mkdir(parents=True, exist_ok=True)
            _claim(directory)
            return cls(path, directory, embedder)
        except OSError as error:
            raise SourceUnavailable(
                f"the index cannot be written to {directory}: {error.strerror}", hint="give it another place (index=… or --into)"
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.store.close()

    def update(self, progress: Callable[[Progress], None] | None = None, stop: threading.Event | None = None) -> Report:
        """Read what is new or changed, forget what is gone, go on after a file that cannot be read.

        However it ends, the index is whole: a file that was being written when all stopped is written again by the next run.
        `stop` ends it before the next slice of passages. Raises SourceUnavailable for a folder without a file of a readable kind.
        """
        started = time.monotonic()
        rebuilt, self.rebuilt = self.rebuilt, None
        folder = look(self.path, without=self.directory)
        for leftover in self.manifest.writing:
            self.store.remove(leftover)
            self.manifest.files.pop(leftover, None)
        before = dict(self.manifest.files)
        gone = self._forget(folder)
        work = self._changed(folder)
        try:
            self._save()
            complete = self._write(work, progress or (lambda _: None), stop or threading.Event())
        except SourceUnavailable:
            if self.store.broken:
                self._manifest_file.unlink(missing_ok=True)  # so that the next run makes all of it anew
            raise
        now = self.manifest.files
        readable = [entry for entry in now.values() if entry.why is None]
        written = [name for name, _, mark in work if name in now and now[name].stamp == mark and now[name].why is None]
        return Report(
            added=sum(name not in before for name in written),
            changed=sum(name in before for name in written),
            deleted=gone,
            unchanged=len(readable) - len(written),
            unreadable=tuple((name, entry.why) for name, entry in now.items() if entry.why is not None),
            ignored=folder.ignored,
            documents=len(readable),
            pages=sum(entry.pages or 0 for entry in readable),
            passages=sum(entry.passages for entry in readable),
            rebuilt=rebuilt,
            complete=complete,
            seconds=time.monotonic() - started,
        )

    def _opened(self) -> tuple[Store, Manifest]:
        # The store first: holding it open keeps every other process out of the manifest too.
        try:
            store = Store.open(self._shard, self.embedder.dimensions)
        except SourceUnavailable as error:
            if error.__cause__ is None:  # in use, not damaged
                raise
            self.rebuilt = "the old index was damaged"
            return self._fresh()
        manifest = Manifest.load(self._manifest_file)
        if manifest is None:
            self.rebuilt = "the old index had no manifest" if len(store) else None
        elif manifest.schema != SCHEMA:
            self.rebuilt = "the old index was made by another version"
        elif manifest.embedder != self.embedder.name:
            self.rebuilt = "the embedding model changed"
        if manifest is not None and self.rebuilt is None:
            return store, manifest
        store.close()
        return self._fresh()

    def _fresh(self) -> tuple[Store, Manifest]:
        self._manifest_file.unlink(missing_ok=True)
        Store.delete(self._shard)
        return Store.open(self._shard, self.embedder.dimensions), Manifest(self.embedder.name)

    def _forget(self, folder: Folder) -> int:
        gone = [name for name in self.manifest.files if name not in folder.files]
        for name in gone:
            self.store.remove(name)
            del self.manifest.files[name]
        return len(gone)

    def _changed(self, folder: Folder) -> list[tuple[str, Path, Stamp]]:
        """Files to be read, in order; one only touched gets its new time into the manifest."""
        work: list[tuple[str, Path, Stamp]] = []
        for name, path in folder.files.items():
            known = self.manifest.files.get(name)
            try:
                mark = stamp(path, known.stamp if known else None)
            except OSError as error:
                mark = Stamp("", 0, 0)
                self._reject(name, mark, f"cannot be opened: {error.strerror}")
                continue
            if known is None or known.stamp.sha256 != mark.sha256:
                work.append((name, path, mark))
            elif known.stamp != mark:
                self.manifest.files[name] = replace(known, stamp=mark)
        return work

    def _write(
        self, work: Sequence[tuple[str, Path, Stamp]], progress: Callable[[Progress], None], stop: threading.Event
    ) -> bool:
        """Whether all was written."""
        remaining = iter(work)
        done = 0
        while group := list(islice(remaining, _GROUP)):
            # Named before the first passage is stored, so that the next run knows what to clear away should this one die.
            self.manifest.writing = [name for name, _, _ in group]
            self._save()
            try:
                for name, path, mark in group:
                    progress(Progress(name, done, len(work), self._stored))
                    if stop.is_set() or not self._write_file(name, path, mark, stop):
                        return False
                    self.manifest.writing.remove(name)
                    done += 1
                    progress(Progress(name, done, len(work), self._stored))
            finally:
                self._save()
        return True

    def _write_file(self, name: str, path: Path, mark: Stamp, stop: threading.Event) -> bool:
        """Whether it was finished. A file that cannot be read is finished: the manifest says why."""
        self.store.remove(name)
        self.manifest.files.pop(name, None)
        try:
            document = read(path)
        except UnreadableDocument as error:
            self._reject(name, mark, error.message)
            return True
        parts = split(document, name, self.embedder)
        for start in range(0, len(parts), _SLICE):
            if stop.is_set():
                return False
            some = parts[start : start + _SLICE]
            self.store.put(name, document.title, some, self._embedded(some))
            self._stored += len(some)
        headings = tuple(dict.fromkeys(part.heading for part in parts if part.heading))[:_MOST_HEADINGS]
        self.manifest.files[name] = Indexed(mark, document.title, len(parts), document.pages, headings=headings)
        return True

    def _reject(self, name: str, mark: Stamp, why: str) -> None:
        self.store.remove(name)
        self.manifest.files[name] = Indexed(mark, why=why)

    def _embedded(self, parts: Sequence[Part]) -> list[list[float]]:
        """A vector for each; words that recur (the standard clauses of many contracts) are embedded once."""
        texts = [self._with_context(part) for part in parts]
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        fresh = dict(zip(new, self.embedder.embed(new), strict=True)) if new else {}
        vectors = [fresh.get(text) or self._vectors[text] for text in texts]
        if len(self._vectors) < _REMEMBERED:
            self._vectors |= fresh
        return vectors

    def _with_context(self, part: Part) -> str:
        whole = f"{part.context}\n{part.text}"
        return whole if part.context and self.embedder.count(whole) <= self.embedder.window else part.text

    def _save(self) -> None:
        self.store.flush()
        try:
            self.manifest.save(self._manifest_file)
        except OSError as error:
            raise SourceUnavailable(
                f"the index of these documents cannot be written: {error.strerror}", hint="is there room on the disk?"
            ) from error

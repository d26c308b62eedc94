"""Passages in Qdrant's embedded engine: one dense and one sparse vector each, and where they stand as payload.

A shard is open in one process at a time. Below some fifty thousand passages the engine's exact search takes a few
milliseconds, so no graph is ever built here (building one would hold the interpreter for as long as it takes).
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import qdrant_edge as qdrant

from sleuth.errors import SourceUnavailable
from sleuth.result import Passage
from sleuth.sources.documents.split import Part

_DENSE, _WORDS, _DOCUMENT = "dense", "words", "document"

_AVERAGE_WORDS = 60.0
"""Words of a usual passage, for BM25's length norm. A constant, so that a passage's vector does not depend on its neighbours."""


@dataclass(frozen=True, slots=True)
class Found:
    """A passage's id. `score` is a cosine for dense vectors and BM25 for words: comparable within one list only."""

    id: str
    score: float


class Store:
    """Not for several threads at once; whoever owns it keeps a lock."""

    def __init__(self, shard: qdrant.EdgeShard) -> None:
        self.broken = False
        """Whether its files did not take what was written: they may no longer fit together."""
        self._shard = shard
        # Accents folded on both sides. English stemming does little to other languages, and the same to query and passage.
        self._bm25 = qdrant.Bm25(qdrant.Bm25Config(avg_len=_AVERAGE_WORDS, language="english", ascii_folding=True))

    @classmethod
    def open(cls, directory: Path, dimensions: int) -> Store:
        """The store in `directory`, made where there is none.

        Raises SourceUnavailable while another process has it open, or when it is damaged.
        """
        try:
            if directory.exists():
                return cls(qdrant.EdgeShard.load(str(directory)))
            return cls(_create(directory, dimensions))
        except Exception as error:  # the engine raises nothing more precise
            if "WouldBlock" in str(error):
                raise SourceUnavailable(
                    "the index of these documents is open in another process",
                    hint="end the other sleuth, or give this one an index of its own (index=… or --into)",
                ) from None
            raise SourceUnavailable(
                "the index of these documents is damaged", hint=f"delete {directory} and index again"
            ) from error

    @staticmethod
    def delete(directory: Path) -> None:
        shutil.rmtree(directory, ignore_errors=True)

    def __len__(self) -> int:
        return self._shard.count(qdrant.CountRequest(exact=True))

    # Raised by put, remove and flush: SourceUnavailable when the disk is full or refuses.

    def put(self, document: str, title: str, parts: Sequence[Part], vectors: Sequence[Sequence[float]]) -> None:
        """Add passages of one document; one with the same id is replaced."""
        points = [
            qdrant.Point(
                part.id,
                # The title is found by its words only: were it in the dense vector too, each passage would look like its title.
                {_DENSE: list(vector), _WORDS: self._bm25.embed_document(f"{title}\n{part.context}\n{part.text}")},
                _payload(document, title, part),
            )
            for part, vector in zip(parts, vectors, strict=True)
        ]
        self._update(qdrant.UpdateOperation.upsert_points(points))

    def remove(self, document: str) -> None:
        """Delete all passages of a document; none is no error."""
        condition = qdrant.FieldCondition(_DOCUMENT, match=qdrant.MatchValue(document))
        self._update(qdrant.UpdateOperation.delete_points_by_filter(qdrant.Filter(must=[condition])))

    def nearest(self, vector: Sequence[float], limit: int) -> list[Found]:
        """By meaning, best first."""
        return self._query(qdrant.Query.Nearest(list(vector), using=_DENSE), limit)

    def matching(self, text: str, limit: int) -> list[Found]:
        """By words (BM25), best first; passages without any of the words are not in the list."""
        return self._query(qdrant.Query.Nearest(self._bm25.embed_query(text), using=_WORDS), limit)

    def passages(self, ids: Sequence[str]) -> list[Passage]:
        """The passages with these ids, in this order; all of them must be in the store."""
        found = {str(record.id): Passage(**(record.payload or {})) for record in self._shard.retrieve(list(ids), True, False)}
        return [found[passage_id] for passage_id in ids]

    def vector(self, passage_id: str) -> list[float]:
        """The dense vector of a passage that is in the store."""
        (record,) = self._shard.retrieve([passage_id], False, [_DENSE])
        return cast("dict[str, list[float]]", record.vector)[_DENSE]

    def flush(self) -> None:
        """All that was put or removed survives a power cut from here on."""
        try:
            self._shard.flush()
        except Exception as error:  # as in `open`
            raise self._unwritable(error) from error

    def close(self) -> None:
        self._shard.close()

    def _update(self, operation: qdrant.UpdateOperation) -> None:
        try:
            self._shard.update(operation)
        except Exception as error:  # as in `open`
            raise self._unwritable(error) from error

    def _unwritable(self, error: Exception) -> SourceUnavailable:
        self.broken = True
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        full = "No space" in reason
        return SourceUnavailable(
            f"the index of these documents cannot be written: {reason}",
            hint="make room on the disk" if full else "run it again: the index is then made anew",
        )

    def _query(self, query: qdrant.Query, limit: int) -> list[Found]:
        points = self._shard.query(qdrant.QueryRequest(limit=limit, query=query, with_payload=False))
        return [Found(str(point.id), point.score) for point in points]


def _create(directory: Path, dimensions: int) -> qdrant.EdgeShard:
    directory.parent.mkdir(parents=True, exist_ok=True)
    config = qdrant.EdgeConfig(
        vectors={_DENSE: qdrant.EdgeVectorParams(size=dimensions, distance=qdrant.Distance.Cosine)},
        sparse_vectors={_WORDS: qdrant.EdgeSparseVectorParams(modifier=qdrant.Modifier.Idf)},
    )
    shard = qdrant.EdgeShard.create(str(directory), config)
    shard.update(qdrant.UpdateOperation.create_field_index(_DOCUMENT, qdrant.PayloadSchemaType.Keyword))
    return shard


def _payload(document: str, title: str, part: Part) -> dict[str, Any]:  # Any: the engine's own type of a payload
    return {
        _DOCUMENT: document,
        "title": title,
        "text": part.text,
        "page": part.page,
        "clause": part.clause,
        "heading": part.heading,
        "start": part.start,
        "end": part.end,
    }

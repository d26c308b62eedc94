"""A question's passages: by meaning and by words, the two fused, and what recurs in many documents shown once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean, pstdev

from sleuth.result import Passage, Passages
from sleuth.sources.documents.embed.base import Embedder
from sleuth.sources.documents.fold import Shape, same
from sleuth.sources.documents.store import Found, Store

_CANDIDATES = 2_000
"""Read from each list before fusing, ids and scores only. Deep, because one clause may stand in hundreds of documents and must
not crowd out the others."""
_MOST_TWINS = 4_096
_ALIKE = "passages alike but for names and numbers are shown once"


def search(store: Store, embedder: Embedder, query: str, top_k: int = 5) -> Passages:
    """At most `top_k` hits, best first. Passages of other documents that say the same are named in the hit's `also_in`."""
    (vector,) = embedder.embed([query])
    hits: list[Passage] = []
    differing = False
    seen: set[str] = set()
    for found in fuse(store.nearest(vector, _CANDIDATES), store.matching(query, _CANDIDATES)):
        if len(hits) == top_k:
            break
        if found.id in seen:
            continue
        (passage,) = store.passages([found.id])
        twins = _twins(store, found.id, passage)
        seen.update(twins)
        differing = differing or any(twin.text != passage.text for twin in twins.values())
        elsewhere = tuple(sorted({twin.document for twin in twins.values()}))
        hits.append(replace(passage, score=round(found.score, 4), also_in=elsewhere))
    return Passages(tuple(hits), note=_ALIKE if differing else None if hits else "no passage found")


def fuse(*lists: Sequence[Found]) -> list[Found]:
    """One list, best first, by the mean of the z-scores; a passage missing from a list counts as its lowest there.

    Measured on SciFact and XQuAD, z-scores order better than ranks do (RRF): nDCG@10 0.851 against 0.846, 0.977 against 0.970.
    """
    scored = [_standardised(found) for found in lists if found]
    lowest = [min(scores.values()) for scores in scored]
    ids = dict.fromkeys(found.id for one in lists for found in one)
    fused = [Found(key, fmean(scores.get(key, low) for scores, low in zip(scored, lowest, strict=True))) for key in ids]
    # The id settles ties, so that equal searches give equal lists.
    return sorted(fused, key=lambda found: (-found.score, found.id))


def _standardised(found: Sequence[Found]) -> dict[str, float]:
    scores = [one.score for one in found]
    mean, spread = fmean(scores), pstdev(scores) or 1.0
    return {one.id: (one.score - mean) / spread for one in found}


def _twins(store: Store, passage_id: str, passage: Passage) -> dict[str, Passage]:
    """All passages of other documents that say the same, by id, however many: asked of the store, not of the candidates."""
    shape = Shape.of(passage.text)
    vector = store.vector(passage_id)
    limit = 64
    while True:
        near = [found.id for found in store.nearest(vector, limit)]
        twins = {
            one_id: one
            for one_id, one in zip(near, store.passages(near), strict=True)
            if one.document != passage.document and same(shape, Shape.of(one.text))
        }
        # Twins lie close together: when the farther half of the list holds none, there is none behind it.
        if len(near) < limit or limit >= _MOST_TWINS or not any(one_id in twins for one_id in near[limit // 2 :]):
            return twins
        limit *= 4

"""A window around each hit: what stands beside it often belongs to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from baselines.ranking import as_ranked, interleave
from rse.checks import named, whole
from rse.types import Hits, Layout, Segment


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Keep the `k` best-ranked chunks with `size` chunks on either side, within the document.

    Windows that overlap or touch become one segment, which has rank and score of its best hit.
    """

    k: int = 10
    size: int = 1

    def __post_init__(self) -> None:
        whole("k", self.k, 1)
        whole("size", self.size, 0)

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:
        layout.check(hits)
        chunk, score = (part[: self.k] for part in interleave(hits))
        if not len(chunk):
            return []
        order = np.argsort(chunk)
        document = layout.document(chunk[order])
        # No window is wider than the corpus: a size beyond all use must not overflow.
        size = min(self.size, len(layout))
        first = np.maximum(chunk[order] - size, layout.start[document])
        last = np.minimum(chunk[order] + size + 1, layout.start[document + 1])
        # All windows are equally wide before they are cut, so `last` rises as `first` does.
        apart = np.r_[True, (first[1:] > last[:-1]) | (document[1:] != document[:-1])]
        group = np.flatnonzero(apart)
        rank = np.minimum.reduceat(order, group)
        ends = last[np.r_[group[1:], len(last)] - 1]
        by_rank = np.argsort(rank)
        found = map(
            Segment,
            first[group][by_rank].tolist(),
            ends[by_rank].tolist(),
            score[rank[by_rank]].tolist(),
        )
        return as_ranked(list(found), hits)

"""One ranking out of several: how single-list strategies see a question with many queries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rse.types import Hits


def interleave(hits: Sequence[Hits]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return chunks and scores by rank, the queries taking turns, repeats skipped."""
    if len(hits) == 1:
        return hits[0].chunk, hits[0].score
    rank = np.concatenate([np.arange(len(one)) for one in hits] or [np.empty(0, np.int64)])
    query = np.repeat(np.arange(len(hits)), [len(one) for one in hits])
    order = np.lexsort((query, rank))
    chunk = np.concatenate([one.chunk for one in hits] or [np.empty(0, np.int64)])[order]
    score = np.concatenate([one.score for one in hits] or [np.empty(0)])[order]
    _, first = np.unique(chunk, return_index=True)
    first.sort()
    return chunk[first], score[first]

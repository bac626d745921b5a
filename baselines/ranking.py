"""One ranking out of several: how single-list strategies see a question with many queries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rse.types import Hits, Segment, in_order


def interleave(hits: Sequence[Hits]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return chunks and scores by rank, the queries taking turns, repeats skipped."""
    if len(hits) == 1:
        return hits[0].chunk, hits[0].score
    turn = turns(hits)
    chunk = np.concatenate([one.chunk for one in hits] or [np.empty(0, np.int64)])
    score = np.concatenate([one.score for one in hits] or [np.empty(0)])
    return chunk[turn], score[turn]


def turns(hits: Sequence[Hits]) -> NDArray[np.int64]:
    """Return the places of the interleaved ranking in all queries' hits, laid end to end."""
    if len(hits) == 1:
        return np.arange(len(hits[0]))
    rank = np.concatenate([np.arange(len(one)) for one in hits] or [np.empty(0, np.int64)])
    query = np.repeat(np.arange(len(hits)), [len(one) for one in hits])
    order = np.lexsort((query, rank))
    chunk = np.concatenate([one.chunk for one in hits] or [np.empty(0, np.int64)])[order]
    _, first = np.unique(chunk, return_index=True)
    first.sort()
    found: NDArray[np.int64] = order[first]
    return found


def as_ranked(found: list[Segment], hits: Sequence[Hits]) -> list[Segment]:
    """Order segments that were found by rank.

    Several queries may interleave scores that do not fall; one ranking keeps its order, even
    among equal scores.
    """
    return in_order(found) if len(hits) > 1 else found

"""Maximal marginal relevance: relevant, but unlike what has been chosen already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from baselines.ranking import as_ranked, interleave, turns
from rse.checks import named, number, whole
from rse.types import Hits, Layout, Segment

UNIT = 1e-3
"""How far a vector's length may be from 1."""


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class MMR:
    """Take `k` of the `depth` best-ranked chunks one by one, each unlike those taken before.

    The next one is that of the largest

    `lambda_mult * score - (1 - lambda_mult) * (largest cosine with a chunk taken before)`

    (Carbonell and Goldstein, SIGIR 1998). A cosine below 0 counts as 0, as it does in a dense
    score. Ties go to the better rank, so where scores fall `lambda_mult=1` is top-k.
    `Segment.score` is that value; it never rises from one chunk to the next, and can be below 0.

    Score and cosine are weighed against each other: they should be on one scale, as cosines of a
    dense search are before any calibration.

    `select` raises `ValueError` unless all hits have `features["vectors"]`: the vectors of their
    chunks, of length 1. Shape: (hits, dimensions). O(k * depth * dimensions).
    """

    needs_vectors: ClassVar[bool] = True

    k: int = 10
    lambda_mult: float = 0.5
    """1: relevance alone; 0: difference alone, after the best-ranked chunk."""
    depth: int = 50

    def __post_init__(self) -> None:
        whole("k", self.k, 1)
        number("lambda_mult", self.lambda_mult, "a number in [0, 1]", lambda value: 0 <= value <= 1)
        whole("depth", self.depth, 1)

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:
        layout.check(hits)
        chunk, score = (part[: self.depth] for part in interleave(hits))
        if not len(chunk):
            return []
        vectors = _vectors(hits, turns(hits)[: self.depth])
        relevance = self.lambda_mult * score
        nearest = np.zeros(len(chunk))
        left = np.ones(len(chunk), np.bool_)
        found: list[Segment] = []
        for _ in range(min(self.k, len(chunk))):
            value = np.where(left, relevance - (1 - self.lambda_mult) * nearest, -np.inf)
            best = int(np.argmax(value))  # the first of equals
            left[best] = False
            found.append(Segment(int(chunk[best]), int(chunk[best]) + 1, float(value[best])))
            # Not a matrix product: BLAS may add up equal rows in different orders.
            nearest = np.maximum(nearest, (vectors * vectors[best]).sum(axis=1))
        return as_ranked(found, hits)


def _vectors(hits: Sequence[Hits], place: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the vectors of some of the hits, by their places in all queries' hits."""
    tables = [_table(one) for one in hits if len(one)]
    if len(sizes := sorted({table.shape[1] for table in tables})) > 1:
        raise ValueError(f"mmr: the queries' hits have vectors of {sizes} dimensions")
    vectors = np.zeros((len(place), *sizes))
    begin = 0
    for table in tables:
        own = (begin <= place) & (place < begin + len(table))
        vectors[own] = table[place[own] - begin]
        begin += len(table)
    length = np.sqrt((vectors * vectors).sum(axis=1))
    if not (np.abs(length - 1) <= UNIT).all():  # catches nan as well
        wrong = length[np.argmax(~(np.abs(length - 1) <= UNIT))]
        raise ValueError(f"mmr needs vectors of length 1, found one of length {wrong:g}")
    return vectors


def _table(hits: Hits) -> NDArray[np.float64]:
    if "vectors" not in hits.features:
        raise ValueError(
            "mmr compares chunks by their vectors, but the hits have no features['vectors']; they "
            f"have: {', '.join(hits.features) or 'none'}. A dense retriever gives them"
        )
    table = hits.features["vectors"]
    if table.ndim != 2:
        raise ValueError(
            f"features['vectors'] must be a table of one row a hit, got shape {table.shape}"
        )
    return table

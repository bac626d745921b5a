"""Put scores where RSE expects them: it lives on absolute relevance in [0, 1]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rse.checks import named, number
from rse.types import Hits


class Calibration(Protocol):
    """Maps one query's scores to [0, 1] without changing the ranking."""

    def apply(self, hits: Hits) -> Hits:
        """Return the same hits under calibrated scores."""
        ...


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """Scores as the retriever gave them."""

    def apply(self, hits: Hits) -> Hits:
        return hits


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class MinMax:
    """`(s - min) / (max - min)` over the query's hits; 1 for one hit or where all are equal."""

    def apply(self, hits: Hits) -> Hits:
        if not len(hits):
            return hits
        low, high = hits.score.min(), hits.score.max()
        if high == low:
            return _with(hits, np.ones(len(hits)))
        return _with(hits, (hits.score - low) / (high - low))


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Max:
    """`s / max` over the query's hits; all 0 where the largest is 0."""

    def apply(self, hits: Hits) -> Hits:
        high = hits.score.max() if len(hits) else 0.0
        return hits if high == 0 else _with(hits, hits.score / high)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Beta:
    """Cumulative beta distribution, as dsRAG calibrates rerankers.

    Its values: 0.4, 0.4 after Cohere's, 0.5, 1.8 after Voyage's.
    """

    a: float = 0.4
    b: float = 0.4

    def __post_init__(self) -> None:
        number("a", self.a, "a number above 0", lambda value: value > 0)
        number("b", self.b, "a number above 0", lambda value: value > 0)

    def apply(self, hits: Hits) -> Hits:
        from scipy.special import betainc  # equal to scipy.stats.beta.cdf, at a tenth of its import

        return _with(hits, betainc(self.a, self.b, hits.score))


def _with(hits: Hits, score: NDArray[np.float64]) -> Hits:
    return Hits(hits.chunk, score, hits.features, scorer=hits.scorer)

"""Calibrations that know nothing but the scores of one query, and have nothing to fit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rse.calibration.examples import Example
from rse.checks import named, number
from rse.types import Hits, Layout


class Plain(ABC):
    """A function of scores, for hits and for bare numbers alike."""

    __slots__ = ()

    def values(self, scores: ArrayLike) -> NDArray[np.float64]:
        """Return calibrated scores of one query, in the order given.

        `Hits` refuses scores outside [0, 1], so a scorer with logits comes here first:
        `Hits(chunk, Sigmoid().values(logits), scorer="bge-reranker")`.

        Raises:
            ValueError: No list of finite numbers, or numbers this calibration is not made for.
        """
        array = np.asarray(scores, np.float64)
        if array.ndim != 1 or not np.isfinite(array).all():
            raise ValueError(f"{type(self).__name__} takes a list of finite scores")
        return self._map(array) if len(array) else array.copy()

    def apply(self, hits: Hits, layout: Layout | None = None) -> Hits:  # noqa: ARG002
        return Hits(hits.chunk, self.values(hits.score), hits.features, scorer=hits.scorer)

    def fit(self, examples: Sequence[Example]) -> Self:  # noqa: ARG002
        return self

    @abstractmethod
    def _map(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Map one score or more."""


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Raw(Plain):
    """Scores as the retriever gave them."""

    def apply(self, hits: Hits, layout: Layout | None = None) -> Hits:  # noqa: ARG002
        return hits

    def _map(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        return scores.copy()


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class MinMax(Plain):
    """`(s - min) / (max - min)` over the query's hits; 1 for one hit or where all are equal."""

    def _map(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        low, high = scores.min(), scores.max()
        return np.ones(len(scores)) if high == low else (scores - low) / (high - low)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Max(Plain):
    """`s / max` over the query's hits; all 0 where the largest is 0. Scores below 0 are refused."""

    def _map(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        if scores.min() < 0:
            raise ValueError(f"Max takes scores of 0 or more, found {scores.min():g}; use MinMax")
        high = scores.max()
        return scores / high if high else np.zeros(len(scores))


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Beta(Plain):
    """Cumulative beta distribution, as dsRAG calibrates rerankers. Scores must lie in [0, 1].

    Its values: 0.4, 0.4 after Cohere's, 0.5, 1.8 after Voyage's.
    """

    a: float = 0.4
    b: float = 0.4

    def __post_init__(self) -> None:
        number("a", self.a, "a number above 0", lambda value: value > 0)
        number("b", self.b, "a number above 0", lambda value: value > 0)

    def _map(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        from scipy.special import betainc  # equal to scipy.stats.beta.cdf, at a tenth of its import

        if scores.min() < 0 or scores.max() > 1:
            raise ValueError(
                f"Beta takes scores in [0, 1], found {scores.min():g} to {scores.max():g}"
            )
        result: NDArray[np.float64] = betainc(self.a, self.b, scores)
        return result


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Sigmoid(Plain):
    """`1 / (1 + exp(-slope * (s - center)))`: what turns a cross-encoder's logits into scores.

    Logits never get into `Hits`, which holds [0, 1] only: call `values(logits)` and build `Hits`
    from the result. `apply` is for scores that are in [0, 1] already, such as cosines, where slope
    and center must be set to their range.
    """

    slope: float = 1.0
    center: float = 0.0

    def __post_init__(self) -> None:
        number("slope", self.slope, "a number above 0", lambda value: value > 0)
        number("center", self.center, "a number", lambda _: True)

    def _map(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        from scipy.special import expit

        with np.errstate(over="ignore"):  # infinity is where the curve ends: 0 or 1
            result: NDArray[np.float64] = expit(self.slope * (scores - self.center))
        return result


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Rank(Plain):
    """The same score for every hit, so that only ranks count; the order is kept."""

    constant: float = 0.8

    def __post_init__(self) -> None:
        number("constant", self.constant, "a number in [0, 1]", lambda value: 0 <= value <= 1)

    def _map(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.full(len(scores), float(self.constant))

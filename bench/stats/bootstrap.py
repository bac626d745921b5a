"""Bootstrap intervals, the same draws for every arm so that arms can be compared in pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from bench.stats.clusters import ENOUGH

RESAMPLES = 2000
LOW, HIGH = 2.5, 97.5
"""Percentiles of a 95 % interval."""


class Interval(NamedTuple):
    """A value and its 95 % bootstrap interval; nan where undefined."""

    value: float
    low: float
    high: float


class Draws:
    """How often each question is drawn in each resample.

    Args:
        cluster: Cluster of each question; whole clusters are drawn where there are at least 20.
        seed: Same seed, same draws.
        asked: Which questions have gold; None: all. The others are drawn by themselves, one by one:
            they add no cluster, and change nothing for those with gold.
    """

    def __init__(
        self, cluster: Sequence[int], seed: int, asked: NDArray[np.bool_] | None = None
    ) -> None:
        numbers = np.asarray(cluster, np.int64)
        known = np.ones(len(numbers), bool) if asked is None or not asked.any() else asked
        own, groups = grouped(numbers[known])
        self.by_cluster = groups >= ENOUGH
        if not self.by_cluster:
            own, groups = np.arange(len(own)), len(own)
        generator = np.random.default_rng(seed)
        self.weight: NDArray[np.float64] = np.empty((RESAMPLES, len(numbers)))
        """Shape (resamples, questions)."""
        self.weight[:, known] = _counts(generator, groups)[:, own]
        self.weight[:, ~known] = _counts(generator, int((~known).sum()))

    def means(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean of each resample over the defined values.

        Args:
            values: Shape (questions,) or (questions, columns).

        Returns:
            Shape (resamples,) or (resamples, columns); nan where no defined value was drawn.
        """
        known = ~np.isnan(values)
        with threadpool_limits(1, "blas"):  # the order of a sum changes with the threads
            total = self.weight @ np.where(known, values, 0)
            count = self.weight @ known.astype(float)
        found = np.full(total.shape, np.nan)
        np.divide(total, count, out=found, where=count > 0)
        return found

    def interval(self, values: NDArray[np.float64]) -> Interval:
        """Return the mean over the defined values with its interval."""
        if np.isnan(values).all():
            return Interval(np.nan, np.nan, np.nan)
        value = float(np.mean(values[~np.isnan(values)]))
        return Interval(value, *percentiles(self.means(values)))

    def intervals(self, values: NDArray[np.float64]) -> list[Interval]:
        """Return the interval of each column; shape (questions, columns)."""
        known = ~np.isnan(values)
        count = known.sum(axis=0)
        total = np.where(known, values, 0).sum(axis=0)
        resampled = self.means(values)
        return [
            Interval(float(total[i] / count[i]), *percentiles(resampled[:, i]))
            if count[i]
            else Interval(np.nan, np.nan, np.nan)
            for i in range(values.shape[1])
        ]


def grouped(cluster: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Number clusters from 0 on, in the order they come in; return how many there are, too.

    >>> grouped(np.array([7, 3, 7]))[0].tolist(), grouped(np.array([7, 3, 7]))[1]
    ([0, 1, 0], 2)
    """
    _, first, inverse = np.unique(cluster, return_index=True, return_inverse=True)
    place = np.argsort(np.argsort(first))
    return place[inverse].astype(np.int64), len(first)


def _counts(generator: np.random.Generator, groups: int) -> NDArray[np.float64]:
    """Draw as many groups as there are, with replacement; count how often each is drawn."""
    drawn = generator.integers(0, max(groups, 1), (RESAMPLES, groups))
    counts = np.zeros((RESAMPLES, groups))
    np.add.at(counts, (np.arange(RESAMPLES)[:, None], drawn), 1)
    return counts


def percentiles(resampled: NDArray[np.float64]) -> tuple[float, float]:
    """Return the 95 % interval of resampled values; nan where too many are undefined."""
    known = resampled[~np.isnan(resampled)]
    if len(known) < 0.95 * len(resampled):
        return np.nan, np.nan
    low, high = np.percentile(known, [LOW, HIGH])
    return float(low), float(high)

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
    """

    def __init__(self, cluster: Sequence[int], seed: int) -> None:
        numbers = np.asarray(cluster, np.int64)
        groups = int(numbers.max()) + 1 if len(numbers) else 0
        self.by_cluster = groups >= ENOUGH
        if not self.by_cluster:
            numbers, groups = np.arange(len(numbers)), len(numbers)
        generator = np.random.default_rng(seed)
        drawn = generator.integers(0, max(groups, 1), (RESAMPLES, groups))
        counts = np.zeros((RESAMPLES, groups))
        np.add.at(counts, (np.arange(RESAMPLES)[:, None], drawn), 1)
        self.weight: NDArray[np.float64] = counts[:, numbers]
        """Shape (resamples, questions)."""

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


def percentiles(resampled: NDArray[np.float64]) -> tuple[float, float]:
    """Return the 95 % interval of resampled values; nan where too many are undefined."""
    known = resampled[~np.isnan(resampled)]
    if len(known) < 0.95 * len(resampled):
        return np.nan, np.nan
    low, high = np.percentile(known, [LOW, HIGH])
    return float(low), float(high)

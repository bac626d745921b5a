"""The paired randomisation test: were arm and baseline swapped at random, how often as extreme?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from bench.stats.bootstrap import grouped
from bench.stats.clusters import ENOUGH

PATTERNS = 9999
"""Sign patterns drawn where not all can be tried."""
EXACT = 12
"""All patterns are tried where at most so many clusters or questions differ: 2^12 of them."""
NOISE = 1e-9
"""Numbers this close, relative to what they are made of, are the same: metrics have 12 decimals."""
BLOCK = 500
"""Patterns held in memory at a time. Part of the result: another number draws other patterns."""
STREAM = 1
"""Beside the seed, so that the patterns are not made of the numbers the bootstrap draws."""


class Signs:
    """Sign patterns over questions, the same for every arm.

    Args:
        cluster: Cluster of each question; whole clusters are flipped where there are at least 20.
        seed: Same seed, same patterns.
        asked: Which questions have gold; None: all. The others add no cluster.
    """

    def __init__(
        self, cluster: Sequence[int], seed: int, asked: NDArray[np.bool_] | None = None
    ) -> None:
        numbers = np.asarray(cluster, np.int64)
        known = np.ones(len(numbers), bool) if asked is None or not asked.any() else asked
        self.by_cluster = grouped(numbers[known])[1] >= ENOUGH
        if not self.by_cluster:
            numbers = np.arange(len(numbers))
        self._numbers, self._groups = grouped(numbers)
        self._seed = seed

    def p_values(self, differences: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the two-sided p of each arm's mean difference; nan where none is defined.

        Clusters (or questions) whose sum is 0 look the same either way. Where at most 12 others are
        left, all patterns of these are tried and p is the share that is as extreme; else p is
        (1 + patterns as extreme) / (1 + patterns drawn).

        Args:
            differences: Arm less baseline, nan where undefined; shape (questions, arms).

        Returns:
            Shape (arms,). Each arm's p is the same whatever other arms there are.

        Three questions, all better by as much: 2 of the 8 patterns are as extreme. Of the second
        arm one question is worse and one undefined: every pattern is as extreme as a sum of 0.

        >>> differences = np.array([[0.5, 0.25], [0.5, -0.25], [0.5, np.nan]])
        >>> Signs([0, 1, 2], seed=0).p_values(differences).tolist()
        [0.25, 1.0]
        """
        sums = self._sums(differences)
        least = np.abs(sums.sum(axis=0)) - NOISE * np.abs(sums).sum(axis=0)
        known = ~np.isnan(differences).all(axis=0)
        few = np.count_nonzero(sums, axis=0) <= EXACT
        found = np.full(len(least), np.nan)
        with threadpool_limits(1, "blas"):  # the order of a sum changes with the threads
            for arm in np.flatnonzero(known & few):
                column = sums[:, arm]
                found[arm] = _share_as_extreme(column[column != 0], least[arm])
            drawn = known & ~few
            if drawn.any():
                extreme = self._count_as_extreme(sums[:, drawn], least[drawn])
                found[drawn] = (1 + extreme) / (1 + PATTERNS)
        return found

    def _sums(self, differences: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add up each cluster's defined differences; what is noise is 0. Shape (groups, arms)."""
        sums = np.zeros((self._groups, differences.shape[1]))
        sizes = np.zeros_like(sums)
        known = np.where(np.isnan(differences), 0, differences)
        np.add.at(sums, self._numbers, known)
        np.add.at(sizes, self._numbers, np.abs(known))
        return np.where(np.abs(sums) <= NOISE * sizes, 0, sums)

    def _count_as_extreme(
        self, sums: NDArray[np.float64], least: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        generator = np.random.default_rng((self._seed, STREAM))
        count = np.zeros(len(least), np.int64)
        for begin in range(0, PATTERNS, BLOCK):
            size = min(BLOCK, PATTERNS - begin)
            sign = 2.0 * generator.integers(0, 2, (size, self._groups), np.int8) - 1
            count += (np.abs(sign @ sums) >= least).sum(axis=0)
        return count


def _share_as_extreme(sums: NDArray[np.float64], least: float) -> float:
    """Try every pattern of signs."""
    bits = np.arange(2 ** len(sums))[:, None] >> np.arange(len(sums)) & 1
    return float((np.abs((1.0 - 2 * bits) @ sums) >= least).mean())

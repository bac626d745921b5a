"""Recall at a number of mean tokens: a family traced by its one knob."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.stats.bootstrap import Draws, Interval, percentiles


class At(NamedTuple):
    """Recall at some mean tokens: its value, and that of each resample."""

    value: float
    drawn: NDArray[np.float64]


class Traced:
    """The curve of a family through its settings, drawn anew in each resample.

    Args:
        tokens: Tokens of each question under each setting; shape (questions, settings).
        recall: Recall likewise; every question must have gold.
        draws: The resamples: the same for all families, so that differences are paired.
    """

    def __init__(
        self, tokens: NDArray[np.float64], recall: NDArray[np.float64], draws: Draws
    ) -> None:
        self.tokens, self.recall = tokens, recall
        self._mean = tokens.mean(axis=0), recall.mean(axis=0)
        self._drawn = draws.means(tokens), draws.means(recall)

    def at(self, budget: float) -> At:
        """Return recall at `budget` mean tokens.

        Linear between the neighbouring settings on (mean tokens, mean recall); settings are chosen
        by tokens alone. nan outside the range of the settings.
        """
        value = _at(budget, *self._mean)
        resampled = [_at(budget, x, y) for x, y in zip(*self._drawn, strict=True)]
        return At(value, np.array(resampled))

    def within(self, budget: float) -> At:
        """Return recall at `budget` mean tokens, or at the end where the family never spends it."""
        end = min(budget, float(self._mean[0].max()))
        ends = np.minimum(budget, self._drawn[0].max(axis=1))
        pairs = zip(ends, *self._drawn, strict=True)
        return At(_at(end, *self._mean), np.array([_at(e, x, y) for e, x, y in pairs]))

    def nearest(self, budget: float) -> int:
        """Return the setting whose mean tokens are nearest to `budget`."""
        return int(np.argmin(np.abs(self._mean[0] - budget)))

    def p95(self, budget: float) -> float:
        """Return the 95th percentile of tokens at the setting nearest to `budget` mean tokens."""
        return float(np.percentile(self.tokens[:, self.nearest(budget)], 95))


def difference(one: At, other: At) -> Interval:
    """Return one less the other with its paired bootstrap interval."""
    return Interval(one.value - other.value, *percentiles(one.drawn - other.drawn))


def interval(one: At) -> Interval:
    """Return the recall with its bootstrap interval."""
    return Interval(one.value, *percentiles(one.drawn))


def mean_over(
    tokens: NDArray[np.float64], recall: NDArray[np.float64], budgets: Sequence[float]
) -> float:
    """Return the mean of recall at several mean tokens; those out of range count as the end."""
    x, y = tokens.mean(axis=0), recall.mean(axis=0)
    order = np.argsort(x, kind="stable")
    return float(np.interp(budgets, x[order], y[order]).mean())


def _at(budget: float, tokens: NDArray[np.float64], recall: NDArray[np.float64]) -> float:
    order = np.argsort(tokens, kind="stable")
    x, y = tokens[order], recall[order]
    if not x[0] <= budget <= x[-1]:
        return float("nan")
    return float(np.interp(budget, x, y))

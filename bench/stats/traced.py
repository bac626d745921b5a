"""Recall at a number of mean tokens: a family traced by its one knob."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.stats.bootstrap import Draws, Interval, percentiles


class At(NamedTuple):
    """A mean: recall at some mean tokens, or the tokens: its value, and that of each resample."""

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
        self._lines = _rising(*(mean[None] for mean in self._mean))
        self._drawn = _rising(draws.means(tokens), draws.means(recall))

    def at(self, budget: float) -> At:
        """Return recall at `budget` mean tokens.

        Linear between the neighbouring settings on (mean tokens, mean recall); settings are chosen
        by tokens alone. nan outside the range of the settings.
        """
        return At(float(interpolate(budget, *self._lines)[0]), interpolate(budget, *self._drawn))

    def within(self, budget: float) -> At:
        """Return recall at `budget` mean tokens, or at the end where the family never spends it."""
        return self.beside(At(budget, np.full(len(self._drawn[0]), float(budget))))

    def beside(self, tokens: At) -> At:
        """Return recall at another's mean tokens, resample by resample, or at the end."""
        end = np.minimum(tokens.value, self._lines[0][:, -1])
        ends = np.minimum(tokens.drawn, self._drawn[0][:, -1])
        return At(float(interpolate(end, *self._lines)[0]), interpolate(ends, *self._drawn))

    def nearest(self, budget: float) -> int:
        """Return the setting whose mean tokens are nearest to `budget`."""
        return int(np.argmin(np.abs(self._mean[0] - budget)))

    def p95(self, budget: float) -> float:
        """Return the 95th percentile of tokens at the setting nearest to `budget` mean tokens."""
        return float(np.percentile(self.tokens[:, self.nearest(budget)], 95))


def difference(one: At, other: At) -> Interval:
    """Return one less the other with its paired bootstrap interval."""
    return Interval(one.value - other.value, *percentiles(one.drawn - other.drawn))


def mean(values: NDArray[np.float64], draws: Draws) -> At:
    """Return the mean over the questions that are defined; shape (questions,)."""
    known = values[~np.isnan(values)]
    return At(float(known.mean()) if len(known) else np.nan, draws.means(values))


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


def _rising(
    tokens: NDArray[np.float64], recall: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Put each row's settings in the order of their tokens; shape (rows, settings) both."""
    order = np.argsort(tokens, axis=1, kind="stable")
    return np.take_along_axis(tokens, order, 1), np.take_along_axis(recall, order, 1)


def interpolate(
    budget: float | NDArray[np.float64], tokens: NDArray[np.float64], recall: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Interpolate each row, of rising tokens, at one number of tokens; nan outside its range."""
    wanted = np.broadcast_to(np.asarray(budget, float), len(tokens))
    rows = np.arange(len(tokens))
    above = np.minimum((tokens <= wanted[:, None]).sum(axis=1), tokens.shape[1] - 1)
    below = np.maximum(above - 1, 0)
    step = tokens[rows, above] - tokens[rows, below]
    part = np.divide(wanted - tokens[rows, below], step, out=np.ones(len(tokens)), where=step > 0)
    found = recall[rows, below] + part * (recall[rows, above] - recall[rows, below])
    outside = (wanted < tokens[:, 0]) | (wanted > tokens[:, -1])
    return np.where(outside, np.nan, found)

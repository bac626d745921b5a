"""An arm's margin over top-k at equal mean tokens: the number the comparison is about."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bench.stats.bootstrap import Draws, Interval, percentiles
from bench.stats.traced import At, interpolate


class Frontier:
    """Top-k's curve through every k from 0 to the depth, drawn anew in each resample.

    Args:
        tokens: Top-k's tokens; shape (questions, depth + 1).
        recall: Top-k's recall, nan where undefined; same shape.
        draws: The resamples.
    """

    def __init__(
        self, tokens: NDArray[np.float64], recall: NDArray[np.float64], draws: Draws
    ) -> None:
        self.draws = draws
        self._defined: NDArray[np.bool_] = ~np.isnan(recall.sum(axis=1))
        tokens = np.where(self._defined[:, None], tokens, np.nan)
        recall = np.where(self._defined[:, None], recall, np.nan)
        if self._defined.any():
            self._tokens, self._recall = np.nanmean(tokens, axis=0), np.nanmean(recall, axis=0)
            self._drawn = draws.means(tokens), draws.means(recall)

    def margin(self, tokens: NDArray[np.float64], recall: NDArray[np.float64]) -> Interval:
        """Return an arm's mean recall less the curve at the arm's mean tokens, with its interval.

        The curve is linear between neighbouring k on (mean tokens, mean recall). Undefined outside
        its range. Both arguments have the shape (questions,).
        """
        found = self.beside(tokens, recall)
        return Interval(found.value, *percentiles(found.drawn))

    def value(self, tokens: NDArray[np.float64], recall: NDArray[np.float64]) -> float:
        """Return the margin without its interval."""
        if not self._defined.any():
            return float("nan")
        spent, found = float(tokens[self._defined].mean()), float(recall[self._defined].mean())
        return found - float(interpolate(spent, self._tokens[None], self._recall[None])[0])

    def beside(self, tokens: NDArray[np.float64], recall: NDArray[np.float64]) -> At:
        """Return the margin of each resample, to be compared with another's."""
        if not self._defined.any():
            return At(np.nan, np.full(len(self.draws.weight), np.nan))
        defined = self._defined
        arm = np.column_stack([tokens, recall])
        arm[~defined] = np.nan
        drawn = self.draws.means(arm)
        resampled = drawn[:, 1] - interpolate(drawn[:, 0], *self._drawn)
        return At(self.value(tokens, recall), resampled)

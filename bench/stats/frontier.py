"""A family's whole curve of recall against tokens as one figure, and as a curve with a band."""

from __future__ import annotations

from copy import copy

import numpy as np
from numpy.typing import NDArray

from bench.stats.bootstrap import Draws, Interval, percentiles
from bench.stats.traced import At, Traced

LIMIT = 4000
"""Tokens up to which the area is taken."""
ORACLE_BUDGETS = (0, *np.geomspace(10, 32_000, 60).astype(int).tolist())
"""Budgets that the oracle is traced by, dense enough that the lines between them say nothing."""


class WholeCurve(Traced):
    """A family's curve from no tokens and no recall on, flat behind its last setting.

    Questions without gold are left out. Linear between neighbouring settings on (mean tokens, mean
    recall), so top-k, an arm family traced by its knob and the oracle are treated alike.

    Args:
        tokens: Tokens of each question under each setting; shape (questions, settings).
        recall: Recall likewise, nan where undefined.
        draws: The resamples, of these questions.
    """

    def __init__(
        self, tokens: NDArray[np.float64], recall: NDArray[np.float64], draws: Draws
    ) -> None:
        defined = ~np.isnan(recall.sum(axis=1) + tokens.sum(axis=1))
        self.n = int(defined.sum())
        """Questions with gold."""
        own = copy(draws)
        if self.n:
            tokens, recall, own.weight = tokens[defined], recall[defined], draws.weight[:, defined]
        else:  # one question that nothing is known of: every figure is nan
            tokens = recall = np.full((1, tokens.shape[1]), np.nan)
            own.weight = np.ones((len(draws.weight), 1))
        start = np.full((len(tokens), 1), 0.0 if self.n else np.nan)
        super().__init__(np.column_stack([start, tokens]), np.column_stack([start, recall]), own)

    def area(self, limit: float = LIMIT) -> At:
        """Return the mean of recall over all mean tokens from 0 to `limit`.

        By hand: 0.5 at 100 tokens, then 1 at 300: up to 400 tokens the triangle holds
        100 x 0.25, the slope 200 x 0.75, the flat end 100 x 1.

        >>> tokens, recall = np.array([[100.0, 300.0]]), np.array([[0.5, 1.0]])
        >>> family = WholeCurve(tokens, recall, Draws([0], 0))
        >>> family.area(400).value == (25 + 150 + 100) / 400
        True
        """
        return At(float(_area(limit, *self._lines)[0]), _area(limit, *self._drawn))

    def spent(self, budget: float) -> At:
        """Return recall at `budget` mean tokens; nan where the family spends fewer, or more.

        Its range is from its cheapest setting to its dearest. A resample whose range is another
        counts all the same, with its end: the interval is that of the curve, not of its length.
        """
        found = self.within(budget)
        spent = self._lines[0][0]
        if spent[1] <= budget <= spent[-1]:
            return found
        return At(np.nan, np.full_like(found.drawn, np.nan))


def share(one: At, whole: At) -> Interval:
    """Return one as a share of the other, of the oracle's area for one, with its interval.

    Both must come from the same draws. nan where the other is 0.

    >>> share(At(0.4, np.full(10, 0.4)), At(0.8, np.full(10, 0.8)))
    Interval(value=0.5, low=0.5, high=0.5)
    """
    value = one.value / whole.value if whole.value > 0 else np.nan
    drawn = np.full(len(whole.drawn), np.nan)
    np.divide(one.drawn, whole.drawn, out=drawn, where=whole.drawn > 0)
    return Interval(value, *percentiles(drawn))


def _area(
    limit: float, tokens: NDArray[np.float64], recall: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Integrate each row, of rising tokens that begin at 0, up to `limit`, and divide by it."""
    left, right = tokens[:, :-1], tokens[:, 1:]
    reached = np.clip(limit, left, right)
    width = right - left
    part = np.divide(reached - left, width, out=np.zeros_like(width), where=width > 0)
    low = recall[:, :-1]
    high = low + part * (recall[:, 1:] - low)
    flat = np.maximum(limit - tokens[:, -1], 0) * recall[:, -1]
    found: NDArray[np.float64] = ((reached - left) * (low + high) / 2).sum(axis=1) + flat
    return found / limit

"""An arm's margin over top-k at equal mean tokens: the number the comparison is about."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bench.stats.bootstrap import Draws, Interval, percentiles


def margin(
    recall: NDArray[np.float64],
    tokens: NDArray[np.float64],
    curve_recall: NDArray[np.float64],
    curve_tokens: NDArray[np.float64],
    draws: Draws,
) -> Interval:
    """Return an arm's mean recall less top-k's curve at the arm's mean tokens.

    The curve runs through every k from 0 to the depth, linear between neighbours on (mean tokens,
    mean recall), and is drawn anew in each resample. Undefined outside its range.

    Args:
        recall: Shape (questions,).
        tokens: Shape (questions,).
        curve_recall: Top-k's recall; shape (questions, depth + 1).
        curve_tokens: Top-k's tokens; shape (questions, depth + 1).
        draws: The resamples.
    """
    defined = ~np.isnan(recall)
    if not defined.any():
        return Interval(np.nan, np.nan, np.nan)
    value = float(recall[defined].mean()) - _at(
        float(tokens[defined].mean()),
        curve_tokens[defined].mean(axis=0),
        curve_recall[defined].mean(axis=0),
    )
    part = np.where(defined, tokens, np.nan)
    whole = np.where(defined[:, None], curve_tokens, np.nan)
    means = draws.means(recall), draws.means(part), draws.means(whole), draws.means(curve_recall)
    resampled = np.array([r - _at(t, x, y) for r, t, x, y in zip(*means, strict=True)])
    return Interval(value, *percentiles(resampled))


def _at(tokens: float, x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    if not x[0] <= tokens <= x[-1]:
        return float("nan")
    return float(np.interp(tokens, x, y))

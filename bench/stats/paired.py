"""Many arms against one baseline on the same questions: by how much, how sure, how often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.stats.bootstrap import Draws, Interval, percentiles
from bench.stats.signs import NOISE, Signs

VERDICT = 20
"""Fewer questions than this, and no difference is called one."""
LEVEL = 0.05
"""A difference whose corrected p is above this is not called one."""

BETTER, WORSE = "better", "worse"
NO_DIFFERENCE, TOO_FEW = "no difference shown", "too few questions"


class Comparison(NamedTuple):
    """An arm against the baseline; nan where undefined."""

    n: int
    """Questions on which both are defined."""
    left_out: int
    """Questions on which one of them or both are undefined."""
    difference: Interval
    """Arm less baseline, the mean over the `n` questions, with its paired bootstrap interval."""
    p: float
    """Of the paired randomisation test, two-sided, not corrected."""
    wins: int
    """Questions on which the arm is better."""
    ties: int
    losses: int
    effect_size: float
    """Cohen's d_z: mean of the differences over their standard deviation (n - 1)."""


def compare(
    arms: NDArray[np.float64],
    baseline: NDArray[np.float64],
    draws: Draws,
    signs: Signs,
    *,
    higher_is_better: bool = True,
) -> list[Comparison]:
    """Compare every arm with the baseline, on the questions on which both are defined.

    Args:
        arms: A metric of each question and arm, nan where undefined; shape (questions, arms).
        baseline: The same metric of the baseline; shape (questions,).
        draws: The resamples, of these questions.
        signs: The sign patterns, of these questions.
        higher_is_better: Whether a higher value wins. Differences are arm less baseline anyway.

    Raises:
        ValueError: The shapes do not go together.

    Complexity: O((resamples + patterns) x questions x arms).

    One question is better, one level, one worse; the last has no baseline. By hand: differences
    0.5, 0, -0.25, mean 0.25 / 3, standard deviation 0.3819; the patterns of two signs that are as
    extreme as a sum of 0.25 are all four.

    >>> cluster = [0, 1, 2, 3]
    >>> arms = np.array([[0.75], [0.5], [0.25], [1.0]])
    >>> baseline = np.array([0.25, 0.5, 0.5, np.nan])
    >>> (found,) = compare(arms, baseline, Draws(cluster, 0), Signs(cluster, 0))
    >>> found.n, found.left_out, found.wins, found.ties, found.losses, found.p
    (3, 1, 1, 1, 1, 1.0)
    >>> round(found.difference.value, 4), round(found.effect_size, 4)
    (0.0833, 0.2182)
    """
    differences = subtract(arms, baseline)
    if len(differences) != draws.weight.shape[1]:
        raise ValueError(
            f"the draws are of {draws.weight.shape[1]} questions, the values of {len(differences)}"
        )
    p = signs.p_values(differences)
    resampled = draws.means(differences)
    direction = 1 if higher_is_better else -1
    return [
        _comparison(differences[:, arm], resampled[:, arm], float(p[arm]), direction)
        for arm in range(len(p))
    ]


def subtract(arms: NDArray[np.float64], baseline: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return arm less baseline, 0 where it is rounding noise; shape (questions, arms).

    >>> subtract(np.array([[0.3], [0.5], [np.nan]]), np.array([0.1 + 0.2, 0.25, 1])).tolist()
    [[0.0], [0.25], [nan]]
    """
    if arms.ndim != 2 or baseline.shape != arms.shape[:1]:
        raise ValueError(
            f"arms must have the shape (questions, arms) and the baseline (questions,); "
            f"they have {arms.shape} and {baseline.shape}"
        )
    other = baseline[:, None]
    found: NDArray[np.float64] = arms - other
    noise = np.abs(found) <= NOISE * np.maximum(np.abs(arms), np.abs(other))
    found[noise] = 0
    return found


def verdict(n: int, difference: float, corrected_p: float, *, higher_is_better: bool = True) -> str:
    """Say what a comparison has shown: nothing below 20 questions, else what p says at 5 %.

    Args:
        n: Questions on which arm and baseline are defined.
        difference: Arm less baseline.
        corrected_p: p, corrected for the number of comparisons made.
        higher_is_better: Whether a positive difference is a better arm.

    >>> verdict(20, 0.03, 0.05), verdict(20, 0.03, 0.051), verdict(19, 0.03, 0.001)
    ('better', 'no difference shown', 'too few questions')
    >>> verdict(500, 120.0, 0.002, higher_is_better=False)
    'worse'
    """
    if n < VERDICT:
        return TOO_FEW
    if not corrected_p <= LEVEL or difference == 0:
        return NO_DIFFERENCE
    return BETTER if (difference > 0) == higher_is_better else WORSE


def renumbered(cluster: Sequence[int]) -> list[int]:
    """Number the clusters of some questions from 0 on, in the order they come in.

    >>> renumbered([7, 3, 7, 9])
    [0, 1, 0, 2]
    """
    order = {number: place for place, number in enumerate(dict.fromkeys(cluster))}
    return [order[number] for number in cluster]


def _comparison(
    differences: NDArray[np.float64], resampled: NDArray[np.float64], p: float, direction: int
) -> Comparison:
    known = differences[~np.isnan(differences)]
    left_out = len(differences) - len(known)
    if not len(known):
        nothing = Interval(np.nan, np.nan, np.nan)
        return Comparison(0, left_out, nothing, p, 0, 0, 0, np.nan)
    wins, losses = int((direction * known > 0).sum()), int((direction * known < 0).sum())
    return Comparison(
        len(known),
        left_out,
        Interval(float(known.mean()), *percentiles(resampled)),
        p,
        wins,
        len(known) - wins - losses,
        losses,
        effect_size(known),
    )


def effect_size(differences: NDArray[np.float64]) -> float:
    """Return Cohen's d_z; nan where the differences do not vary, or there is one only.

    >>> effect_size(np.array([1.0, 2.0, 3.0])), effect_size(np.array([0.1, 0.3 - 0.2]))
    (2.0, nan)
    """
    if len(differences) < 2 or np.ptp(differences) <= NOISE * np.abs(differences).max():
        return float("nan")
    return float(differences.mean() / differences.std(ddof=1))

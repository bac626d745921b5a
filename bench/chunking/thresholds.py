"""How far apart neighbouring sentences must be for a chunk to end between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rse.checks import ParameterError, number

Numbers = NDArray[np.float64]

NOISE = 1e-6
"""Less than this is rounding: vectors are float32."""


class Threshold(NamedTuple):
    """A kind of threshold."""

    amount: float
    """What it is set to unless told otherwise."""
    least: float
    most: float
    limit: Callable[[Numbers, float], float]
    """Gives the distance above which there is a break, from all distances and the amount."""


def _percentile(distances: Numbers, amount: float) -> float:
    return float(np.percentile(distances, amount))


def _deviation(distances: Numbers, amount: float) -> float:
    return float(distances.mean() + amount * distances.std())


def _interquartile(distances: Numbers, amount: float) -> float:
    low, high = np.percentile(distances, [25, 75])
    return float(distances.mean() + amount * (high - low))


def _absolute(_: Numbers, amount: float) -> float:
    return 1 - amount


THRESHOLDS = {
    "percentile": Threshold(95, 0, 100, _percentile),
    "standard_deviation": Threshold(3, 0, 100, _deviation),
    "interquartile": Threshold(1.5, 0, 100, _interquartile),
    "gradient": Threshold(95, 0, 100, _percentile),
    "absolute": Threshold(0.2, -1, 1, _absolute),
}
"""The kinds and amounts of LangChain's semantic chunker; `absolute`, a cosine, is ours.

Above the `amount`-th percentile of the distances; above their mean and `amount` standard
deviations, or interquartile ranges; where their gradient is above its `amount`-th percentile; where
the cosine is below `amount`.
"""


def breaks(distances: Numbers, kind: str, amount: float | None) -> NDArray[np.bool_]:
    """Tell after which sentences but the last a chunk ends.

    Args:
        distances: One less the cosine of each sentence and the next.
        kind: A key of `THRESHOLDS`.
        amount: What the kind is set to; None: its default.
    """
    threshold = THRESHOLDS[kind]
    values = distances
    if kind == "gradient":
        # Two sentences have one distance: nothing that could rise.
        values = np.gradient(distances) if len(distances) > 1 else np.zeros(len(distances))
    if not len(values):
        return np.zeros(0, np.bool_)
    limit = threshold.limit(values, threshold.amount if amount is None else amount)
    found: NDArray[np.bool_] = values > limit + NOISE
    return found


def check_threshold(kind: object, amount: object) -> None:
    """Refuse a kind of threshold that does not exist, and an amount it cannot have."""
    if not isinstance(kind, str) or kind not in THRESHOLDS:
        raise ParameterError(f"threshold must be one of {', '.join(THRESHOLDS)}, got {kind!r}")
    if amount is not None:
        _, least, most, _ = THRESHOLDS[kind]
        allowed = f"a number from {least:g} to {most:g} for threshold={kind}"
        number("amount", amount, allowed, lambda value: least <= value <= most)

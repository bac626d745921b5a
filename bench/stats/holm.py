"""Holm's step-down correction: many comparisons in one table, and one that looks good by chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def holm(p: ArrayLike) -> NDArray[np.float64]:
    """Return the corrected p of each comparison, in the order given.

    The i-th smallest of m (from 0) is multiplied by m - i; none is below one that was smaller
    before; none is above 1. At 5 %, the chance of any false claim in the family is at most 5 %.
    Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
    of Statistics 6 (1979).

    Args:
        p: p of each comparison; nan (undefined) stays nan and does not count as a comparison.

    Raises:
        ValueError: Some p is outside [0, 1].

    0.01 x 3, then 0.03 x 2, then 0.04 x 1, which may not be below 0.06:

    >>> [round(p, 9) for p in holm([0.04, 0.01, np.nan, 0.03]).tolist()]
    [0.06, 0.03, nan, 0.06]
    """
    given = np.asarray(p, np.float64)
    known = np.flatnonzero(~np.isnan(given))
    if not np.all((given[known] >= 0) & (given[known] <= 1)):
        raise ValueError(f"p must lie in [0, 1], got {given[known].min()} to {given[known].max()}")
    order = known[np.argsort(given[known], kind="stable")]
    found = np.full(given.shape, np.nan)
    stepped = given[order] * np.arange(len(order), 0, -1)
    found[order] = np.minimum(np.maximum.accumulate(stepped), 1)
    return found

"""How the weights of a linear form are found: standard features, L-BFGS, a tiny penalty."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

PENALTY = 1e-6
"""Weight of the squared weights beside the mean loss: keeps them finite where data separate."""


class Standard(NamedTuple):
    """Mean and spread of each feature, so that one penalty suits them all."""

    mean: NDArray[np.float64]
    scale: NDArray[np.float64]

    @classmethod
    def of(cls, rows: NDArray[np.float64]) -> Standard:
        """Measure rows of shape (features, hits); a feature that never changes has scale 1."""
        scale = rows.std(axis=1)
        # A constant's deviation may come out as rounding noise: dividing by it would invent one.
        constant = rows.max(axis=1) == rows.min(axis=1)
        return cls(rows.mean(axis=1), np.where(constant | (scale == 0), 1.0, scale))

    def rows(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return rows of mean 0 and spread 1."""
        result: NDArray[np.float64] = (rows - self.mean[:, None]) / self.scale[:, None]
        return result

    def plain(self, weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
        """Return the weights for rows as they came, and what must be subtracted from their form."""
        plain = weights / self.scale
        return plain, float((plain * self.mean).sum())


def form(weights: ArrayLike, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum the rows, weighted. Not a matrix product: BLAS adds in an order of its own."""
    result: NDArray[np.float64] = (np.asarray(weights, np.float64)[:, None] * rows).sum(axis=0)
    return result


def minimise(
    loss: Callable[[NDArray[np.float64]], tuple[float, NDArray[np.float64]]], size: int
) -> NDArray[np.float64]:
    """Find the weights of least loss by L-BFGS from 0; `loss` returns its gradient as well.

    Raises:
        ValueError: The gradient is not near 0 where the search ends.
    """
    from scipy.optimize import minimize

    limits = {"maxiter": 10_000, "maxfun": 20_000, "ftol": 1e-15, "gtol": 1e-9}
    found = minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", options=limits)
    weights: NDArray[np.float64] = found.x
    steepest = float(np.abs(loss(weights)[1]).max())
    if not steepest < 1e-5:  # the search also stops where rounding hides further progress
        raise ValueError(f"the weights were not found: gradient {steepest:g}, {found.message}")
    return weights

"""Probability that a hit holds gold, each hit judged on its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rse.calibration.examples import Example
from rse.calibration.features import check_features, feature_rows
from rse.calibration.learned import Learned, identities, numbers
from rse.calibration.weights import PENALTY, Standard, form, minimise
from rse.checks import ParameterError, named, number
from rse.types import Hits, Layout


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Logistic(Learned):
    """`1 / (1 + exp(-(weights . features + constant)))`, fitted to whether a hit holds gold.

    Maximum likelihood with a tiny penalty on the weights (features at spread 1), not on the
    constant. Plain: one weight, of the score. With `features=("score", "bm25")` hits must have
    `features["bm25"]`, when it is fitted and when it is applied.
    """

    features: tuple[str, ...] = ("score",)
    """What it looks at; see `rse.calibration.features.FEATURES`."""

    weights: tuple[float, ...] | None = None
    """One for each feature; None before it is fitted."""

    constant: float = 0.0

    def __post_init__(self) -> None:
        Learned.__post_init__(self)
        check_features(self.features)
        if self.weights is not None:
            numbers("weights", self.weights, len(self.features))
        number("constant", self.constant, "a number", lambda _: True)

    def apply(self, hits: Hits, layout: Layout | None = None) -> Hits:
        from scipy.special import expit

        self.check(hits, layout, fitted=self.weights is not None)
        if self.weights is None or not len(hits):
            return hits
        rows = feature_rows(hits, layout, self.features)
        score = expit(form(self.weights, rows) + self.constant)
        return Hits(hits.chunk, score, hits.features, scorer=hits.scorer)

    def fit(self, examples: Sequence[Example]) -> Logistic:
        """Fit the weights.

        Raises:
            ValueError: All hits hold gold, or none, or a hit lacks a feature.
        """
        label = _labels("Logistic", examples)
        tables = [feature_rows(one.hits, one.layout, self.features) for one in _hit(examples)]
        rows = np.concatenate(tables, axis=1)
        standard = Standard.of(rows)
        inside = standard.rows(rows)
        found = minimise(lambda weights: logistic_loss(weights, inside, label), len(rows) + 1)
        weights, offset = standard.plain(found[:-1])
        return replace(
            self,
            weights=tuple(weights.tolist()),
            constant=float(found[-1]) - offset,
            fitted_on=identities(examples),
        )


def logistic_loss(
    weights: NDArray[np.float64], rows: NDArray[np.float64], label: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """Mean negative log-likelihood and penalty, and the gradient; the last weight is the constant.

    Shapes: weights (features + 1,), rows (features, hits), label (hits,).
    """
    from scipy.special import expit

    slopes = weights[:-1]
    logit = form(slopes, rows) + weights[-1]
    loss = float((np.logaddexp(0.0, logit) - label * logit).mean())
    residual = (expit(logit) - label) / len(label)
    gradient = np.append((rows * residual).sum(axis=1) + PENALTY * slopes, residual.sum())
    return loss + 0.5 * PENALTY * float((slopes**2).sum()), gradient


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Isotonic(Learned):
    """The best rising curve from score to the share of hits that hold gold.

    Least squares over all non-falling functions (pool adjacent violators), straight lines between
    the scores seen, level outside them.
    """

    knots: tuple[tuple[float, float], ...] | None = None
    """Points (score, probability), scores rising; None before it is fitted."""

    def __post_init__(self) -> None:
        Learned.__post_init__(self)
        if self.knots is None:
            return
        if not isinstance(self.knots, tuple) or not self.knots:
            raise ParameterError(f"knots must be a tuple of points, got {self.knots!r}")
        for knot in self.knots:
            numbers("knots", knot, 2)
        if any(not (a[0] < b[0] and a[1] <= b[1]) for a, b in pairwise(self.knots)):
            raise ParameterError("knots must rise in score and never fall in probability")
        if self.knots[0][1] < 0 or self.knots[-1][1] > 1:
            raise ParameterError("knots must hold probabilities in [0, 1]")

    def apply(self, hits: Hits, layout: Layout | None = None) -> Hits:
        self.check(hits, layout, fitted=self.knots is not None)
        if self.knots is None or not len(hits):
            return hits
        at, value = np.array(self.knots).T
        score = np.clip(np.interp(hits.score, at, value), 0.0, 1.0)
        return Hits(hits.chunk, score, hits.features, scorer=hits.scorer)

    def fit(self, examples: Sequence[Example]) -> Isotonic:
        """Fit the curve.

        Raises:
            ValueError: All hits hold gold, or none.
        """
        from scipy.optimize import isotonic_regression

        label = _labels("Isotonic", examples)
        score = np.concatenate([one.hits.score for one in examples])
        at, group = np.unique(score, return_inverse=True)
        count = np.bincount(group)
        share = np.bincount(group, label) / count  # equal scores must get one value
        value = np.clip(isotonic_regression(share, weights=count).x, 0.0, 1.0)
        bend = np.ones(len(at), bool)
        bend[1:-1] = (value[1:-1] != value[:-2]) | (value[1:-1] != value[2:])
        knots = tuple(zip(at[bend].tolist(), value[bend].tolist(), strict=True))
        return replace(self, knots=knots, fitted_on=identities(examples))


def _hit(examples: Sequence[Example]) -> list[Example]:
    """Leave out queries that found nothing: they need not even name a feature."""
    return [one for one in examples if len(one.hits)]


def _labels(name: str, examples: Sequence[Example]) -> NDArray[np.float64]:
    """Return 1 for every hit that holds gold, else 0."""
    label = np.concatenate([np.zeros(0), *(one.gold > 0 for one in examples)])
    with_gold = int(label.sum())
    if not 0 < with_gold < len(label):
        raise ValueError(
            f"{name} needs hits with and without gold to be fitted; "
            f"{with_gold} of {len(label)} hits hold gold"
        )
    return label

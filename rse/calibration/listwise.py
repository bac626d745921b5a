"""Expected share of a question's gold that each hit holds, all hits of the question together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rse.calibration.examples import Example
from rse.calibration.features import check_features, feature_rows
from rse.calibration.learned import Learned, identities, numbers
from rse.calibration.weights import PENALTY, Standard, form, minimise
from rse.checks import named, number
from rse.types import Hits, Layout


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Share(Learned):
    """Softmax over a question's hits and the outcome "none of these".

    `p_i = exp(z_i) / (exp(none) + sum_j exp(z_j))`, `z_i = weights . features of hit i`. Fitted by
    cross-entropy, with a tiny penalty, to `g_i / max(total, sum g)`, the rest on "none of these";
    questions without gold are left out. The order of the hits stays, whatever their shares are.
    """

    features: tuple[str, ...] = ("score", "rank", "tokens")
    """What it looks at; see `rse.calibration.features.FEATURES`."""

    weights: tuple[float, ...] | None = None
    """One for each feature; None before it is fitted."""

    none: float = 0.0
    """The form's constant value for "none of these"."""

    def __post_init__(self) -> None:
        Learned.__post_init__(self)
        check_features(self.features)
        if self.weights is not None:
            numbers("weights", self.weights, len(self.features))
        number("none", self.none, "a number", lambda _: True)

    def apply(self, hits: Hits, layout: Layout | None = None) -> Hits:
        self.check(hits, layout, fitted=self.weights is not None)
        if self.weights is None or not len(hits):
            return hits
        rows = feature_rows(hits, layout, self.features)
        share = _softmax(form(self.weights, rows), np.array([0]), self.none)[0]
        return Hits(hits.chunk, share, hits.features, scorer=hits.scorer)

    def fit(self, examples: Sequence[Example]) -> Share:
        """Fit the weights.

        Raises:
            ValueError: No hit holds gold, or a hit lacks a feature.
        """
        batch = Batch.of(examples, self.features)
        standard = Standard.of(batch.rows)
        inside = batch._replace(rows=standard.rows(batch.rows))
        found = minimise(lambda weights: share_loss(weights, inside), len(batch.rows) + 1)
        weights, offset = standard.plain(found[:-1])
        return replace(
            self,
            weights=tuple(weights.tolist()),
            none=float(found[-1]) + offset,
            fitted_on=identities(examples),
        )


class Batch(NamedTuple):
    """Hits of all questions that have gold and hits, one question after the other."""

    rows: NDArray[np.float64]
    """Features. Shape: (features, hits)."""

    start: NDArray[np.int64]
    """First hit of each question."""

    target: NDArray[np.float64]
    """Share of the question's gold in each hit."""

    rest: NDArray[np.float64]
    """Share of each question's gold in none of its hits."""

    @classmethod
    def of(cls, examples: Sequence[Example], features: tuple[str, ...]) -> Batch:
        """Collect what can teach something: a question without gold or without hits cannot."""
        used = [one for one in examples if len(one.hits) and (one.total > 0 or one.gold.any())]
        if not any(one.gold.any() for one in used):
            raise ValueError(
                f"Share needs hits that hold gold to be fitted; "
                f"no hit of {len(examples)} examples holds any"
            )
        shares = [one.gold / max(one.total, one.gold.sum()) for one in used]
        sizes = [len(one.hits) for one in used]
        return cls(
            np.concatenate([feature_rows(one.hits, one.layout, features) for one in used], axis=1),
            np.cumsum([0, *sizes[:-1]]),
            np.concatenate(shares),
            np.array([max(0.0, 1.0 - share.sum()) for share in shares]),
        )


def share_loss(weights: NDArray[np.float64], batch: Batch) -> tuple[float, NDArray[np.float64]]:
    """Mean cross-entropy and penalty, and the gradient; the last weight is "none of these".

    The penalty is on all weights: where the hits always hold all gold, nothing else would keep
    "none of these" finite. Shape of weights: (features + 1,).
    """
    linear, none = form(weights[:-1], batch.rows), float(weights[-1])
    share, missed, log_total = _softmax(linear, batch.start, none)
    questions = len(batch.start)
    # Targets of a question sum to 1, so that -sum t log p = log of the sum of all exp - sum t z.
    entropy = log_total.sum() - (batch.target * linear).sum() - none * batch.rest.sum()
    residual = share - batch.target
    gradient = np.append((batch.rows * residual).sum(axis=1), (missed - batch.rest).sum())
    loss = float(entropy) / questions + 0.5 * PENALTY * float((weights**2).sum())
    return loss, gradient / questions + PENALTY * weights


class _Softmax(NamedTuple):
    share: NDArray[np.float64]
    """Probability of each hit."""
    missed: NDArray[np.float64]
    """Probability of "none of these" for each question."""
    log_total: NDArray[np.float64]
    """Logarithm of each question's sum of exponentials."""


def _softmax(linear: NDArray[np.float64], start: NDArray[np.int64], none: float) -> _Softmax:
    """Normalise each question's hits and its "none of these"; no exponent is above 0."""
    sizes = np.diff(start, append=len(linear))
    top = np.maximum(np.maximum.reduceat(linear, start), none)
    hit = np.exp(linear - np.repeat(top, sizes))
    nothing = np.exp(none - top)
    total = np.add.reduceat(hit, start) + nothing
    return _Softmax(hit / np.repeat(total, sizes), nothing / total, top + np.log(total))

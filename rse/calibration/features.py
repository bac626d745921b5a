"""What fitted calibrations look at, one row for each feature."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rse.checks import ParameterError
from rse.types import Hits, Layout

FEATURES = ("score", "rank", "tokens", "bm25", "neighbours")
"""`score`; `ln(1 + rank)`, the best hit having rank 0; `ln(tokens / 120)`; the hit's BM25 score;
the mean score of its neighbours up to 2 chunks away."""

USUAL_TOKENS = 120
"""Tokens of a usual chunk: there the feature `tokens` is 0."""

WINDOW = 2
"""Chunks on either side that count as neighbours."""


def check_features(names: tuple[str, ...]) -> None:
    """Refuse what is no list of features, each once."""
    known = ", ".join(FEATURES)
    if not isinstance(names, tuple) or not names:
        raise ParameterError(f"features must be a tuple of some of: {known}; got {names!r}")
    for name in names:
        if name not in FEATURES:
            raise ParameterError(f"no feature {name!r}; there are: {known}")
    if len(set(names)) < len(names):
        raise ParameterError(f"features must name each feature once, got {names!r}")


def feature_rows(hits: Hits, layout: Layout | None, names: tuple[str, ...]) -> NDArray[np.float64]:
    """Return the features of one query's hits. Shape: (features, hits).

    Raises:
        ValueError: The hits or the layout lack a feature, or it is not finite.
    """
    return np.array([_row(hits, layout, name) for name in names]).reshape(len(names), len(hits))


def neighbour_mean(hits: Hits, window: int) -> NDArray[np.float64]:
    """Mean score of the neighbours up to `window` chunks away; without any, the hit's own.

    Raises:
        ValueError: `features["neighbours"]` is missing, or does not reach that far.
    """
    table = _feature(hits, "neighbours")
    if table.ndim != 2 or table.shape[1] % 2 or table.shape[1] < 2 * window:
        raise ValueError(
            f"features['neighbours'] must hold the scores of {window} or more chunks on either "
            f"side, {2 * window} columns or more, got an array of shape {table.shape}"
        )
    middle = table.shape[1] // 2
    near = table[:, middle - window : middle + window]
    known = ~np.isnan(near)
    count = known.sum(axis=1)
    mean = np.where(known, near, 0.0).sum(axis=1) / np.maximum(count, 1)
    return np.where(count > 0, mean, hits.score)


def _row(hits: Hits, layout: Layout | None, name: str) -> NDArray[np.float64]:
    if name == "score":
        return hits.score
    if name == "rank":
        return np.log1p(np.arange(len(hits)))
    if name == "tokens":
        if layout is None or layout.tokens is None:
            raise ValueError("the feature 'tokens' needs a layout that counts tokens")
        return np.log(np.maximum(layout.tokens[hits.chunk], 1) / USUAL_TOKENS)
    row = neighbour_mean(hits, WINDOW) if name == "neighbours" else _feature(hits, name)
    if row.shape != (len(hits),) or not np.isfinite(row).all():
        raise ValueError(f"features[{name!r}] must hold one finite number for each hit")
    return row


def _feature(hits: Hits, name: str) -> NDArray[np.float64]:
    if name not in hits.features:
        raise ValueError(
            f"the hits have no features[{name!r}]; they have: {', '.join(hits.features) or 'none'}"
        )
    return np.asarray(hits.features[name], np.float64)

"""What every calibration can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from rse.calibration.examples import Example
from rse.types import Hits, Layout


@runtime_checkable
class Calibration(Protocol):
    """Maps the scores of one search query to [0, 1]; all but `Smooth` leave the order alone."""

    def apply(self, hits: Hits, layout: Layout | None = None) -> Hits:
        """Return the same hits under calibrated scores.

        Args:
            hits: Hits of one search query.
            layout: The corpus; needed for lengths, and to refuse documents it was fitted on.

        Raises:
            ValueError: It is not fitted yet, or the hits lack something it needs.
            FittedOnError: A hit's document is one it was fitted on.
        """
        ...

    def fit(self, examples: Sequence[Example]) -> Calibration:
        """Return this calibration as the examples would have it; itself if nothing is to fit."""
        ...

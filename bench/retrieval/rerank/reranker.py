"""What orders hits anew: a model that reads query and text together, or both word by word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


class Reranker(Protocol):
    """Scores texts for a query."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    @property
    def identity(self) -> str:
        """Hex digest of everything that can change a score."""
        ...

    @property
    def score_range(self) -> str:
        """What its scores are and between which bounds they lie, in words."""
        ...

    @property
    def listwise(self) -> bool:
        """Whether a text's score depends on the other texts of the list."""
        ...

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return a score in [0, 1] for each text; larger is more relevant."""
        ...


@runtime_checkable
class Preparing(Protocol):
    """A reranker with work to do that is no part of answering a query."""

    def prepare(self, texts: Sequence[str]) -> None:
        """Load the model, and do for some texts what is done once for each: not timed."""
        ...


def checked(reranker: Reranker, score: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return the scores, if they are one number in [0, 1] for each text.

    Raises:
        ValueError: They are not; names the reranker and what was found.
    """
    found = np.asarray(score, np.float64)
    if found.shape != (count,):
        raise ValueError(
            f"{reranker.name} gave scores of shape {found.shape} for {count} texts, not ({count},)"
        )
    if not ((found >= 0) & (found <= 1)).all():  # catches nan as well
        raise ValueError(
            f"{reranker.name}: scores must lie in [0, 1] ({reranker.score_range}), found "
            f"{np.nanmin(found) if not np.isnan(found).all() else np.nan:g} to "
            f"{np.nanmax(found) if not np.isnan(found).all() else np.nan:g}"
        )
    return found

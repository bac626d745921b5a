"""What calibrations learn from: the hits of tuning questions, and the gold in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rse.checks import number
from rse.types import Hits, Layout


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One search query of a tuning question.

    Raises:
        ValueError: Gold that is not parallel to the hits, negative or not finite; hits outside
            the layout.
    """

    hits: Hits
    """What the search returned, best first."""

    layout: Layout
    """The corpus the hits refer to."""

    gold: NDArray[np.float64]
    """Gold characters in each hit, parallel to `hits`."""

    total: float
    """Gold characters of the question in all, found or not; 0 for a question without gold."""

    documents: tuple[str, ...] = ()
    """Identities of the documents that hold the gold: the search may have missed them."""

    def __post_init__(self) -> None:
        self.layout.check([self.hits])
        gold = np.array(self.gold, np.float64)
        if gold.shape != (len(self.hits),):
            raise ValueError(
                f"Example.gold needs one number for each of {len(self.hits)} hits, "
                f"got an array of shape {gold.shape}"
            )
        if not (np.isfinite(gold) & (gold >= 0)).all():
            raise ValueError("Example.gold counts characters: finite numbers of 0 or more")
        number("Example.total", self.total, "a number of 0 or more", lambda value: value >= 0)
        if isinstance(self.documents, str):
            raise ValueError("Example.documents must be a list of names, got one name")
        if not all(isinstance(name, str) for name in self.documents):
            raise ValueError(f"Example.documents must be names, got {self.documents!r}")
        gold.flags.writeable = False
        object.__setattr__(self, "gold", gold)
        object.__setattr__(self, "documents", tuple(self.documents))

    def under(self, hits: Hits) -> Example:
        """Return this example with the same chunks under other scores, in whatever order."""
        order = np.argsort(self.hits.chunk)
        place = order[np.searchsorted(self.hits.chunk, hits.chunk, sorter=order)]
        return Example(hits, self.layout, self.gold[place], self.total, self.documents)

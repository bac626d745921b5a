"""Evidence is long where its neighbours look relevant, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from rse.calibration.examples import Example
from rse.calibration.features import WINDOW, neighbour_mean
from rse.checks import ParameterError, named, number, whole
from rse.types import Hits, Layout

WIDEST = 1000
"""Most neighbours on a side: their scores are kept for every hit."""


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Smooth:
    """`own * score + (1 - own) * mean of the neighbours' scores`, then sorted again.

    Neighbours are the chunks up to `window` before and after a hit in its document, hits or not.
    Their scores come from `features["neighbours"]` (hits x 2W, W at least `window`): the columns
    are the offsets -W to -1, then 1 to W; nan outside the document or the scope. A hit without a
    neighbour keeps its score. Ties go to the lower chunk number; features move with their hits.

    Neighbours' scores are on the retriever's own scale, so it comes before other calibrations.
    """

    window: int = WINDOW
    own: float = 0.6

    def __post_init__(self) -> None:
        whole("window", self.window, 1)
        if self.window > WIDEST:
            raise ParameterError(f"window must be at most {WIDEST} chunks, got {self.window}")
        number("own", self.own, "a number in [0, 1]", lambda value: 0 <= value <= 1)

    def apply(self, hits: Hits, layout: Layout | None = None) -> Hits:  # noqa: ARG002
        if not len(hits):
            return hits
        score = self.own * hits.score + (1 - self.own) * neighbour_mean(hits, self.window)
        order = np.lexsort((hits.chunk, -score))
        features = {name: np.asarray(rows)[order] for name, rows in hits.features.items()}
        return Hits(hits.chunk[order], score[order], features, scorer=hits.scorer)

    def fit(self, examples: Sequence[Example]) -> Self:  # noqa: ARG002
        return self

"""Search in small chunks, read large ones: the whole section of each hit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from baselines.ranking import as_ranked, interleave
from baselines.sections import sections
from rse.checks import named, whole
from rse.types import Hits, Layout, Segment


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Parent:
    """Keep the first `k` sections by the rank of their best hit, whose score they have.

    `select` raises `ValueError` where the chunks belong to no sections.
    """

    needs_sections: ClassVar[bool] = True
    """Whether chunks must belong to sections."""

    k: int = 5

    def __post_init__(self) -> None:
        whole("k", self.k, 1)

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:
        layout.check(hits)
        chunk, score = interleave(hits)
        first, last = sections(layout, chunk)
        _, best = np.unique(first, return_index=True)
        best = np.sort(best)[: self.k]
        kept = first[best].tolist(), last[best].tolist(), score[best].tolist()
        return as_ranked(list(map(Segment, *kept)), hits)

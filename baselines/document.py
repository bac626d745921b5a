"""Whole documents, where finding the right one is all that matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from baselines.ranking import as_ranked, interleave
from rse.checks import named, whole
from rse.types import Hits, Layout, Segment


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Documents:
    """Keep the first `k` documents by the rank of their best hit, whose score they have."""

    k: int = 3

    def __post_init__(self) -> None:
        whole("k", self.k, 1)

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:
        layout.check(hits)
        chunk, score = interleave(hits)
        best: dict[int, float] = {}
        for number, value in zip(layout.document(chunk).tolist(), score.tolist(), strict=True):
            best.setdefault(number, value)
        found = [
            Segment(int(layout.start[number]), int(layout.start[number + 1]), value)
            for number, value in list(best.items())[: self.k]
        ]
        return as_ranked(found, hits)

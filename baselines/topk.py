"""Fixed top-k: hand over the k best chunks, each on its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from baselines.ranking import as_ranked, interleave
from rse.checks import named, whole
from rse.types import Hits, Layout, Segment


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class TopK:
    """Keep the `k` best-ranked chunks; fewer where the search found fewer."""

    k: int = 10

    def __post_init__(self) -> None:
        whole("k", self.k, 1)

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:
        layout.check(hits)
        chunk, score = (part[: self.k] for part in interleave(hits))
        found = [Segment(c, c + 1, s) for c, s in zip(chunk.tolist(), score.tolist(), strict=True)]
        return as_ranked(found, hits)

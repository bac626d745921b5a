"""Auto-merging: hits that fill most of a section give way to the section."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import ClassVar

from baselines.ranking import as_ranked, interleave
from baselines.sections import sections
from rse.checks import named, number, whole
from rse.types import Hits, Layout, Segment

Run = tuple[int, int]


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Keep the `k` best-ranked chunks; where they are many of a section, all of it instead.

    A section of which more than `share` of the chunks are among the `k` becomes one segment. Its
    score is the mean of its hits' scores, so it may come behind a single chunk that scored less
    than its best hit. The other chunks stay single, side by side or not.

    The rule of LlamaIndex's `AutoMergingRetriever` (`simple_ratio_thresh`) for sections of one
    level. That one also fills in a chunk that is missing between two results; this does not.

    `select` raises `ValueError` where the chunks belong to no sections.
    """

    needs_sections: ClassVar[bool] = True
    """Whether chunks must belong to sections."""

    k: int = 20
    share: float = 0.5

    def __post_init__(self) -> None:
        whole("k", self.k, 1)
        number("share", self.share, "a number in [0, 1]", lambda value: 0 <= value <= 1)

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:
        layout.check(hits)
        ranked, score = interleave(hits)
        chunk = ranked[: self.k]
        runs = list(zip(*(part.tolist() for part in sections(layout, chunk)), strict=True))
        rows = list(zip(chunk.tolist(), score[: self.k].tolist(), runs, strict=True))
        scores: dict[Run, list[float]] = {}
        for _, value, run in rows:
            scores.setdefault(run, []).append(value)
        found: dict[Run, Segment] = {}
        for hit, value, (first, last) in rows:
            inside = scores[first, last]
            if len(inside) > self.share * (last - first):
                found[first, last] = Segment(first, last, fsum(inside) / len(inside))
            else:
                found[hit, hit + 1] = Segment(hit, hit + 1, value)
        # Means do not fall with the rank; sorted() keeps equal scores by rank.
        return as_ranked(sorted(found.values(), key=lambda segment: -segment.score), hits)

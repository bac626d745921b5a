"""The form of RSE that tutorials show: similarity less a constant, no rank, no length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rse.candidates import Limits
from rse.checks import named, number, whole
from rse.greedy import greedy
from rse.placed import MANY, place
from rse.types import Hits, Layout, Segment, segments


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Simple:
    """Select segments by `similarity - irrelevant_chunk_penalty`, for every chunk alike.

    The form in which tutorials teach RSE (NirDiamant/RAG_Techniques, FareedKhan-dev/
    all-rag-techniques), for comparison. Against dsRAG's, see `RSE`:

    - relevance does not fade by rank, and long chunks do not count for more;
    - all documents of all hits are considered, not those of the best ten;
    - a segment's value must be *above* `minimum_value`, not at it;
    - `overall_max_length` is looked at before a segment is added, not after: with 30 and segments
      of at most 20 the answer may have 49 chunks. Kept, for it is what people run.

    Two things differ from the tutorials on purpose. Their overlap test looks at the ends only, so
    that a segment may contain one taken before; here it may not. And they value the chunks of one
    document; here segments stay inside theirs. A chunk that is no hit has similarity 0. With
    several queries the queries take turns, as in `RSE`.
    """

    irrelevant_chunk_penalty: float = 0.2
    """What each chunk costs, in (0, 1]."""

    minimum_value: float = 0.2
    """A segment must be worth more than this."""

    max_length: int = 20
    """Most chunks in one segment."""

    overall_max_length: int = 30
    """No segment is added once so many chunks are taken."""

    def __post_init__(self) -> None:
        number(
            "irrelevant_chunk_penalty",
            self.irrelevant_chunk_penalty,
            "a number above 0, at most 1",
            lambda value: 0 < value <= 1,
        )
        number("minimum_value", self.minimum_value, "a number", lambda _: True)
        whole("max_length", self.max_length, 1)
        whole("overall_max_length", self.overall_max_length, 1)

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:
        placed = place(hits, layout, MANY)
        penalty = float(self.irrelevant_chunk_penalty)
        above = float(np.nextafter(self.minimum_value, np.inf))  # greedy takes what is at its limit
        limits = Limits(penalty, above, min(self.max_length, MANY), MANY)
        first, last, value = greedy(placed, placed.score - penalty, limits)
        taken, count = 0, 0
        while count < len(first) and taken < self.overall_max_length:
            taken += int(last[count] - first[count])
            count += 1
        return segments(first[:count], last[:count], value[:count])

"""Relevant Segment Extraction as dsRAG defines it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rse.checks import named
from rse.greedy import greedy_segments
from rse.parameters import Parameters
from rse.types import Hits, Layout, Segment


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class RSE(Parameters):
    """Select segments whose summed relevance outweighs the cost of reading them.

    Agrees with dsRAG 0.5.6 segment for segment, but for the order of documents in its
    meta-document, which there changes with the hash seed. Parameters: see `Parameters`.
    """

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:
        return greedy_segments(hits, layout, self)

"""Relevant Segment Extraction as dsRAG defines it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rse.candidates import Limits, limits_of
from rse.checks import named
from rse.compiled import compiled
from rse.greedy import greedy
from rse.parameters import Parameters
from rse.placed import MANY, Placed, Ranked, fading, placed, ranked
from rse.types import Hits, Layout, Segment, segments


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class RSE(Parameters):
    """Select segments whose summed relevance outweighs the cost of reading them.

    A hit is worth `exp(-rank / decay_rate) * score - irrelevant_chunk_penalty`, with
    `chunk_length_adjustment` times `max(characters, 700) / 700`; a chunk that is no hit is worth
    minus the penalty; a segment is worth the sum over its chunks. Segments are taken greedily, see
    `rse.greedy.greedy`. Parameters: see `Parameters`.

    Agrees with dsRAG 0.5.6 (`dsrag/rse.py`) segment for segment, but for the order of documents in
    its meta-document, which there changes with the hash seed.

    Complexity: O(hits x max_length) for a question, whatever the size of the corpus.
    """

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:
        hits = layout.check(hits)
        given = ranked(hits)
        top_k = min(self.top_k_for_document_selection, MANY)
        fades = fading(self.decay_rate, len(given.chunk))
        return segments(
            *_select(
                tuple(given),
                (layout.start, layout.length, top_k),
                (fades, self.chunk_length_adjustment),
                tuple(limits_of(self, len(hits))),
            )
        )


@compiled
def _select(
    hits: Any,  # noqa: ANN401
    corpus: tuple[NDArray[np.int64], NDArray[np.int32], int],
    valuing: tuple[NDArray[np.float64], bool],
    limits: Any,  # noqa: ANN401
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Place, value and take in one compiled call: a question is a few microseconds of work.

    `hits` and `limits` are a `Ranked` and `Limits` as plain tuples, which cross into compiled code
    in half the time.
    """
    start, length, top_k = corpus
    fades, adjust = valuing
    within = Limits(*limits)
    here = placed(Ranked(*hits), start, length, top_k)
    found = greedy(here, chunk_values(here, fades, adjust, within.penalty), within)
    return found.first, found.last, found.value


@compiled
def chunk_values(
    placed: Placed, fades: NDArray[np.float64], adjust: bool, penalty: float
) -> NDArray[np.float64]:
    """Return what each placed hit is worth, operation for operation as dsRAG computes it.

    Args:
        placed: The hits.
        fades: See `fading`.
        adjust: `chunk_length_adjustment`.
        penalty: `irrelevant_chunk_penalty`.

    Source: `get_chunk_value` and `adjust_relevance_values_for_chunk_length` of dsRAG.
    """
    value = fades[placed.rank] * placed.score - penalty
    if adjust:
        value = value * placed.scale
    return value

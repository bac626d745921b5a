"""What each hit is worth, and where it stands among the documents considered.

The reference (dsRAG 0.5.6) lays the documents considered end to end, a "meta-document", and values
every chunk of it. A chunk that is no hit is worth exactly the penalty, so it suffices to keep the
hits and count what lies between them: the cost depends on the hits, never on the corpus.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rse.parameters import Parameters
from rse.types import Hits, Layout

REFERENCE_LENGTH = 700
"""Characters of a usual chunk; longer hits count for proportionally more (as in dsRAG)."""


class Valued(NamedTuple):
    """Hits of one query inside the meta-document, in its order; the arrays are parallel."""

    document: NDArray[np.int64]
    """Place of the chunk's document in the meta-document: 0, 1, 2..."""

    chunk: NDArray[np.int64]
    """Corpus-wide chunk number."""

    value: NDArray[np.float64]
    """Faded relevance less the penalty."""


def chunk_values(hits: Hits, layout: Layout, parameters: Parameters) -> NDArray[np.float64]:
    """Value each hit: `exp(-rank / decay_rate) * score - irrelevant_chunk_penalty`.

    With `chunk_length_adjustment` times `max(characters, 700) / 700`. Shape: (hits,).
    Source: `get_chunk_value` and `adjust_relevance_values_for_chunk_length` of dsRAG.
    """
    rank = np.arange(len(hits))
    faded = np.exp(-rank / parameters.decay_rate) * hits.score
    value: NDArray[np.float64] = faded - parameters.irrelevant_chunk_penalty
    if parameters.chunk_length_adjustment:
        length = layout.length[hits.chunk]
        value *= np.maximum(length, REFERENCE_LENGTH) / REFERENCE_LENGTH
    return value


def meta_document(hits: Sequence[Hits], layout: Layout, top_k: int) -> NDArray[np.int64]:
    """Return the numbers of the documents that hold the best `top_k` hits of every query.

    In order of first appearance, query after query. The reference keeps them in a set, so that
    its order changes with the hash seed; ours is fixed.
    """
    heads = [layout.document(one.chunk[:top_k]) for one in hits]
    documents = np.concatenate(heads) if heads else np.empty(0, np.int64)
    _, first = np.unique(documents, return_index=True)
    return documents[np.sort(first)]


def valued(hits: Sequence[Hits], layout: Layout, parameters: Parameters) -> list[Valued]:
    """Value the hits of each query and put them in the order of the meta-document.

    Cost: O(hits log hits) per query.
    """
    layout.check(hits)
    documents = meta_document(hits, layout, parameters.top_k_for_document_selection)
    by_number = np.argsort(documents)
    numbers = documents[by_number]
    result = []
    for one in hits:
        value = chunk_values(one, layout, parameters)
        document = layout.document(one.chunk)
        place = np.minimum(np.searchsorted(numbers, document), max(len(numbers) - 1, 0))
        kept = numbers[place] == document if len(numbers) else np.zeros(len(one), bool)
        order, chunk, value = by_number[place[kept]], one.chunk[kept], value[kept]
        along = np.lexsort((chunk, order))
        result.append(Valued(order[along], chunk[along], value[along]))
    return result

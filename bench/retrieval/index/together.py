"""Several queries at once."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from bench.retrieval.index.ranking import Ranking
from bench.retrieval.index.store import VectorStore


def search_all(
    store: VectorStore,
    vectors: Sequence[NDArray[np.float32]] | NDArray[np.float32],
    depth: int,
    documents: NDArray[np.int64] | None = None,
) -> list[Ranking]:
    """Return the ranking of each query: what `store.search` gives for it, to the last bit.

    Searches run side by side where the store says that they take longer than starting a thread.

    Args:
        store: What is searched.
        vectors: The queries', each of unit length.
        depth: Most chunks of each ranking.
        documents: Numbers of the documents searched; None for all.
    """
    workers = min(len(vectors), store.workers(documents)) if len(vectors) > 1 else 1
    if workers < 2:
        return [store.search(vector, depth, documents) for vector in vectors]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(lambda vector: store.search(vector, depth, documents), vectors))

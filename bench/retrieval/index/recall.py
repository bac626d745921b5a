"""How many of the best chunks an approximate search finds."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.retrieval.index.flat import DenseIndex
from bench.retrieval.index.store import VectorStore

DEPTHS = (10, 200)
"""How many of the best are looked for: what people quote, and what strategies get by default."""
SAMPLE = 100
NOISE = 0.5
"""Length of what is added to a sampled vector: its cosine with what it was becomes about 0.9."""


class Watched:
    """What an approximate store is worth: measured once, and counted as it searches.

    Args:
        exact: The same vectors, searched one by one.
    """

    def __init__(self, exact: DenseIndex) -> None:
        self._exact = exact
        self._lock = Lock()
        self._counts = {"searches": 0, "exact_fallbacks": 0, "exact_for_scope": 0}
        self._measured: dict[str, Any] | None = None

    def count(self, *, fallback: bool, narrow: bool = False) -> None:
        """Note a search: whether it was done again exactly, or exactly for its narrow scope."""
        with self._lock:
            self._counts["searches"] += 1
            self._counts["exact_fallbacks"] += fallback
            self._counts["exact_for_scope"] += narrow

    def measure(
        self,
        store: VectorStore,
        queries: Sequence[NDArray[np.float32]] | NDArray[np.float32] | None = None,
        documents: NDArray[np.int64] | None = None,
    ) -> dict[str, Any]:
        """Compare a store with exact search and keep the outcome; its searches are not counted.

        Args:
            store: What is measured.
            queries: Vectors of real questions; None: a sample of the corpus' own, each moved a
                little, which are easier to find.
            documents: Numbers of the documents searched; None for all.
        """
        asked = sampled(self._exact.vectors) if queries is None else queries
        before = dict(self._counts)
        measured = recall(store, self._exact, asked, documents)
        source = "moved vectors of the corpus" if queries is None else "given queries"
        with self._lock:
            self._counts = before
            self._measured = measured | {"measured_on": source}
            return dict(self._measured)

    def facts(self, store: VectorStore) -> dict[str, Any]:
        """Return recall, measured now if it was not, and the counts so far."""
        measured = self._measured or self.measure(store)
        with self._lock:
            return measured | self._counts


def recall(
    store: VectorStore,
    exact: DenseIndex,
    queries: Sequence[NDArray[np.float32]] | NDArray[np.float32],
    documents: NDArray[np.int64] | None = None,
) -> dict[str, Any]:
    """Return the mean share of the best chunks that a store finds, for some depths.

    Chunks that tie with the last of the best count as found: which of them come first is no merit.

    Args:
        store: What is measured.
        exact: The same vectors, searched one by one.
        queries: Vectors of unit length.
        documents: Numbers of the documents searched; None for all.

    Returns:
        `n`: queries; `recall_at_k`: by depth, which is clipped to the number of chunks there are.
        It is empty without queries or chunks.
    """
    shares: dict[str, list[float]] = {}
    for query in queries:
        best = exact.search(query, max(DEPTHS), documents)[1]
        for k in sorted({min(depth, len(best)) for depth in DEPTHS} - {0}):
            found = store.search(query, k, documents)[1]
            shares.setdefault(str(k), []).append(float((found >= best[k - 1]).sum()) / k)
    means = {k: float(np.mean(share)) for k, share in shares.items()}
    return {"n": len(queries), "recall_at_k": means}


def sampled(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return some of the vectors, the same every time, each moved a little."""
    random = np.random.default_rng(0)
    n, dimension = vectors.shape
    chosen = np.sort(random.choice(n, min(SAMPLE, n), replace=False))
    noise = random.normal(size=(len(chosen), dimension)) * NOISE / np.sqrt(dimension)
    moved = vectors[chosen] + noise
    length = np.linalg.norm(moved, axis=1, keepdims=True)
    # In one dimension a vector may be moved to 0, which has no direction.
    still = length <= 1e-6
    found: NDArray[np.float32] = np.where(
        still, vectors[chosen], moved / np.where(still, 1, length)
    )
    return found.astype(np.float32)

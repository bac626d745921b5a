"""What searches vectors, and what hits carry whoever found them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bench.retrieval.around import near
from bench.retrieval.index.ranking import Ranking
from rse.types import Hits, Layout


class VectorStore(Protocol):
    """Unit vectors of a corpus' chunks, and a way to find those nearest to another."""

    @property
    def layout(self) -> Layout:
        """Where documents begin."""
        ...

    @property
    def facts(self) -> dict[str, Any]:
        """What the manifest says of it.

        `kind` and its parameters, `bytes` it needs beside the vectors, and, where it may miss
        chunks, the recall that was measured. May take as long as measuring takes.
        """
        ...

    def search(
        self, vector: NDArray[np.float32], depth: int, documents: NDArray[np.int64] | None = None
    ) -> Ranking:
        """Return the best chunks by (cosine descending, chunk number ascending).

        Args:
            vector: The query's, of unit length.
            depth: Most chunks returned; fewer only where there are fewer.
            documents: Numbers of the documents searched; None for all.

        Raises:
            ValueError: A vector of a wrong shape or length, a depth below 1, a number that is no
                document's.
        """
        ...

    def cosines(self, vector: NDArray[np.float32], chunk: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the cosine of each chunk, in [-1, 1]: the same bits as `search` gives."""
        ...

    def rows(self, chunk: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of some chunks. Shape: (chunks, dimensions)."""
        ...

    def workers(self, documents: NDArray[np.int64] | None) -> int:
        """Return how many such searches at a time are worth their threads; 1: no thread is."""
        ...


def features(
    store: VectorStore,
    vector: NDArray[np.float32],
    chunk: NDArray[np.int64],
    *,
    window: int = 0,
    vectors: bool = False,
) -> dict[str, NDArray[np.float64]]:
    """Return what hits carry beside their score: only what somebody asks for.

    Args:
        store: Where the hits were found.
        vector: The query's, of unit length.
        chunk: The hits.
        window: Chunks on either side whose cosines are wanted; see `neighbours()`.
        vectors: Whether the chunks' own vectors are. Shape: (chunks, dimensions).
    """
    found: dict[str, NDArray[np.float64]] = {}
    if window:
        found["neighbours"] = neighbours(store, vector, chunk, window)
    if vectors:
        found["vectors"] = store.rows(chunk).astype(np.float64)
    return found


def neighbours(
    store: VectorStore, vector: NDArray[np.float32], chunk: NDArray[np.int64], window: int
) -> NDArray[np.float64]:
    """Return the cosines, 0 at least, of the chunks around some chunks.

    Returns:
        Shape (chunks, 2 * window): the chunks `window` to 1 before, then 1 to `window` behind;
        nan outside the document.
    """
    beside, inside = near(store.layout, chunk, window)
    wanted, place = np.unique(beside[inside], return_inverse=True)
    cosine = store.cosines(vector, wanted)
    found = np.full(beside.shape, np.nan)
    found[inside] = np.clip(cosine, 0.0, 1.0)[place]
    return found


def hits(
    chunk: NDArray[np.int64],
    cosine: NDArray[np.float64],
    scorer: str,
    features: Mapping[str, NDArray[np.float64]] | None = None,
) -> tuple[Hits, int]:
    """Turn cosines into relevance in [0, 1]; return how many were below 0 and became 0, too."""
    score = np.clip(cosine, 0.0, 1.0)
    return Hits(chunk, score, features or {}, scorer=scorer), int((cosine < 0).sum())

"""From settings to a store that is ready to search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bench.retrieval.index.flat import DenseIndex
from bench.retrieval.index.recipes import HNSW, IVF, Postgres, Settings
from bench.retrieval.index.store import VectorStore
from rse.types import Layout


def store(
    settings: Settings | None, vectors: NDArray[np.float32], layout: Layout, identity: str
) -> VectorStore:
    """Make a store of a corpus' vectors.

    Args:
        settings: How they are searched; None: all of them, exactly.
        vectors: One row of unit length for each chunk.
        layout: Where documents begin.
        identity: Hex digest of the encoder that made the vectors.

    Raises:
        ValueError: Vectors of a wrong shape or length.
        UserError: A server that cannot be used.
    """
    if settings is None:
        return DenseIndex(vectors, layout)
    if isinstance(settings, HNSW | IVF):
        from bench.retrieval.index.approximate import ApproximateIndex

        return ApproximateIndex(vectors, layout, settings)
    if isinstance(settings, Postgres):
        from bench.retrieval.index.postgres import PostgresStore

        return PostgresStore(vectors, layout, identity, settings)
    raise TypeError(f"no store is made from {settings!r}")

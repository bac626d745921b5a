"""A retriever that also searches for what a language model made of the question."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bench.retrieval.queries import QueryWriter
from bench.retrieval.retriever import Found, Retriever


class QueriedRetriever:
    """Searches for the question's own queries, then for those made of its first one.

    Args:
        base: Finds the hits of every query.
        writer: Makes queries; what it made stays in its cache.
    """

    def __init__(self, base: Retriever, writer: QueryWriter) -> None:
        self._base, self._writer = base, writer

    def find(
        self,
        queries: Sequence[str],
        depth: int,
        documents: NDArray[np.int64] | None,
        neighbours: int = 0,
        *,
        vectors: bool = False,
    ) -> Found:
        """Rank the chunks of some documents for each query, see `Retriever`."""
        made = self._writer.write(queries[0])
        asked = made.beside(queries)
        found = self._base.find(asked, depth, documents, neighbours, vectors=vectors)
        return found._replace(queries=asked, queries_seconds=made.seconds)

"""Approximate search by faiss: quicker in large corpora, and it says how much it misses."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from bench.retrieval.index.flat import DenseIndex
from bench.retrieval.index.library import alone, faiss
from bench.retrieval.index.ranking import (
    SPARE,
    Ranking,
    checked_depth,
    checked_query,
    nothing,
    ordered,
)
from bench.retrieval.index.recall import Watched
from bench.retrieval.index.recipes import HNSW, IVF
from bench.retrieval.index.scope import Runs, runs, size
from rse.types import Layout

SEED = 1234
NARROW = 0.1
"""Share of the corpus below which a scope is searched exactly: both quicker and better."""


class ApproximateIndex:
    """A graph (HNSW) or lists (IVF-Flat) over all chunks' vectors.

    Built by one thread, so that the same vectors give the same index: with more, the order in which
    vectors come into the graph, and the sums of k-means, may be a matter of chance. Cosines are
    computed again as in exact search. A search that finds fewer chunks than asked for and there are
    (few probes, many equal vectors) is done again exactly, and counted. One of few documents is
    exact from the start, and counted apart: a graph takes longer there and finds less. Among more
    documents it looks at as many more candidates as others stand between them.

    Args:
        vectors: One row of unit length for each chunk.
        layout: Where documents begin.
        settings: How to build and search.

    Raises:
        ValueError: Vectors of a wrong shape or length.
    """

    def __init__(self, vectors: NDArray[np.float32], layout: Layout, settings: HNSW | IVF) -> None:
        self.exact, self.layout, self.settings = DenseIndex(vectors, layout), layout, settings
        self._watched = Watched(self.exact)
        self._index: Any = None
        self._parameters: dict[str, int] = {}
        if len(layout):
            faiss()  # loaded inside, it would get back the number of threads it began with
            with threadpool_limits(1), alone():
                self._build(settings)

    @property
    def facts(self) -> dict[str, Any]:
        """What the manifest says of it."""
        return {
            "kind": "hnsw" if isinstance(self.settings, HNSW) else "ivf",
            **self._parameters,
            "vector_bytes": self.exact.vectors.nbytes,
            "bytes": self._bytes(),
            **self._watched.facts(self),
        }

    def measure(
        self,
        queries: Sequence[NDArray[np.float32]] | NDArray[np.float32] | None = None,
        documents: NDArray[np.int64] | None = None,
    ) -> dict[str, Any]:
        """Compare with exact search, on real questions best, see `Watched.measure`."""
        return self._watched.measure(self, queries, documents)

    def search(
        self, vector: NDArray[np.float32], depth: int, documents: NDArray[np.int64] | None = None
    ) -> Ranking:
        """Return good chunks, best first, see `VectorStore`."""
        query = checked_query(vector, self.exact.vectors.shape[1])
        scope = runs(self.layout, documents)
        depth = checked_depth(depth, size(scope))
        if depth == 0:
            return nothing()
        narrow = size(scope) < NARROW * len(self.layout)
        found = np.zeros(0, np.int64)
        if not narrow:
            count = min(depth + SPARE, size(scope))
            found = self._found(query, count, None if documents is None else scope)
        self._watched.count(fallback=len(found) < depth and not narrow, narrow=narrow)
        if len(found) < depth:
            return self.exact.search(query, depth, documents)
        chunk, cosine = ordered(found, self.exact.vectors, query)
        return chunk[:depth], cosine[:depth]

    def cosines(self, vector: NDArray[np.float32], chunk: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the cosine of each chunk, see `VectorStore`."""
        return self.exact.cosines(vector, chunk)

    def rows(self, chunk: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of some chunks."""
        return self.exact.rows(chunk)

    def workers(self, documents: NDArray[np.int64] | None) -> int:  # noqa: ARG002
        """A search takes less than starting a thread does."""
        return 1

    def _build(self, settings: HNSW | IVF) -> None:
        """Fill the index; faiss has a copy of the vectors in it."""
        api, vectors = faiss(), self.exact.vectors
        n, dimension = vectors.shape
        if isinstance(settings, HNSW):
            self._index = api.IndexHNSWFlat(dimension, settings.m, api.METRIC_INNER_PRODUCT)
            self._index.hnsw.efConstruction = settings.ef_construction
            self._parameters = {
                "m": settings.m,
                "ef_construction": settings.ef_construction,
                "ef_search": settings.ef_search,
            }
        else:
            lists = min(settings.lists or round(4 * n**0.5), n)
            self._parameters = {"lists": lists, "probes": min(settings.probes, lists)}
            quantizer = api.IndexFlatIP(dimension)
            self._index = api.IndexIVFFlat(quantizer, dimension, lists, api.METRIC_INNER_PRODUCT)
            self._index.cp.seed = SEED
            self._index.cp.min_points_per_centroid = 1  # else small corpora are warned of
            self._index.train(vectors)
        self._index.add(vectors)

    def _found(
        self, query: NDArray[np.float32], count: int, scope: Runs | None
    ) -> NDArray[np.int64]:
        """Return at most `count` chunks that faiss finds."""
        api = faiss()
        given: dict[str, Any] = {}
        wider = 1.0
        if scope is not None:
            wider = len(self.layout) / size(scope)
            inside = np.zeros(len(self.layout), np.bool_)
            for first, last in scope.tolist():
                inside[first:last] = True
            given["sel"] = api.IDSelectorBitmap(np.packbits(inside, bitorder="little"))
        if isinstance(self.settings, HNSW):
            # faiss looks at no fewer candidates than are wanted, but says so nowhere.
            wanted = ceil(max(self.settings.ef_search, count) * wider)
            parameters = api.SearchParametersHNSW(efSearch=wanted, **given)
        else:
            probes = min(ceil(self._parameters["probes"] * wider), self._parameters["lists"])
            parameters = api.SearchParametersIVF(nprobe=probes, **given)
        with alone():
            _, chunk = self._index.search(query[None], count, params=parameters)
        found: NDArray[np.int64] = chunk[0][chunk[0] >= 0]
        return found

    def _bytes(self) -> int:
        """Return the memory of the index, its own copy of the vectors included."""
        if self._index is None:
            return 0
        copied = self.exact.vectors.nbytes
        if isinstance(self.settings, HNSW):
            graph = self._index.hnsw
            links = 4 * (graph.neighbors.size() + graph.levels.size()) + 8 * graph.offsets.size()
            return copied + int(links)
        centroids = 4 * self._parameters["lists"] * self.exact.vectors.shape[1]
        return int(copied + 8 * len(self.layout) + centroids)

"""Exact search by cosine, with one order however it is computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.retrieval.around import in_scope, near
from bench.retrieval.embedders.encoder import TOLERANCE, is_unit
from bench.threads import renew_threads
from rse.types import Hits, Layout

Ranking = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Chunk numbers and their cosines, best first."""


class DenseIndex:
    """All chunks' vectors, searched one by one.

    faiss finds the candidates; their cosines are then computed again, each on its own in float64.
    In float32 a cosine's last bit depends on the path through faiss or BLAS (selection, block,
    processor, threads), and equal rows might not tie.

    Args:
        vectors: One row of unit length for each chunk.
        layout: Where documents begin.

    Raises:
        ValueError: Vectors of a wrong shape or length.
    """

    def __init__(self, vectors: NDArray[np.float32], layout: Layout) -> None:
        rows = np.ascontiguousarray(vectors, np.float32)
        if rows.ndim != 2:
            raise ValueError(f"vectors must be a table, got an array of shape {rows.shape}")
        if len(rows) != len(layout):
            raise ValueError(f"there are {len(rows)} vectors, but {len(layout)} chunks")
        if not (unit := is_unit(rows)).all():
            row = int(np.argmin(unit))
            raise ValueError(
                f"vector {row} has length {np.linalg.norm(rows[row]):g}, not 1: normalise first"
            )
        self.vectors, self.layout = rows, layout
        self._faiss = _flat(rows)

    def search(
        self, vector: NDArray[np.float32], depth: int, documents: NDArray[np.int64] | None = None
    ) -> Ranking:
        """Return the best chunks by (cosine descending, chunk number ascending).

        Args:
            vector: The query's, of unit length.
            depth: Most chunks returned; fewer where there are fewer.
            documents: Numbers of the documents searched; None for all.
        """
        if depth < 1:
            raise ValueError(f"depth must be 1 or more, got {depth}")
        query = self._query(vector)
        scope = None if documents is None else in_scope(self.layout, documents)
        size = len(self.vectors) if scope is None else int(np.count_nonzero(scope))
        depth = min(depth, size)
        if depth == 0:
            return np.zeros(0, np.int64), np.zeros(0)
        # What float32 may be off by, at most: the sum of `dimension` roundings.
        margin = len(query) * float(np.finfo(np.float32).eps)
        count = depth + 16
        while True:
            found, floor = self._candidates(query, min(count, size), scope)
            chunk, cosine = self._ranked(query, found)
            # Done when nothing that faiss left out can reach or tie the last place.
            if count >= size or min(floor + margin, 1.0) < cosine[depth - 1]:
                return chunk[:depth], cosine[:depth]
            count *= 2

    def features(
        self,
        vector: NDArray[np.float32],
        chunk: NDArray[np.int64],
        *,
        neighbours: int = 0,
        vectors: bool = False,
    ) -> dict[str, NDArray[np.float64]]:
        """Return what hits carry beside their score: only what somebody asks for.

        Args:
            vector: The query's, of unit length.
            chunk: The hits.
            neighbours: Chunks on either side whose cosines are wanted; see `neighbours()`.
            vectors: Whether the chunks' own vectors are. Shape: (chunks, dimensions).
        """
        found: dict[str, NDArray[np.float64]] = {}
        if neighbours:
            found["neighbours"] = self.neighbours(vector, chunk, neighbours)
        if vectors:
            found["vectors"] = self.vectors[chunk].astype(np.float64)
        return found

    def cosines(self, vector: NDArray[np.float32], chunk: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the cosine of each chunk, in [-1, 1]: the same bits as `search` gives."""
        query = self._query(vector).astype(np.float64)
        product = (self.vectors[chunk].astype(np.float64) * query).sum(axis=1)
        found: NDArray[np.float64] = np.clip(product, -1.0, 1.0)
        return found

    def neighbours(
        self, vector: NDArray[np.float32], chunk: NDArray[np.int64], window: int
    ) -> NDArray[np.float64]:
        """Return the cosines, 0 at least, of the chunks around some chunks.

        Returns:
            Shape (chunks, 2 * window): the chunks `window` to 1 before, then 1 to `window` behind;
            nan outside the document.
        """
        beside, inside = near(self.layout, chunk, window)
        wanted, place = np.unique(beside[inside], return_inverse=True)
        cosine = self.cosines(vector, wanted)
        found = np.full(beside.shape, np.nan)
        found[inside] = np.clip(cosine, 0.0, 1.0)[place]
        return found

    def _query(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        query = np.ascontiguousarray(vector, np.float32)
        expected = self.vectors.shape[1]
        if query.shape != (expected,):
            raise ValueError(
                f"the query's vector has shape {query.shape}, the index has {expected} dimensions"
            )
        if not is_unit(query[None])[0]:
            raise ValueError(
                f"the query's vector has length {np.linalg.norm(query):g}, not 1 "
                f"(within {TOLERANCE}): normalise first"
            )
        return query

    def _candidates(
        self, query: NDArray[np.float32], count: int, scope: NDArray[np.bool_] | None
    ) -> tuple[NDArray[np.int64], float]:
        """Return the `count` best chunks by faiss, in no order, and the least score among them."""
        import faiss

        api: Any = faiss  # its stubs do not know what its Python wrappers accept
        params = None
        if scope is not None:
            selector = api.IDSelectorBitmap(np.packbits(scope, bitorder="little"))
            params = api.SearchParameters(sel=selector)
        score, chunk = self._faiss.search(query[None], count, params=params)
        real = chunk[0] >= 0
        return chunk[0][real], float(score[0][real].min())

    def _ranked(self, query: NDArray[np.float32], chunk: NDArray[np.int64]) -> Ranking:
        products = self.vectors[chunk].astype(np.float64) * query.astype(np.float64)
        # Not a matrix product: BLAS may add up equal rows in different orders.
        cosine = np.clip(products.sum(axis=1), -1.0, 1.0)
        order = np.lexsort((chunk, -cosine))
        return chunk[order], cosine[order]


def hits(
    chunk: NDArray[np.int64],
    cosine: NDArray[np.float64],
    scorer: str,
    features: Mapping[str, NDArray[np.float64]] | None = None,
) -> tuple[Hits, int]:
    """Turn cosines into relevance in [0, 1]; return how many were below 0 and became 0, too."""
    score = np.clip(cosine, 0.0, 1.0)
    return Hits(chunk, score, features or {}, scorer=scorer), int((cosine < 0).sum())


def _flat(rows: NDArray[np.float32]) -> Any:  # noqa: ANN401
    import faiss

    renew_threads()
    index = faiss.IndexFlatIP(rows.shape[1])
    index.add(rows)
    return index

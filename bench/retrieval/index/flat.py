"""Exact search by cosine, with one order however it is computed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.retrieval.index.library import alone, faiss
from bench.retrieval.index.ranking import (
    Ranking,
    checked_depth,
    checked_query,
    checked_rows,
    cosines,
    nothing,
    settled,
)
from bench.retrieval.index.scope import Runs, numbers, runs, size
from rse.types import Layout

BLOCK = 65_536
"""Rows searched at a time: a piece of work for a thread."""
SHORT = 64
"""Runs of fewer rows are copied together: many calls would cost more."""
COPIED_AT_ONCE = 2048
WORTH_A_THREAD = 16_000_000
"""Numbers read by a search from which on several are run side by side.

Measured on two cores, one of them busy: from 5 to 8 million, threads made it slower by a third.
"""

Piece = slice | NDArray[np.int64]


class DenseIndex:
    """All chunks' vectors, searched one by one.

    faiss finds the candidates; their cosines are then computed again, see `cosines`. The vectors
    are not copied, so those of a large corpus may stay on disk, see `bench.retrieval.index.matrix`.

    Args:
        vectors: One row of unit length for each chunk.
        layout: Where documents begin.

    Raises:
        ValueError: Vectors of a wrong shape or length.
    """

    def __init__(self, vectors: NDArray[np.float32], layout: Layout) -> None:
        self.vectors, self.layout = checked_rows(vectors, layout), layout
        faiss()  # so that the manifest can say how many threads it has

    @property
    def facts(self) -> dict[str, Any]:
        """What the manifest says of it."""
        return {"kind": "exact", "vector_bytes": self.vectors.nbytes, "bytes": 0}

    def search(
        self, vector: NDArray[np.float32], depth: int, documents: NDArray[np.int64] | None = None
    ) -> Ranking:
        """Return the best chunks, see `VectorStore`."""
        query = checked_query(vector, self.vectors.shape[1])
        scope = runs(self.layout, documents)
        depth = checked_depth(depth, size(scope))
        if depth == 0:
            return nothing()
        pieces = list(_pieces(scope))
        return settled(
            lambda count: self._best(query, count, pieces),
            self.vectors,
            query,
            depth,
            size(scope),
        )

    def cosines(self, vector: NDArray[np.float32], chunk: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the cosine of each chunk, in [-1, 1]: the same bits as `search` gives."""
        return cosines(self.vectors, chunk, checked_query(vector, self.vectors.shape[1]))

    def rows(self, chunk: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of some chunks. Shape: (chunks, dimensions)."""
        found: NDArray[np.float32] = self.vectors[chunk]
        return found

    def workers(self, documents: NDArray[np.int64] | None) -> int:
        """Return how many searches to run side by side; a search of many blocks has threads."""
        rows = size(runs(self.layout, documents))
        if rows > BLOCK or rows * self.vectors.shape[1] < WORTH_A_THREAD:
            return 1
        return int(faiss().omp_get_max_threads())

    def _best(
        self, query: NDArray[np.float32], count: int, pieces: list[Piece]
    ) -> tuple[NDArray[np.int64], float]:
        """Return the `count` best chunks by faiss, in no order, and the least score among them."""

        def some(chosen: list[Piece]) -> list[tuple[NDArray[np.int64], NDArray[np.float32]]]:
            with alone():
                return [_nearest(query, self.vectors[one], count, one) for one in chosen]

        large = sum(map(_length, pieces)) > BLOCK
        threads = min(int(faiss().omp_get_max_threads()), len(pieces)) if large else 1
        if threads > 1:
            with ThreadPoolExecutor(threads) as pool:
                shares = pool.map(some, [pieces[first::threads] for first in range(threads)])
                found = [one for share in shares for one in share]
        else:
            found = some(pieces)
        chunk = np.concatenate([number for number, _ in found])
        score = np.concatenate([number for _, number in found])
        if len(chunk) > count:
            kept = np.argpartition(-score, count - 1)[:count]
            chunk, score = chunk[kept], score[kept]
        return chunk, float(score.min())


def _nearest(
    query: NDArray[np.float32], rows: NDArray[np.float32], count: int, piece: Piece
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the best chunks of one piece and their scores; `rows` are its vectors."""
    most, library = min(count, len(rows)), faiss()
    score, place = library.knn(query[None], rows, most, library.METRIC_INNER_PRODUCT)
    return place[0] + piece.start if isinstance(piece, slice) else piece[place[0]], score[0]


def _length(piece: Piece) -> int:
    return piece.stop - piece.start if isinstance(piece, slice) else len(piece)


def _pieces(scope: Runs) -> Iterator[Piece]:
    """Cut runs into blocks; short runs are joined, as the numbers of their rows."""
    whole = (scope[:, 1] - scope[:, 0] >= SHORT) | (len(scope) == 1)
    for first, last in scope[whole].tolist():
        for begin in range(first, last, BLOCK):
            yield slice(begin, min(begin + BLOCK, last))
    short = numbers(scope[~whole])
    for begin in range(0, len(short), COPIED_AT_ONCE):
        yield short[begin : begin + COPIED_AT_ONCE]

"""One order of chunks, however their candidates were found."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bench.retrieval.embedders.encoder import TOLERANCE, is_unit
from rse.types import Layout

Ranking = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Chunk numbers and their cosines, best first."""

Best = Callable[[int], tuple[NDArray[np.int64], float]]
"""Given a number, finds so many best chunks in float32, in no order, and their least score."""

SPARE = 16
"""Candidates asked for beyond those wanted, since float32 may order the last ones wrongly."""
CHECKED_AT_ONCE = 65_536
COMPUTED_AT_ONCE = 4096


def checked_rows(vectors: NDArray[np.float32], layout: Layout) -> NDArray[np.float32]:
    """Return the chunks' vectors as a plain table; one that is mapped from disk stays there.

    Raises:
        ValueError: Vectors of a wrong shape or length.
    """
    rows = np.ascontiguousarray(vectors, np.float32)
    if rows.ndim != 2:
        raise ValueError(f"vectors must be a table, got an array of shape {rows.shape}")
    if len(rows) != len(layout):
        raise ValueError(f"there are {len(rows)} vectors, but {len(layout)} chunks")
    if (row := first_bad(rows)) is not None:
        raise ValueError(
            f"vector {row} has length {np.linalg.norm(rows[row]):g}, not 1: normalise first"
        )
    return rows


def first_bad(rows: NDArray[np.float32]) -> int | None:
    """Return the first row that is not finite and of unit length; None: all are."""
    for begin in range(0, len(rows), CHECKED_AT_ONCE):
        unit = is_unit(rows[begin : begin + CHECKED_AT_ONCE])
        if not unit.all():
            return begin + int(np.argmin(unit))
    return None


def checked_query(vector: NDArray[np.float32], dimension: int) -> NDArray[np.float32]:
    """Return a query's vector; `ValueError` for a wrong shape or length."""
    query = np.ascontiguousarray(vector, np.float32)
    if query.shape != (dimension,):
        raise ValueError(
            f"the query's vector has shape {query.shape}, the index has {dimension} dimensions"
        )
    if not is_unit(query[None])[0]:
        raise ValueError(
            f"the query's vector has length {np.linalg.norm(query):g}, not 1 "
            f"(within {TOLERANCE}): normalise first"
        )
    return query


def checked_depth(depth: int, size: int) -> int:
    """Return how many chunks can be had; `ValueError` for less than one asked for."""
    if depth < 1:
        raise ValueError(f"depth must be 1 or more, got {depth}")
    return min(depth, size)


def nothing() -> Ranking:
    """Return a ranking of no chunks."""
    return np.zeros(0, np.int64), np.zeros(0)


def cosines(
    rows: NDArray[np.float32], chunk: NDArray[np.int64], query: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Return the cosine of each of some rows, on its own and in float64, clipped to [-1, 1].

    In float32 a cosine's last bit depends on the path through faiss or BLAS (selection, block,
    processor, threads), and equal rows might not tie.
    """
    wide = query.astype(np.float64)
    found = np.empty(len(chunk))
    for begin in range(0, len(chunk), COMPUTED_AT_ONCE):
        some = slice(begin, begin + COMPUTED_AT_ONCE)
        # Not a matrix product: BLAS may add up equal rows in different orders.
        found[some] = (rows[chunk[some]].astype(np.float64) * wide).sum(axis=1)
    return np.clip(found, -1.0, 1.0)


def ordered(
    chunk: NDArray[np.int64], rows: NDArray[np.float32], query: NDArray[np.float32]
) -> Ranking:
    """Rank some chunks by (cosine descending, chunk ascending)."""
    cosine = cosines(rows, chunk, query)
    order = np.lexsort((chunk, -cosine))
    return chunk[order], cosine[order]


def settled(
    best: Best, rows: NDArray[np.float32], query: NDArray[np.float32], depth: int, size: int
) -> Ranking:
    """Rank the `depth` best of `size` chunks, asking for more until no other can come between.

    Args:
        best: Finds the candidates.
        rows: Vectors of all chunks.
        query: The query's vector.
        depth: Chunks to return, 1 to `size`.
        size: Chunks that are searched.
    """
    # What float32 may be off by, at most: the sum of `dimension` roundings.
    margin = len(query) * float(np.finfo(np.float32).eps)
    count = depth + SPARE
    while True:
        found, floor = best(min(count, size))
        chunk, cosine = ordered(found, rows, query)
        # Done when nothing that was left out can reach or tie the last place.
        if count >= size or min(floor + margin, 1.0) < cosine[depth - 1]:
            return chunk[:depth], cosine[:depth]
        count *= 2

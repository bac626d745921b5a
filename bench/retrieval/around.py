"""Which chunks are searched, and the scores of those that stand around a hit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rse.types import Layout


def in_scope(layout: Layout, documents: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark the chunks of some documents.

    Raises:
        ValueError: A number that is no document's.
    """
    start = layout.start
    numbers = np.asarray(documents, np.int64)
    if numbers.size and (numbers.min() < 0 or numbers.max() >= len(start) - 1):
        raise ValueError(
            f"documents {numbers.min()} to {numbers.max()} were asked for, there are "
            f"{len(start) - 1}"
        )
    chosen = np.zeros(len(start) - 1, np.bool_)
    chosen[numbers] = True
    return np.repeat(chosen, np.diff(start))


def near(
    layout: Layout, chunk: NDArray[np.int64], window: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the chunks `window` to 1 before each chunk, then 1 to `window` behind.

    Returns:
        Chunk numbers, and whether each is inside the chunk's document.
        Shape: (chunks, 2 * window).
    """
    offsets = np.array([i for i in range(-window, window + 1) if i], np.int64)
    found = chunk[:, None] + offsets
    document = layout.document(chunk)
    inside = (found >= layout.start[document][:, None]) & (
        found < layout.start[document + 1][:, None]
    )
    return found, inside


def around(
    layout: Layout, chunk: NDArray[np.int64], score: NDArray[np.float64], window: int
) -> NDArray[np.float64]:
    """Return the scores of the chunks around some chunks, nan outside their document.

    Args:
        layout: Where documents begin.
        chunk: The hits.
        score: Of every chunk of the corpus.
        window: Chunks on either side.
    """
    beside, inside = near(layout, chunk, window)
    found = np.full(beside.shape, np.nan)
    found[inside] = score[beside[inside]]
    return found


def of_candidates(
    layout: Layout,
    chunk: NDArray[np.int64],
    scored: tuple[NDArray[np.int64], NDArray[np.float64]],
    window: int,
) -> NDArray[np.float64]:
    """Return the scores of the chunks around some chunks where only candidates have one.

    Args:
        layout: Where documents begin.
        chunk: The hits.
        scored: The candidates, rising, and their scores; other chunks have 0.
        window: Chunks on either side.

    Returns:
        Shape (chunks, 2 * window); nan outside a hit's document.
    """
    candidate, score = scored
    beside, inside = near(layout, chunk, window)
    found = np.where(inside, 0.0, np.nan)
    if len(candidate):
        place = np.minimum(np.searchsorted(candidate, beside), len(candidate) - 1)
        known = inside & (candidate[place] == beside)
        found[known] = score[place[known]]
    return found

"""Which chunks belong to some documents: as runs, so that no search walks the whole corpus."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rse.types import Layout

Runs = NDArray[np.int64]
"""Half-open runs of chunks, rising, disjoint and none empty. Shape: (runs, 2)."""


def runs(layout: Layout, documents: NDArray[np.int64] | None) -> Runs:
    """Return the chunks of some documents (None: all) as few runs as possible.

    Costs time by the number of documents asked for, not of those there are.

    Raises:
        ValueError: A number that is no document's.
    """
    if documents is None:
        return np.array([[0, len(layout)]] if len(layout) else np.zeros((0, 2)), np.int64)
    start = layout.start
    numbers = np.unique(np.asarray(documents, np.int64))
    if numbers.size and (numbers[0] < 0 or numbers[-1] >= len(start) - 1):
        raise ValueError(
            f"documents {numbers[0]} to {numbers[-1]} were asked for, there are {len(start) - 1}"
        )
    first, last = start[numbers], start[numbers + 1]
    filled = first < last
    first, last = first[filled], last[filled]
    apart = first[1:] != last[:-1]
    begins = np.concatenate((first[:1], first[1:][apart]))
    ends = np.concatenate((last[:-1][apart], last[-1:]))
    return np.stack((begins, ends), axis=1)


def size(found: Runs) -> int:
    """Return the number of chunks in some runs."""
    return int((found[:, 1] - found[:, 0]).sum())


def numbers(found: Runs) -> NDArray[np.int64]:
    """Return the chunks in some runs, rising."""
    length = found[:, 1] - found[:, 0]
    before = np.cumsum(length) - length
    return np.repeat(found[:, 0] - before, length) + np.arange(length.sum())

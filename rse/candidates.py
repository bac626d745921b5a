"""All segments a query may return: begun and ended by hits worth reading."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rse.compiled import compiled
from rse.parameters import Parameters
from rse.placed import MANY

SLACK = 1e-9
"""How far below 0 a beginning must fall before it is given up: more than rounding can hide."""


class Limits(NamedTuple):
    """What a segment may be, and all of them together."""

    penalty: float
    """What a chunk between hits costs."""
    minimum_value: float
    """Least value of a segment."""
    max_length: int
    """Most chunks in a segment."""
    budget: int
    """Most chunks in all segments together."""


def limits_of(parameters: Parameters, queries: int) -> Limits:
    """Return what parameters mean for so many queries, in the types kernels are compiled for."""
    return Limits(
        float(parameters.irrelevant_chunk_penalty),
        float(parameters.minimum_value),
        min(parameters.max_length, MANY),
        parameters.chunk_budget(queries),
    )


@compiled
def walk(
    document: NDArray[np.int64],
    chunk: NDArray[np.int64],
    value: NDArray[np.float64],
    limits: Limits,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """List one query's legal segments: ends worth 0 or more, one document, value, length in bounds.

    A segment whose beginning sums to less than nothing is left out: without that beginning it is
    worth more, is shorter, and fits wherever the whole would, so neither the greedy choice nor the
    optimum can contain it.

    Args:
        document: Place of each hit's document in the meta-document.
        chunk: Each hit's chunk; hits stand in the order of the meta-document.
        value: What each is worth, penalty included.
        limits: What a segment may be.

    Returns:
        By start, then end: the hits that begin and end each segment, and its summed value.

    Complexity: O(hits x max_length) at most; a walk ends where the penalty has eaten what it had.
    """
    penalty, minimum_value, max_length, _ = limits
    room = 4 * len(chunk) + 16
    first = np.empty(room, np.int64)
    last = np.empty(room, np.int64)
    sums = np.empty(room, np.float64)
    count = 0
    for begin in range(len(chunk)):
        if value[begin] < 0:
            continue
        total = 0.0
        end = begin
        reached = chunk[begin]
        while True:
            # One chunk after the other, left to right, as the reference sums: ties depend on it.
            while reached < chunk[end] and total >= -SLACK:
                total -= penalty
                reached += 1
            if total < -SLACK:
                break
            total += value[end]
            reached += 1
            if value[end] >= 0 and total >= minimum_value:
                if count == len(first):
                    first = np.concatenate((first, np.empty_like(first)))
                    last = np.concatenate((last, np.empty_like(last)))
                    sums = np.concatenate((sums, np.empty_like(sums)))
                first[count], last[count], sums[count] = begin, end, total
                count += 1
            end += 1
            if (
                end == len(chunk)
                or document[end] != document[begin]
                or chunk[end] - chunk[begin] >= max_length
            ):
                break
    return first[:count], last[:count], sums[:count]

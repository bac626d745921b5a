"""All segments a query may return: begun and ended by hits worth reading."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rse.compiled import compiled
from rse.parameters import Parameters
from rse.values import Valued

SLACK = 1e-9
"""How far below 0 a beginning must fall before it is given up: more than rounding can hide."""


class Candidates(NamedTuple):
    """Legal segments of one query by start, then end; the arrays are parallel."""

    first: NDArray[np.int64]
    """Index into `Valued` of the hit that begins the segment."""

    last: NDArray[np.int64]
    """Index into `Valued` of the hit that ends it, inclusive."""

    value: NDArray[np.float64]
    """Summed value of all chunks from one to the other."""


def candidates(hits: Valued, parameters: Parameters) -> Candidates:
    """List the legal segments: both ends worth 0 or more, one document, value and length in bounds.

    A segment whose beginning sums to less than nothing is left out: without that beginning it is
    worth more, is shorter, and fits wherever the whole would, so neither the greedy choice nor the
    optimum can contain it.

    Cost: O(hits x max_length) at most; a walk ends where the penalty has eaten what it began with.
    """
    first, last, value = _walk(
        hits.document,
        hits.chunk,
        hits.value,
        float(parameters.irrelevant_chunk_penalty),
        int(parameters.max_length),
        float(parameters.minimum_value),
    )
    return Candidates(first, last, value)


@compiled
def _walk(
    document: NDArray[np.int64],
    chunk: NDArray[np.int64],
    value: NDArray[np.float64],
    penalty: float,
    max_length: int,
    minimum_value: float,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    firsts = [np.int64(0) for _ in range(0)]
    lasts = [np.int64(0) for _ in range(0)]
    totals = [np.float64(0.0) for _ in range(0)]
    for first in range(len(chunk)):
        if value[first] < 0:
            continue
        total = 0.0
        last = first
        reached = chunk[first]
        while True:
            # One chunk after the other, left to right, as the reference sums: ties depend on it.
            while reached < chunk[last] and total >= -SLACK:
                total -= penalty
                reached += 1
            if total < -SLACK:
                break
            total += value[last]
            reached += 1
            if value[last] >= 0 and total >= minimum_value:
                firsts.append(np.int64(first))
                lasts.append(np.int64(last))
                totals.append(total)
            last += 1
            if (
                last == len(chunk)
                or document[last] != document[first]
                or chunk[last] - chunk[first] >= max_length
            ):
                break
    return (
        np.array(firsts, dtype=np.int64),
        np.array(lasts, dtype=np.int64),
        np.array(totals, dtype=np.float64),
    )

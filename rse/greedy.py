"""The selection dsRAG ships: queries take turns, each takes its most valuable segment that fits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rse.candidates import Limits, walk
from rse.compiled import compiled
from rse.placed import Placed


class Runs(NamedTuple):
    """Segments of one kind; the arrays are parallel."""

    first: NDArray[np.int64]
    """First chunk."""
    last: NDArray[np.int64]
    """Chunk behind the last one."""
    value: NDArray[np.float64]


@compiled
def greedy(placed: Placed, value: NDArray[np.float64], limits: Limits) -> Runs:
    """Choose segments as `get_best_segments` of dsRAG does, ties included.

    Queries take turns; each takes its most valuable legal segment (ties: earliest in the
    meta-document, then shortest) that overlaps none taken before and fits the budget of chunks. A
    query without one drops out.

    Args:
        placed: The hits of all queries in the meta-document.
        value: What each is worth, penalty included.
        limits: What a segment may be, and all of them together.

    Returns:
        The segments in the order taken.

    Complexity: O(candidates x segments taken) at worst. A candidate once refused never becomes
    possible again, so each turn looks only at those still left.
    """
    queries = len(placed.begin) - 1
    budget = limits.budget
    lists = [_candidates(placed, value, limits, query) for query in range(queries)]
    left = np.array([len(found.value) for found in lists] + [0])
    most = min(budget, left.sum())
    taken_first = np.empty(most, np.int64)
    taken_last = np.empty(most, np.int64)
    taken_value = np.empty(most, np.float64)
    seen = np.zeros(queries, np.int64)
    count = 0
    active = queries
    query = 0
    while active > 0 and budget > 0:
        if left[query] >= 0:
            first, last, worth = lists[query]
            new = slice(seen[query], count)
            taken = Runs(taken_first[new], taken_last[new], taken_value[new])
            kept, best = _still_possible(lists[query], left[query], taken, budget)
            left[query], seen[query] = kept, count
            if kept > 0:
                taken_first[count], taken_last[count] = first[best], last[best]
                taken_value[count] = worth[best]
                budget -= last[best] - first[best]
                count += 1
            else:
                left[query] = -1
                active -= 1
        query = (query + 1) % queries
    return Runs(taken_first[:count], taken_last[:count], taken_value[:count])


@compiled
def _candidates(placed: Placed, value: NDArray[np.float64], limits: Limits, query: int) -> Runs:
    """Return the legal segments of one query, by start, then end."""
    here = slice(placed.begin[query], placed.begin[query + 1])
    chunk = placed.chunk[here]
    first, last, worth = walk(placed.document[here], chunk, value[here], limits)
    return Runs(chunk[first], chunk[last] + 1, worth)


@compiled
def _still_possible(candidates: Runs, left: int, taken: Runs, budget: int) -> tuple[int, int]:
    """Move candidates that overlap nothing taken and fit to the front; return how many, the best.

    Arrays are changed in place; their order, by start and end, stays.
    """
    first, last, worth = candidates
    taken_first, taken_last, _ = taken
    kept = 0
    best = 0
    for at in range(left):
        fits = last[at] - first[at] <= budget
        for i in range(len(taken_first)):
            if first[at] < taken_last[i] and taken_first[i] < last[at]:
                fits = False
                break
        if fits:
            first[kept], last[kept], worth[kept] = first[at], last[at], worth[at]
            if worth[kept] > worth[best]:  # of equals the first: earliest start, then shortest
                best = kept
            kept += 1
    return kept, best

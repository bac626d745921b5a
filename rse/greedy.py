"""The selection dsRAG ships: queries take turns, each takes its most valuable segment that fits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rse.candidates import candidates
from rse.compiled import compiled
from rse.parameters import Parameters
from rse.types import Hits, Layout, Segment, in_order
from rse.values import valued


def greedy_segments(hits: Sequence[Hits], layout: Layout, parameters: Parameters) -> list[Segment]:
    """Choose segments as `get_best_segments` of dsRAG does, ties included.

    Queries take turns; each takes its most valuable legal segment (ties: earliest in the
    meta-document, then shortest) that overlaps none taken before and fits the budget of chunks. A
    query without one drops out. A segment once refused never becomes possible again, so one pass
    over each query's candidates by falling value suffices.

    Cost: O(candidates log candidates), for at most hits x max_length candidates.
    """
    firsts, lasts, values, begins = [], [], [], [0]
    for one in valued(hits, layout, parameters):
        found = candidates(one, parameters)
        ranked = np.argsort(-found.value, kind="stable")
        firsts.append(one.chunk[found.first[ranked]])
        lasts.append(one.chunk[found.last[ranked]] + 1)
        values.append(found.value[ranked])
        begins.append(begins[-1] + len(ranked))
    if not begins[-1]:
        return []
    first, last, value = np.concatenate(firsts), np.concatenate(lasts), np.concatenate(values)
    taken = _take_turns(first, last, np.array(begins), parameters.chunk_budget(len(hits)))
    return in_order([Segment(int(first[i]), int(last[i]), float(value[i])) for i in taken])


@compiled
def _take_turns(
    first: NDArray[np.int64], last: NDArray[np.int64], begin: NDArray[np.int64], budget: int
) -> NDArray[np.int64]:
    """Return the candidates taken; query `q` owns `begin[q]` up to `begin[q + 1]`, best first."""
    queries = len(begin) - 1
    turn = begin[:-1].copy()
    taken = np.empty(min(budget, len(first)), np.int64)
    count = 0
    active = queries
    query = 0
    while active > 0 and budget > 0:
        if turn[query] >= 0:
            at = turn[query]
            while at < begin[query + 1]:
                fits = last[at] - first[at] <= budget
                for i in range(count):
                    other = taken[i]
                    if first[at] < last[other] and first[other] < last[at]:
                        fits = False
                        break
                if fits:
                    break
                at += 1
            if at < begin[query + 1]:
                taken[count] = at
                count += 1
                budget -= last[at] - first[at]
                turn[query] = at + 1
            else:
                turn[query] = -1
                active -= 1
        query = (query + 1) % queries
    return taken[:count]

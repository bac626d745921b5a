"""The exact optimum of what RSE maximises, by weighted interval scheduling with a budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rse.candidates import Candidates, candidates
from rse.checks import named, number
from rse.compiled import compiled
from rse.parameters import Parameters
from rse.types import Hits, Layout, Segment, in_order
from rse.values import Valued, valued

UNIT = 2.0**-40
"""Values are added up in whole multiples of this: equal sums are equal however they arose."""


MANY = 2**31
"""More segments than any answer has: weighs one chunk above all of them."""


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Optimal(Parameters):
    """Select the set of disjoint segments with the greatest sum of worth.

    Each segment must be legal for at least one query exactly as for `RSE`; its worth is its best
    value over the queries for which it is legal, less `segment_cost`. All together span at most
    `overall_max_length` chunks, plus the extension for further queries. Ties: fewer chunks, then
    fewer segments (two that touch show the reader what one would), then earlier in the
    meta-document. `Segment.score` is the value before the cost, so that sums compare with those of
    `RSE`: with `segment_cost` 0 they are never smaller.

    Values add up, so without a cost a gap is bridged only where one side alone would miss
    `minimum_value`: the optimum falls apart into many short segments. `segment_cost` is what keeps
    it to RSE's idea.
    """

    segment_cost: float = 0.0
    """What each segment costs beside its chunks, in units of value; 0 or more."""

    def __post_init__(self) -> None:
        Parameters.__post_init__(self)
        number("segment_cost", self.segment_cost, "a number of 0 or more", lambda cost: cost >= 0)

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:
        if not hits:
            return []
        pool = _pool(valued(hits, layout, self), self)
        taken = _best_set(
            pool.begin,
            pool.after,
            pool.last - pool.first,
            pool.sum - round(self.segment_cost / UNIT),
            pool.events,
            min(self.chunk_budget(len(hits)), pool.events * self.max_length),
        )
        return in_order(
            [Segment(int(pool.first[i]), int(pool.last[i]), float(pool.value[i])) for i in taken]
        )


class _Pool(NamedTuple):
    """The candidates of all queries together, by start, then end; the arrays are parallel."""

    first: NDArray[np.int64]
    last: NDArray[np.int64]
    value: NDArray[np.float64]
    sum: NDArray[np.int64]
    """The same value, added up in units of `UNIT`."""
    begin: NDArray[np.int64]
    """Event (hit, in the order of the meta-document) at which the segment begins."""
    after: NDArray[np.int64]
    """First event behind the segment."""
    events: int


def _pool(queries: Sequence[Valued], parameters: Parameters) -> _Pool:
    """Gather candidates, each once with its best value over the queries."""
    parts = [_columns(one, candidates(one, parameters), parameters) for one in queries]
    document, first, last, value, sums = (
        np.concatenate(column) for column in zip(*parts, strict=True)
    )
    order = np.lexsort((-sums, last, first, document))
    new = np.ones(len(order), bool)
    new[1:] = (np.diff(first[order]) != 0) | (np.diff(last[order]) != 0)
    kept = order[new]
    document, first, last = document[kept], first[kept], last[kept]
    # Only starts matter as events: a state is "everything from this start on".
    stride = last.max(initial=0) + 1
    starts, begin = np.unique(document * stride + first, return_inverse=True)
    after = np.searchsorted(starts, document * stride + last)
    return _Pool(first, last, value[kept], sums[kept], begin, after, len(starts))


def _columns(hits: Valued, found: Candidates, parameters: Parameters) -> tuple[NDArray[Any], ...]:
    """Return document, first chunk, end, value and sum of each candidate of one query."""
    first, last = hits.chunk[found.first], hits.chunk[found.last] + 1
    before = np.concatenate(([0], np.cumsum(np.rint(hits.value / UNIT).astype(np.int64))))
    gaps = (last - first) - (found.last - found.first + 1)
    sums = before[found.last + 1] - before[found.first]
    sums -= gaps * round(parameters.irrelevant_chunk_penalty / UNIT)
    return hits.document[found.first], first, last, found.value, sums


@compiled
def _best_set(
    begin: NDArray[np.int64],
    after: NDArray[np.int64],
    length: NDArray[np.int64],
    worth: NDArray[np.int64],
    events: int,
    budget: int,
) -> NDArray[np.int64]:
    """Return the best set of candidates, in order of position.

    `best[e, b]` is the greatest worth of segments that begin at event `e` or later and span at most
    `b` chunks; filled from the back, so that of equal sets the one that begins earliest is met last
    and kept. O((events + candidates) x budget).
    """
    best = np.zeros((events + 1, budget + 1), np.int64)
    size = np.zeros((events + 1, budget + 1), np.int64)  # chunks and segments, in one number
    choice = np.full((events + 1, budget + 1), -1, np.int64)
    candidate = len(begin) - 1
    for event in range(events - 1, -1, -1):
        best[event] = best[event + 1]
        size[event] = size[event + 1]
        while candidate >= 0 and begin[candidate] == event:
            long = length[candidate]
            behind = after[candidate]
            for room in range(long, budget + 1):
                total = worth[candidate] + best[behind, room - long]
                extent = long * MANY + 1 + size[behind, room - long]
                # From the longest segment to the shortest, so that equals go to the shortest.
                if total > best[event, room] or (
                    total == best[event, room] and extent <= size[event, room]
                ):
                    best[event, room] = total
                    size[event, room] = extent
                    choice[event, room] = candidate
            candidate -= 1
    taken = np.empty(min(budget, events), np.int64)
    count = 0
    event = 0
    room = budget
    while event < events:
        at = choice[event, room]
        if at < 0:
            event += 1
        else:
            taken[count] = at
            count += 1
            event = after[at]
            room -= length[at]
    return taken[:count]

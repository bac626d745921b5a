"""The best set of disjoint candidates within a budget: weighted interval scheduling."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rse.candidates import Limits, walk
from rse.compiled import compiled
from rse.merge import merged
from rse.placed import Placed
from rse.units import CHUNK, UNIT, better

CELLS = 50_000_000
"""Events times budget beyond which the exact programme would take a gigabyte and seconds."""

HOPELESS = (
    "this token_budget over so many candidates is too much for an exact answer; use "
    "priced[token_budget=...], or a smaller budget or depth"
)


class Pool(NamedTuple):
    """The candidates of all queries together, by start, then end; the arrays are parallel."""

    first: NDArray[np.int64]
    """First chunk."""
    last: NDArray[np.int64]
    """Chunk behind the last one."""
    value: NDArray[np.float64]
    """Best value over the queries for which the segment is legal."""
    sum: NDArray[np.int64]
    """The same value, added up in units of `UNIT`."""
    begin: NDArray[np.int64]
    """Event (distinct start, in the order of the meta-document) at which the segment begins."""
    after: NDArray[np.int64]
    """First event behind the segment."""


@compiled
def pooled(placed: Placed, value: NDArray[np.float64], limits: Limits, chunks: int) -> Pool:
    """Gather every query's candidates, each segment once.

    Args:
        placed: The hits of all queries in the meta-document.
        value: What each is worth, penalty included.
        limits: What a segment may be, before any cost.
        chunks: Chunks of the whole corpus.
    """
    begin, document, chunk = placed.begin, placed.document, placed.chunk
    queries = len(begin) - 1
    units = np.rint(value / UNIT).astype(np.int64)
    before: NDArray[np.int64] = np.concatenate((np.zeros(1, np.int64), np.cumsum(units)))
    gap = int(np.rint(limits.penalty / UNIT))
    first = np.empty(0, np.int64)
    last = np.empty(0, np.int64)
    sums = np.empty(0, np.float64)
    found_of = np.zeros(queries + 1, np.int64)
    for query in range(queries):
        here = slice(begin[query], begin[query + 1])
        some_first, some_last, some_sums = walk(document[here], chunk[here], value[here], limits)
        first = np.concatenate((first, some_first + begin[query]))
        last = np.concatenate((last, some_last + begin[query]))
        sums = np.concatenate((sums, some_sums))
        found_of[query + 1] = len(first)
    gaps = (chunk[last] - chunk[first]) - (last - first)
    total = before[last + 1] - before[first] - gaps * gap
    key = document[first] * chunks + chunk[first]
    reach = document[first] * chunks + chunk[last] + 1
    first, last = chunk[first], chunk[last] + 1
    if queries > 1:
        kept = _each_once(found_of, key, reach, total)
        first, last, sums, total = first[kept], last[kept], sums[kept], total[kept]
        key, reach = key[kept], reach[kept]
    # Only starts matter as events: a state is "everything from this start on".
    starts = np.empty(len(key), np.int64)
    event = np.empty(len(key), np.int64)
    count = 0
    for i in range(len(key)):
        if count == 0 or key[i] != starts[count - 1]:
            starts[count] = key[i]
            count += 1
        event[i] = count - 1
    return Pool(first, last, sums, total, event, np.searchsorted(starts[:count], reach))


@compiled
def _each_once(
    found_of: NDArray[np.int64],
    key: NDArray[np.int64],
    reach: NDArray[np.int64],
    total: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Order candidates by start, then end; of those that are the same segment keep the best."""
    kept = np.empty(len(key), np.int64)
    count = 0
    for i in merged(found_of, key, reach):
        if count and key[i] == key[kept[count - 1]] and reach[i] == reach[kept[count - 1]]:
            if total[i] > total[kept[count - 1]]:
                kept[count - 1] = i
        else:
            kept[count] = i
            count += 1
    return kept[:count]


@compiled
def best_set(
    pool: Pool, cost: NDArray[np.int64], segment_cost: int, budget: int
) -> NDArray[np.int64]:
    """Return the set of disjoint candidates of the greatest worth whose costs fit the budget.

    `best[e, b]` is the greatest worth of segments that begin at event `e` or later and cost at most
    `b`; filled from the back, so that of equal sets the one that begins earliest is met last and
    kept. Ties: fewer chunks, then fewer segments, then earlier.

    Args:
        pool: The candidates.
        cost: What each takes of the budget: chunks or tokens.
        segment_cost: What each segment's worth is less than its sum, in units.
        budget: Most that all may cost.

    Returns:
        Indices of the candidates chosen, in order of position.

    Raises:
        ValueError: Events times budget are more than `CELLS`.

    Complexity: O((events + candidates) x budget).
    """
    choice = _choices(pool, cost, segment_cost, budget)
    taken = np.empty(len(choice), np.int64)
    count = 0
    at = 0
    room = budget
    while at < len(choice) - 1:
        chosen = choice[at, room]
        if chosen < 0:
            at += 1
        else:
            taken[count] = chosen
            count += 1
            at = pool.after[chosen]
            room -= cost[chosen]
    return taken[:count]


@compiled
def _choices(
    pool: Pool, cost: NDArray[np.int64], segment_cost: int, budget: int
) -> NDArray[np.int32]:
    """Return, for each event and each budget left, the candidate to take there; -1: none."""
    event, after = pool.begin, pool.after
    length = pool.last - pool.first
    worth = pool.sum - segment_cost
    events = event[-1] + 1 if len(event) else 0
    if (events + 1) * (budget + 1) > CELLS:
        raise ValueError(HOPELESS)
    best = np.zeros((events + 1, budget + 1), np.int64)
    size = np.zeros((events + 1, budget + 1), np.int64)
    choice = np.full((events + 1, budget + 1), -1, np.int32)
    candidate = len(event) - 1
    for at in range(events - 1, -1, -1):
        best[at] = best[at + 1]
        size[at] = size[at + 1]
        while candidate >= 0 and event[candidate] == at:
            behind = after[candidate]
            price = cost[candidate]
            gain = worth[candidate]
            extent = length[candidate] * CHUNK + 1
            # From the longest segment to the shortest, so that equals go to the shortest.
            if gain >= 0:
                for room in range(price, budget + 1):
                    total = gain + best[behind, room - price]
                    reading = extent + size[behind, room - price]
                    if better(total, reading, best[at, room], size[at, room]):
                        best[at, room] = total
                        size[at, room] = reading
                        choice[at, room] = candidate
            candidate -= 1
    return choice


@compiled
def needed(pool: Pool, cost: NDArray[np.int64], budget: int) -> int:
    """Return the budget, or what suffices for any set where that is less."""
    event = pool.begin
    most = 0
    total = 0
    for i in range(len(event)):
        if i and event[i] != event[i - 1]:
            total += most
            most = 0
        most = max(most, int(cost[i]))
    return min(budget, total + most)

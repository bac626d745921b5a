"""Hits put where they stand: the documents considered end to end, a "meta-document".

The reference (dsRAG 0.5.6) values every chunk of that document. A chunk that is no hit is worth
exactly the penalty, so it suffices to keep the hits and count what lies between them: the cost
depends on the hits, never on the corpus.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rse.compiled import compiled
from rse.merge import merged
from rse.types import Hits, Layout

MANY = 2**40
"""More chunks than any corpus has: larger limits mean the same."""

REFERENCE_LENGTH = 700
"""Characters of a usual chunk; longer hits count for proportionally more (as in dsRAG)."""


class Placed(NamedTuple):
    """Hits inside the meta-document, query after query, each in its order; parallel arrays."""

    begin: NDArray[np.int64]
    """Query `q` owns the hits `begin[q]` up to, not including, `begin[q + 1]`."""

    document: NDArray[np.int64]
    """Place of the chunk's document in the meta-document: 0, 1, 2..."""

    chunk: NDArray[np.int64]
    """Corpus-wide chunk number."""

    rank: NDArray[np.int64]
    """Rank of the hit among those of its query, from 0."""

    score: NDArray[np.float64]
    """Relevance in [0, 1]."""

    scale: NDArray[np.float64]
    """`max(characters, 700) / 700`: what `chunk_length_adjustment` multiplies values with."""


class Ranked(NamedTuple):
    """The hits of all queries of a question, one query after the other; parallel arrays."""

    begin: NDArray[np.int64]
    """Query `q` owns the hits `begin[q]` up to, not including, `begin[q + 1]`."""

    chunk: NDArray[np.int64]
    """Corpus-wide chunk number, by rank."""

    score: NDArray[np.float64]
    """Relevance in [0, 1], by rank."""

    by_chunk: NDArray[np.int64]
    """Ranks of the hits of each query, in the order of their chunks."""


def ranked(hits: Sequence[Hits]) -> Ranked:
    """Lay the hits of all queries end to end."""
    if len(hits) == 1:
        (one,) = hits
        return Ranked(np.array([0, len(one.chunk)]), one.chunk, one.score, one.by_chunk)
    empty = np.empty(0, np.int64)
    found = Ranked(
        np.cumsum([0, *map(len, hits)]),
        np.concatenate([empty, *(one.chunk for one in hits)]),
        np.concatenate([empty.astype(np.float64), *(one.score for one in hits)]),
        np.concatenate([empty, *(one.by_chunk for one in hits)]),
    )
    for array in found[1:]:  # like those of one query: else all kernels are compiled twice
        array.flags.writeable = False
    return found


def place(hits: Sequence[Hits], layout: Layout, top_k: int) -> Placed:
    """Put the hits of all queries in the order of the meta-document, see `placed`."""
    return placed(ranked(layout.check(hits)), layout.start, layout.length, min(top_k, MANY))


def fading(decay_rate: float, ranks: int) -> NDArray[np.float64]:
    """Return `exp(-rank / decay_rate)` for the first `ranks` ranks, or some more.

    The exponentials come from NumPy, not from compiled code: the last bit may differ.
    """
    return _fading(max(float(decay_rate), 1e-300), 1 << max(ranks - 1, 0).bit_length())


@lru_cache(maxsize=64)
def _fading(decay_rate: float, ranks: int) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.exp(-np.arange(ranks) / decay_rate)
    return found


@compiled
def placed(hits: Ranked, start: NDArray[np.int64], length: NDArray[np.int32], top_k: int) -> Placed:
    """Put the hits of all queries in the order of the meta-document.

    It holds the documents of the best `top_k` hits of every query in order of first appearance,
    query after query; other hits are left out. (The reference keeps the documents in a set, so
    that its order changes with the hash seed; ours is fixed.)

    Args:
        hits: The hits of all queries.
        start: `Layout.start`.
        length: `Layout.length`; empty where nobody needs `scale`, which then is 1.
        top_k: Hits of each query whose documents count.

    Complexity: O(hits + documents hit x log documents).
    """
    begin, chunk, _, _ = hits
    number, run_begin, appearance, runs_of = _runs(hits, start, top_k)
    known, order = _considered(number, appearance, runs_of, len(chunk))
    found = _room(len(begin) - 1, len(chunk))
    slot = np.empty(len(known), np.int64)
    run = 0
    kept = 0
    for query in range(len(begin) - 1):
        slot[:] = -1
        at = 0
        while run < runs_of[query + 1]:
            while at < len(known) and known[at] < number[run]:
                at += 1
            if at < len(known) and known[at] == number[run]:
                slot[order[at]] = run
            run += 1
        for document in range(len(slot)):
            here = slot[document]
            if here >= 0:
                found.document[kept : kept + run_begin[here + 1] - run_begin[here]] = document
                for i in range(run_begin[here], run_begin[here + 1]):
                    _copy(found, kept, hits, begin[query], i, length)
                    kept += 1
        found.begin[query + 1] = kept
    return Placed(
        found.begin,
        found.document[:kept],
        found.chunk[:kept],
        found.rank[:kept],
        found.score[:kept],
        found.scale[:kept],
    )


@compiled
def _room(queries: int, hits: int) -> Placed:
    """Return room for so many queries and hits."""
    return Placed(
        np.zeros(queries + 1, np.int64),
        np.empty(hits, np.int64),
        np.empty(hits, np.int64),
        np.empty(hits, np.int64),
        np.empty(hits, np.float64),
        np.empty(hits, np.float64),
    )


@compiled
def _copy(
    found: Placed, kept: int, hits: Ranked, begin: int, i: int, length: NDArray[np.int32]
) -> None:
    """Put a hit, the `i`-th by chunk of the query that begins at `begin`, in its place."""
    rank = hits.by_chunk[i]
    chunk = hits.chunk[begin + rank]
    found.chunk[kept] = chunk
    found.rank[kept] = rank
    found.score[kept] = hits.score[begin + rank]
    found.scale[kept] = 1.0
    if len(length):
        found.scale[kept] = max(length[chunk], REFERENCE_LENGTH) / REFERENCE_LENGTH


@compiled
def _runs(
    hits: Ranked, start: NDArray[np.int64], top_k: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Split each query's hits, in the order of their chunks, into runs of one document.

    Returns:
        Document of each run, its first place in `by_chunk` (and the end of all), when the document
        appears among the best `top_k` hits of the queries (-1 if it does not), and where each
        query's runs begin.
    """
    begin, chunk, _, by_chunk = hits
    runs_of = np.zeros(len(begin), np.int64)
    number = np.empty(len(chunk), np.int64)
    run_begin = np.empty(len(chunk) + 1, np.int64)
    appearance = np.empty(len(chunk), np.int64)
    count = 0
    for query in range(len(begin) - 1):
        end = 0  # of the document of the run, in chunks
        for i in range(begin[query], begin[query + 1]):
            here = chunk[begin[query] + by_chunk[i]]
            if i == begin[query] or here >= end:
                document = owner(start, here)
                end = start[document + 1]
                number[count], run_begin[count], appearance[count] = document, i, -1
                count += 1
            rank = by_chunk[i]
            if rank < top_k and (
                appearance[count - 1] < 0 or begin[query] + rank < appearance[count - 1]
            ):
                appearance[count - 1] = begin[query] + rank
        runs_of[query + 1] = count
    run_begin[count] = len(chunk)
    return number[:count], run_begin[: count + 1], appearance[:count], runs_of


@compiled
def owner(start: NDArray[np.int64], chunk: int) -> int:
    """Return the document that owns a chunk.

    Begins where it would be if all documents were of one length and looks ahead in growing steps:
    in a large corpus a search by halves would fetch ten distant places from memory instead of two.

    Complexity: O(log of how far the guess is off).
    """
    last = len(start) - 1
    low = min(int(chunk / start[last] * last), last - 1)
    step = 1
    if start[low] <= chunk:
        high = low + 1
        while start[high] <= chunk:
            low = high
            high = min(high + step, last)
            step *= 2
    else:
        high = low
        low -= 1
        while start[low] > chunk:
            high = low
            low = max(low - step, 0)
            step *= 2
    while high - low > 1:
        middle = (low + high) // 2
        if start[middle] <= chunk:
            low = middle
        else:
            high = middle
    return low


@compiled
def _considered(
    number: NDArray[np.int64],
    appearance: NDArray[np.int64],
    runs_of: NDArray[np.int64],
    hits: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the documents of the meta-document, rising, and the place of each in it."""
    known = np.empty(len(number), np.int64)
    first = np.empty(len(number), np.int64)
    count = 0
    for i in merged(runs_of, number, appearance):
        if appearance[i] >= 0 and (count == 0 or number[i] != known[count - 1]):
            known[count], first[count] = number[i], appearance[i]
            count += 1
    # Each document appears with a hit of its own: a look-up by hit does what sorting would.
    document = np.full(hits, -1, np.int64)
    document[first[:count]] = np.arange(count)
    order = np.empty(count, np.int64)
    seen = 0
    for hit in range(hits):
        if document[hit] >= 0:
            order[document[hit]] = seen
            seen += 1
    return known[:count], order

"""Expected shares of the gold, hit by hit, and what stands between the hits in tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rse.compiled import compiled
from rse.merge import merged
from rse.placed import MANY, Ranked, placed, ranked
from rse.schedule import CELLS, HOPELESS
from rse.types import Hits, Layout
from rse.units import CHUNK, UNIT, better

FAR = 2**40
"""More tokens than any budget or document has: what lies between two documents."""


class Shares(NamedTuple):
    """The hits of all queries, each chunk once, in the order of the meta-document; parallel."""

    chunk: NDArray[np.int64]
    """Corpus-wide chunk number."""
    share: NDArray[np.int64]
    """Expected share of the gold in the chunk, in units of `UNIT`: the largest of its queries."""
    cost: NDArray[np.int64]
    """Tokens in the chunk."""
    gap: NDArray[np.int64]
    """Tokens between the hit before and this one; `FAR` where a document begins."""


class Corpus(NamedTuple):
    """What a layout says of documents and chunks."""

    start: NDArray[np.int64]
    token_sum: NDArray[np.int64]
    """Tokens before each chunk, and in all."""


_NONE = np.empty(0, np.int64)


def shares(hits: Sequence[Hits], layout: Layout) -> Shares:
    """Bring the hits of all queries together; chunks that are no hits hold nothing.

    Complexity: O(hits log hits).

    Raises:
        ValueError: The layout does not say how many tokens chunks have.
    """
    return gathered(ranked(layout.check(hits)), corpus_of(layout))


def corpus_of(layout: Layout) -> Corpus:
    """Return the arrays of a layout that kernels look things up in.

    Raises:
        ValueError: The layout does not say how many tokens chunks have.
    """
    layout.tokens_of(_NONE, _NONE)  # says what lacks
    assert layout.token_sum is not None  # noqa: S101
    return Corpus(layout.start, layout.token_sum)


@compiled
def gathered(hits: Ranked, corpus: Corpus) -> Shares:
    """Bring the hits of all queries together, each chunk once with its largest share."""
    lengths = np.empty(0, np.int32)  # shares need none: no look-ups in a large corpus
    here = placed(hits, corpus.start, lengths, int(np.int64(MANY)))  # a literal compiles anew
    share = np.rint(here.score / UNIT).astype(np.int64)
    document, chunk = here.document, here.chunk
    if len(here.begin) > 2:  # the hits of one query are in order, each chunk once
        order = merged(here.begin, document, chunk)
        document, chunk, share = document[order], chunk[order], share[order]
        kept = 0
        for i in range(len(chunk)):
            if i and chunk[i] == chunk[kept - 1]:
                share[kept - 1] = max(share[kept - 1], share[i])
            else:
                document[kept], chunk[kept], share[kept] = document[i], chunk[i], share[i]
                kept += 1
        document, chunk, share = document[:kept], chunk[:kept], share[:kept]
    cost = np.empty(len(chunk), np.int64)
    gap = np.empty(len(chunk), np.int64)
    for i in range(len(chunk)):
        cost[i] = corpus.token_sum[chunk[i] + 1] - corpus.token_sum[chunk[i]]
        gap[i] = FAR
        if i and document[i] == document[i - 1]:
            gap[i] = corpus.token_sum[chunk[i]] - corpus.token_sum[chunk[i - 1] + 1]
    return Shares(chunk, share, cost, gap)


@compiled
def best_shares(
    found: Shares, segment_cost: int, segment_tokens: int, budget: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the segments that hold the largest expected share within a budget of tokens.

    Segments begin and end on hits of one document. `closed[b]` is the best that hits `i` and later
    can give for `b` tokens, `opened[b]` the same where the hit before `i` is in a segment that may
    go on. Ties: fewer chunks, then fewer segments, then earlier.

    Args:
        found: The hits.
        segment_cost: What each segment costs, in units of share.
        segment_tokens: What each segment takes of the budget beside its tokens.
        budget: Tokens, and `segment_tokens` for each segment, at most.

    Returns:
        The hits that begin and end each segment.

    Raises:
        ValueError: Hits times budget are more than `CELLS`.

    Complexity: O(hits x budget).
    """
    chunk, share, cost, gap = found
    hits = len(chunk)
    width = budget + 1
    if hits * width > CELLS:
        raise ValueError(HOPELESS)
    closed, closed_size = np.zeros(width, np.int64), np.zeros(width, np.int64)
    opened, opened_size = np.zeros(width, np.int64), np.zeros(width, np.int64)
    begins = np.zeros((hits, width), np.bool_)
    goes_on = np.zeros((hits, width), np.bool_)
    for i in range(hits - 1, -1, -1):
        # What follows from "hit i is in": read before the rows are overwritten, from the back.
        for room in range(budget, -1, -1):
            skip, skip_size = closed[room], closed_size[room]
            here, here_size = skip, skip_size
            need = cost[i] + segment_tokens
            if need <= room:
                worth = share[i] - segment_cost + opened[room - need]
                size = CHUNK + 1 + opened_size[room - need]
                if better(worth, size, here, here_size):
                    here, here_size = worth, size
                    begins[i, room] = True
            on, on_size = here, here_size
            need = cost[i] + gap[i]
            if need <= room:
                worth = share[i] + opened[room - need]
                size = (chunk[i] - chunk[i - 1]) * CHUNK + opened_size[room - need]
                if better(worth, size, on, on_size):
                    on, on_size = worth, size
                    goes_on[i, room] = True
            closed[room], closed_size[room] = here, here_size
            opened[room], opened_size[room] = on, on_size
    return _follow(begins, goes_on, found, segment_tokens, budget)


@compiled
def _follow(
    begins: NDArray[np.bool_],
    goes_on: NDArray[np.bool_],
    found: Shares,
    segment_tokens: int,
    budget: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Read the choices from the first hit on."""
    _, _, cost, gap = found
    first = np.empty(len(cost), np.int64)
    last = np.empty(len(cost), np.int64)
    count = 0
    inside = False
    room = budget
    for i in range(len(cost)):
        if inside and goes_on[i, room]:
            last[count - 1] = i
            room -= cost[i] + gap[i]
        elif begins[i, room]:
            first[count] = last[count] = i
            count += 1
            inside = True
            room -= cost[i] + segment_tokens
        else:
            inside = False
    return first[:count], last[:count]

"""Span metrics of many selections at once: compiled, for sweeps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.corpus import Corpus
from bench.types import Passage
from rse.batch import Selections
from rse.compiled import compiled

COLUMNS = ("recall", "precision", "iou", "tokens", "chunks")
"""What `score_selections` returns, column by column."""


class Targets(NamedTuple):
    """A question's gold, one row for each alternative, passage by passage; parallel arrays."""

    passage: NDArray[np.int64]
    """Number of the passage, rising from 0."""
    document: NDArray[np.int64]
    """Number of the document: two without chunks would have the same first one."""
    low: NDArray[np.int64]
    """First chunk of the document."""
    high: NDArray[np.int64]
    """Chunk behind its last one."""
    start: NDArray[np.int64]
    """First character."""
    end: NDArray[np.int64]
    """Character behind the last one."""


class Ground(NamedTuple):
    """Where the chunks of a corpus stand and what they cost; parallel to the chunks."""

    start: NDArray[np.int64]
    reach: NDArray[np.int64]
    token_sum: NDArray[np.int64]
    """Tokens before each chunk, and in all."""


class Shown(NamedTuple):
    """What one setting selected, and what it is held against."""

    first: NDArray[np.int64]
    """First chunk of each segment."""
    last: NDArray[np.int64]
    """Chunk behind its last one."""
    ground: Ground
    gold: Targets


def targets(corpus: Corpus, gold: tuple[Passage, ...]) -> Targets:
    """Bring a question's gold into arrays."""
    rows = [
        (
            number,
            corpus.number[s.doc],
            *corpus.layout.start[corpus.number[s.doc] :][:2].tolist(),
            s.start,
            s.end,
        )
        for number, passage in enumerate(gold)
        for s in passage
    ]
    return Targets(*np.array(rows, np.int64).reshape(-1, 6).T.copy())


def ground(corpus: Corpus) -> Ground:
    """Return what scoring needs of a corpus.

    Raises:
        ValueError: Chunks overlap, so that tokens of a run are no difference of sums.
    """
    if corpus.overlapping or corpus.layout.token_sum is None:
        raise ValueError("sweeps need a chunker without overlap; overlap only serves baselines")
    return Ground(corpus.start, corpus.reach, corpus.layout.token_sum)


def score_selections(found: Selections, ground: Ground, gold: Targets) -> NDArray[np.float64]:
    """Score what each setting selected; shape (settings, columns), see `COLUMNS`.

    The same numbers as `bench.metrics.spans.score`, nan without gold likewise.

    Complexity: O(segments x alternatives) for each setting.
    """
    return _score(found, ground, gold)


@compiled
def _score(found: Selections, ground: Ground, gold: Targets) -> NDArray[np.float64]:
    settings = len(found.begin) - 1
    scores = np.full((settings, 5), np.nan)
    passages = gold.passage[-1] + 1 if len(gold.passage) else 0
    chosen = np.empty(passages, np.int64)
    for at in range(settings):
        here = slice(found.begin[at], found.begin[at + 1])
        shown = Shown(found.first[here], found.last[here], ground, gold)
        tokens = 0
        chunks = 0
        returned = 0
        for first, last in zip(shown.first, shown.last):  # noqa: B905, numba knows no strict
            tokens += ground.token_sum[last] - ground.token_sum[first]
            chunks += last - first
            returned += ground.reach[last - 1] - ground.start[first]
        scores[at, 3], scores[at, 4] = tokens, chunks
        if passages == 0:
            continue
        scores[at, 0] = _recall(shown, chosen)
        both, wanted = _in_common(shown, chosen)
        scores[at, 1] = both / returned if returned else 0.0
        scores[at, 2] = both / (returned + wanted - both)
    return scores


@compiled
def _recall(shown: Shown, chosen: NDArray[np.int64]) -> float:
    """Return recall; write the best alternative of each passage into `chosen`."""
    gold = shown.gold
    total = 0.0
    whole = 0
    least = 1.0
    weight = 0
    best = -1.0
    for row in range(len(gold.passage)):
        size = gold.end[row] - gold.start[row]
        if row == 0 or gold.passage[row] != gold.passage[row - 1]:
            weight = size
            whole += size
            best = -1.0
        share = _covered(shown, row, gold.start[row]) / size
        if share > best:
            best = share
            chosen[gold.passage[row]] = row
        if row + 1 == len(gold.passage) or gold.passage[row + 1] != gold.passage[row]:
            total += best * weight
            least = min(least, best)
    return 1.0 if least == 1.0 else total / whole


@compiled
def _in_common(shown: Shown, chosen: NDArray[np.int64]) -> tuple[int, int]:
    """Return how many characters of the chosen alternatives' union are selected, and its size."""
    gold = shown.gold
    order = chosen.copy()
    for i in range(1, len(order)):  # few passages: put in place one by one
        row, at = order[i], i
        while at > 0 and _is_before(gold, row, order[at - 1]):
            order[at] = order[at - 1]
            at -= 1
        order[at] = row
    both = 0
    wanted = 0
    reached = 0
    for i in range(len(order)):
        row = order[i]
        if i == 0 or gold.document[row] != gold.document[order[i - 1]]:
            reached = 0
        start = max(gold.start[row], reached)
        if start < gold.end[row]:
            both += _covered(shown, row, start)
            wanted += gold.end[row] - start
            reached = gold.end[row]
    return both, wanted


@compiled
def _is_before(gold: Targets, row: int, other: int) -> bool:
    """Tell whether one alternative stands before another."""
    if gold.document[row] != gold.document[other]:
        return bool(gold.document[row] < gold.document[other])
    return bool(gold.start[row] < gold.start[other])


@compiled
def _covered(shown: Shown, row: int, start: int) -> int:
    """Count the characters of a row's span, from `start` on, that are selected."""
    ground, gold = shown.ground, shown.gold
    end = gold.end[row]
    found = 0
    for first, last in zip(shown.first, shown.last):  # noqa: B905, numba knows no strict
        if gold.low[row] <= first < gold.high[row]:
            low = max(ground.start[first], start)
            high = min(ground.reach[last - 1], end)
            if high > low:
                found += high - low
    return found

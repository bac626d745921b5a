"""The compiled loop of `bench.metrics.batch`: what answers hold, span by span, and cut at budgets.

One file, because compiled code is kept by the file of the function that is called first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.metrics.arrays import Answers, Golds
from rse.compiled import compiled

Numbers = NDArray[np.int64]

COLUMNS = ("recall", "precision", "iou", "f1", "hit", "full", "context_precision", "tokens")
"""What `score_answers` returns, column by column; recall at each budget follows."""


class Gold(NamedTuple):
    """The evidence of one question, as in `Golds`."""

    passage: Numbers
    start: Numbers
    end: Numbers
    order: Numbers
    low: Numbers
    high: Numbers


class Work(NamedTuple):
    """Room used again for every answer."""

    part_start: Numbers
    """What each span adds to those before it, in the order of reading."""
    part_end: Numbers
    run_start: Numbers
    """The union of the spans so far: disjoint, rising."""
    run_end: Numbers
    covered: Numbers
    """Characters returned of each alternative."""
    chosen: Numbers
    """Best alternative of each passage."""


@compiled
def score_answers(
    answers: Answers, golds: Golds, tokens: Numbers, budgets: Numbers, hit_share: float
) -> NDArray[np.float64]:
    """Score every answer; shape (answers, columns), see `COLUMNS`.

    Complexity: O(spans x (runs + log tokens) + budgets x alternatives) for each answer.
    """
    count = len(answers.begin) - 1
    scores = np.full((count, 8 + len(budgets)), np.nan)
    most, rows = 0, 0
    for at in range(count):
        most = max(most, answers.begin[at + 1] - answers.begin[at])
    for at in range(len(golds.begin) - 1):
        rows = max(rows, golds.begin[at + 1] - golds.begin[at])
    work = Work(
        np.empty(2 * most + 1, np.int64),
        np.empty(2 * most + 1, np.int64),
        np.empty(most + 1, np.int64),
        np.empty(most + 1, np.int64),
        np.empty(rows, np.int64),
        np.empty(rows, np.int64),
    )
    for at in range(count):
        first, last = answers.begin[at], answers.begin[at + 1]
        asked = answers.question[at]
        low, high = golds.begin[asked], golds.begin[asked + 1]
        gold = Gold(
            golds.passage[low:high],
            golds.start[low:high],
            golds.end[low:high],
            golds.order[low:high],
            golds.low[low:high],
            golds.high[low:high],
        )
        start, end = answers.start[first:last], answers.end[first:last]
        parts, runs = _parts(start, end, work)
        scores[at, 7] = _read(parts, gold, work, (tokens, budgets), scores[at, 8:])
        if high > low:
            _shares(parts, runs, gold, work, hit_share, scores[at])
            scores[at, 6] = _context_precision(start, end, gold)
    return scores


@compiled
def _parts(start: Numbers, end: Numbers, work: Work) -> tuple[int, int]:
    """Write what each span adds to those before it, and the union; return the numbers of both."""
    parts, runs = 0, 0
    for one in range(len(start)):
        low, high = start[one], end[one]
        if low >= high:
            continue
        first = np.searchsorted(work.run_end[:runs], low, side="right")
        at, last = low, first
        while last < runs and work.run_start[last] < high:
            if work.run_start[last] > at:
                work.part_start[parts], work.part_end[parts] = at, work.run_start[last]
                parts += 1
            at = work.run_end[last]
            last += 1
        if at < high:
            work.part_start[parts], work.part_end[parts] = at, high
            parts += 1
        if last > first:  # the runs from first to last become one
            low, high = min(low, work.run_start[first]), max(high, work.run_end[last - 1])
        shift = first + 1 - last
        if shift == 1:
            for place in range(runs, first, -1):
                work.run_start[place] = work.run_start[place - 1]
                work.run_end[place] = work.run_end[place - 1]
        elif shift < 0:
            for place in range(last, runs):
                work.run_start[place + shift] = work.run_start[place]
                work.run_end[place + shift] = work.run_end[place]
        work.run_start[first], work.run_end[first] = low, high
        runs += shift
    return parts, runs


@compiled
def _read(
    parts: int,
    gold: Gold,
    work: Work,
    ruler: tuple[Numbers, Numbers],
    at_budgets: NDArray[np.float64],
) -> int:
    """Read part by part; write recall at each budget, and return the tokens of all."""
    tokens, budgets = ruler
    work.covered[: len(gold.passage)] = 0
    used, cut = 0, 0
    for part in range(parts):
        start, end = work.part_start[part], work.part_end[part]
        first = np.searchsorted(tokens, start)
        more = np.searchsorted(tokens, end) - first
        while cut < len(budgets) and budgets[cut] - used < more:
            border = tokens[first + budgets[cut] - used]
            _gain(start, border, gold, work.covered)
            start = border
            at_budgets[cut] = _recall(gold, work)[0]
            cut += 1
        _gain(start, end, gold, work.covered)
        used += more
    if cut < len(budgets):
        at_budgets[cut:] = _recall(gold, work)[0]
    return used


@compiled
def _gain(start: int, end: int, gold: Gold, covered: Numbers) -> None:
    """Add what `[start, end)` holds of each alternative."""
    at = np.searchsorted(gold.high, start, side="right")
    while at < len(gold.low) and gold.low[at] < end:
        row = gold.order[at]
        held = min(end, gold.end[row]) - max(start, gold.start[row])
        if held > 0:
            covered[row] += held
        at += 1


@compiled
def _recall(gold: Gold, work: Work) -> tuple[float, float, float]:
    """Return recall and the largest and least share of a passage; write the best alternatives."""
    if len(gold.passage) == 0:
        return np.nan, np.nan, np.nan
    total, whole, weight = 0.0, 0, 0
    most, least, best = 0.0, 1.0, -1.0
    for row in range(len(gold.passage)):
        size = gold.end[row] - gold.start[row]
        if row == 0 or gold.passage[row] != gold.passage[row - 1]:
            weight = size
            whole += size
            best = -1.0
        share = work.covered[row] / size
        if share > best:
            best = share
            work.chosen[gold.passage[row]] = row
        if row + 1 == len(gold.passage) or gold.passage[row + 1] != gold.passage[row]:
            total += best * weight
            most, least = max(most, best), min(least, best)
    return (1.0 if least == 1.0 else total / whole), most, least


@compiled
def _shares(
    parts: int,
    runs: int,
    gold: Gold,
    work: Work,
    hit_share: float,
    row: NDArray[np.float64],
) -> None:
    """Write recall, precision, iou, f1, hit and full of a whole answer."""
    recall, most, least = _recall(gold, work)
    returned = 0
    for part in range(parts):
        returned += work.part_end[part] - work.part_start[part]
    both, wanted = _in_common(runs, gold, work)
    precision = both / returned if returned else 0.0
    row[0], row[1] = recall, precision
    row[2] = both / (returned + wanted - both)
    row[3] = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    row[4] = 1.0 if most >= hit_share else 0.0
    row[5] = 1.0 if least == 1.0 else 0.0


@compiled
def _in_common(runs: int, gold: Gold, work: Work) -> tuple[int, int]:
    """Return how many characters of the chosen alternatives' union are returned, and its size."""
    both, wanted, reached = 0, 0, -1
    for place in range(len(gold.order)):
        row = gold.order[place]
        start, end = max(gold.start[row], reached), gold.end[row]
        if work.chosen[gold.passage[row]] != row or start >= end:
            continue
        wanted += end - start
        reached = end
        at = np.searchsorted(work.run_end[:runs], start, side="right")
        while at < runs and work.run_start[at] < end:
            both += min(end, work.run_end[at]) - max(start, work.run_start[at])
            at += 1
    return both, wanted


@compiled
def _context_precision(start: Numbers, end: Numbers, gold: Gold) -> float:
    """Return the mean of precision@k over the ranks of spans that touch gold."""
    relevant, total = 0, 0.0
    for rank in range(len(start)):
        if start[rank] >= end[rank]:
            continue
        at = np.searchsorted(gold.high, start[rank], side="right")
        # The first alternative to reach behind the span's start; the next ones start later.
        if at < len(gold.low) and gold.low[at] < end[rank]:
            relevant += 1
            total += relevant / (rank + 1)
    return total / relevant if relevant else 0.0

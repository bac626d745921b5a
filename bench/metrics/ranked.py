"""Metrics of rankings: recall@k, precision@k, nDCG@k, mrr and map, all questions at once.

An item that stands in a ranking again is dropped: its first place counts. What is relevant, and how
repeated answers are treated, says `bench.metrics.judged`. Nothing relevant is nan, nothing returned
although something is relevant is 0, perfect is exactly 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.metrics.judged import Judged

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CUTOFFS = (1, 3, 5, 10, 20, 50, 100)


class _Found(NamedTuple):
    """Where the answers of all questions stand; parallel arrays, question by question."""

    question: Integers
    rank: Floats
    """Of the item that holds the answer first, from 1; rising in a question, inf: not found."""
    at_rank: Floats
    """Items up to this rank that are the first to hold some answer."""
    new: NDArray[np.bool_]
    """Whether this is the first of the answers of that rank."""
    returned: Integers
    """Items that count in each question's ranking, repeats left out; one value a question."""


def ranked(
    rankings: Sequence[Sequence[int] | Integers],
    judgements: Sequence[Judged],
    cutoffs: Sequence[int] = CUTOFFS,
) -> dict[str, Floats]:
    """Measure the ranking of each question.

    Args:
        rankings: Numbers of items, best first, question by question.
        judgements: What is relevant to each of these questions.
        cutoffs: The values of k, at least 1.

    Returns:
        An array with a value for each question, by name:

        `recall@k`: answers found in the first k items, over all.
        `precision@k`: relevant ones among the first k items, over k, or over all items searched
            where there are fewer than k (see `cutoffs_used`).
        `ndcg@k`: sum of 1 / log2(1 + rank) over the answers found, over the most it can be.
        `mrr`: 1 over the rank of the first relevant item; 0 where there is none.
        `map`: precision at the rank of each answer, 0 for those not found, averaged over all.
        `set_precision`: relevant items over those returned, however many.

    Raises:
        ValueError: A cutoff below 1, or not one judgement for each ranking.

    Found: one of two relevant items, and one that is not (with a repeat that is dropped).

    >>> from bench.metrics.judged import judged
    >>> gold = judged([[0], [2]], searched=9)
    >>> for name, values in ranked([[0, 0, 1]], [gold], [3]).items():
    ...     print(name, values.round(4).tolist())
    recall@3 [0.5]
    precision@3 [0.3333]
    ndcg@3 [0.6131]
    mrr [1.0]
    map [0.5]
    set_precision [0.5]

    The ideal has all that is relevant, not only what was returned; gold listed twice counts once:

    >>> ranked([[0], [0]], [gold, judged([[0], [0]], searched=9)], [3])["ndcg@3"].round(4).tolist()
    [0.6131, 1.0]

    Relevant at ranks 2 and 4: map is (1/2 + 2/4) / 2. Nothing returned; nothing relevant:

    >>> found = ranked([[5, 0, 6, 2], [], [1]], [gold, gold, judged([], searched=9)], [2])
    >>> found["map"].tolist(), found["mrr"].tolist(), found["recall@2"].tolist()
    ([0.5, 0.0, nan], [0.5, 0.0, nan], [0.5, 0.0, nan])

    Items 0 and 1 hold the same answer: 1 repeats it, and item 2 moves up to rank 2.

    >>> same = judged([[0, 1], [2]], searched=9)
    >>> ranked([[0, 1, 2]], [same], [2])["ndcg@2"].tolist()
    [1.0]
    """
    if any(k < 1 for k in cutoffs):
        raise ValueError(f"cutoffs are at least 1, got {list(cutoffs)}")
    if len(rankings) != len(judgements):
        raise ValueError(f"{len(rankings)} rankings, but judgements of {len(judgements)} questions")
    count = len(judgements)
    found = _find(rankings, judgements)
    answers = np.array([len(one.ideal) for one in judgements], np.int64)
    best = [one.ideal for one in judgements]
    ideal, of = _joined(best).astype(np.float64), np.repeat(np.arange(count), answers)

    def total(values: Floats | NDArray[np.bool_], kind: Integers = found.question) -> Floats:
        # One after the other in order of rank, so that a perfect ranking sums to its ideal exactly.
        sums: Floats = np.bincount(kind, values.astype(np.float64), minlength=count).astype(float)
        return sums

    def over(values: Floats, whole: Integers | Floats) -> Floats:
        shares = np.full(count, np.nan)
        np.divide(values, whole, out=shares, where=(answers > 0) & (whole > 0))
        return shares

    scores: dict[str, Floats] = {}
    for k in cutoffs:
        scores[f"recall@{k}"] = over(total(found.rank <= k), answers)
    for k in cutoffs:
        relevant = total((found.rank <= k) & found.new)
        scores[f"precision@{k}"] = over(relevant, cutoffs_used(judgements, k))
    for k in cutoffs:
        gain, most = total(_gain(found.rank, k)), total(_gain(ideal, k), of)
        scores[f"ndcg@{k}"] = np.minimum(over(gain, most), 1.0)  # the ideal is a greedy one
    first = np.full(count, np.inf)
    np.minimum.at(first, found.question, found.rank)
    scores["mrr"] = np.where(answers > 0, 1 / first, np.nan)
    scores["map"] = over(total(found.at_rank / found.rank), answers)
    relevant = total(np.isfinite(found.rank) & found.new)
    scores["set_precision"] = over(relevant, np.maximum(found.returned, 1))
    return scores


def cutoffs_used(judgements: Sequence[Judged], k: int) -> Integers:
    """Return the k of each question: no more than there are items to search.

    >>> from bench.metrics.judged import judged
    >>> cutoffs_used([judged([[0]], searched=4), judged([[0]], searched=40)], 10).tolist()
    [4, 10]
    """
    return np.array([min(k, one.searched) for one in judgements], np.int64)


def _gain(rank: Floats, k: int) -> Floats:
    return np.where(rank <= k, 1 / np.log2(1 + rank), 0.0)


def _find(rankings: Sequence[Sequence[int] | Integers], judgements: Sequence[Judged]) -> _Found:
    """Look up where each answer is found, all questions in one go."""
    count = len(judgements)
    question, items, keys_of = _flat(rankings, judgements)
    key, place = np.unique(keys_of(question, items), return_index=True)
    kept = np.zeros(len(items), bool)
    kept[place] = True  # the first place of each item; repeats are dropped

    # Where the item of each pair stands; behind the end: nowhere.
    pairs = np.array([len(one.item) for one in judgements], np.int64)
    answers = np.array([len(one.ideal) for one in judgements], np.int64)
    of_pair = np.repeat(np.arange(count), pairs)
    wanted = keys_of(of_pair, _joined([one.item for one in judgements]))
    nowhere = len(items)
    at = np.searchsorted(key, wanted)
    here = at < len(key)
    here[here] = key[at[here]] == wanted[here]
    stands = np.full(len(wanted), nowhere)
    stands[here] = place[at[here]]

    # Each answer is found where the first of its items stands.
    before = np.cumsum(answers) - answers
    answer = _joined([one.answer for one in judgements]) + before[of_pair]
    first = np.full(int(answers.sum()), nowhere)
    np.minimum.at(first, answer, stands)
    of_answer = np.repeat(np.arange(count), answers)
    order = np.lexsort((first, of_answer))
    first = first[order]

    # What holds answers, and none for the first time, is taken out.
    found = first < nowhere
    fresh = np.zeros(len(items), bool)
    fresh[first[found]] = True
    kept[stands[here]] = False
    kept |= fresh
    returned = np.bincount(question[kept], minlength=count)
    rank, at_rank = np.full(len(first), np.inf), np.zeros(len(first))
    rank[found] = _counted(kept, question, count)[first[found]]
    at_rank[found] = _counted(fresh, question, count)[first[found]]
    new = np.ones(len(first), bool)
    new[1:] = (first[1:] != first[:-1]) | ~found[1:]
    return _Found(of_answer, rank, at_rank, new, returned)


def _flat(
    rankings: Sequence[Sequence[int] | Integers], judgements: Sequence[Judged]
) -> tuple[Integers, Integers, _Keys]:
    """Write all rankings one after the other, with the question of each item."""
    rows = [np.asarray(row, np.int64) for row in rankings]
    question = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    items = _joined(rows)
    gold = _joined([one.item for one in judgements])
    least = min(int(items.min(initial=0)), int(gold.min(initial=0)))
    most = max(int(items.max(initial=0)), int(gold.max(initial=0)))
    return question, items, _Keys(least, most - least + 1)


class _Keys(NamedTuple):
    """One number for a question and an item."""

    least: int
    stride: int

    def __call__(self, question: Integers, item: Integers) -> Integers:
        keys: Integers = question * self.stride + (item - self.least)
        return keys


def _joined(rows: Sequence[Integers]) -> Integers:
    return np.concatenate([np.empty(0, np.int64), *rows])


def _counted(marked: NDArray[np.bool_], question: Integers, count: int) -> Integers:
    """Count the marked places up to each, in its question."""
    sums = np.cumsum(marked)
    begin = np.searchsorted(question, np.arange(count))
    before = np.concatenate([[0], sums])[begin]
    counted: Integers = sums - before[question]
    return counted

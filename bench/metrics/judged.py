"""What counts as right in a ranking: which chunks, or documents, answer a question.

Two treatments:

- By answers, the default. Each gold passage with all its alternatives is one answer, for identical
  passages say the same. An item (chunk or document) counts where it is the first to hold some
  answer. One that only repeats answers found above it is taken out of the ranking, as a condensed
  list does with what nobody judged: it is neither relevant again nor a miss. Recall is the share of
  answers found (subtopic recall), and in nDCG an item gains the number of its new answers
  (alpha-nDCG with alpha = 1). Passages that the very same items hold are one answer, since no
  ranking can tell them apart; so where nothing is repeated, both treatments give the same numbers.
- Plain. Every item that overlaps an alternative is relevant by itself, as in TREC's files: this is
  what other tools can check.

Passages none of whose alternatives lies in an item that is searched do not count: no ranking could
find them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.corpus import Corpus
from bench.gold import documents_searched
from bench.types import Question, Span


class Judged(NamedTuple):
    """What answers one question; `item` and `answer` are parallel, one row a pair."""

    item: NDArray[np.int64]
    """Number of a chunk or document that holds an answer."""
    answer: NDArray[np.int64]
    """Number of the answer, from 0."""
    ideal: NDArray[np.int64]
    """Ranks, from 1 and rising, at which a perfect ranking finds each answer."""
    searched: int
    """Items that are searched: no ranking is longer."""


def judged(answers: Iterable[Collection[int]], searched: int) -> Judged:
    """Judge by the items that hold each answer; those that nothing holds are left out.

    The ideal takes the item with the most new answers first. Where items hold several answers each,
    the true ideal is a set cover, and this one may fall short of it by a little.

    Args:
        answers: The items that hold each answer; answers of the same items are one.
        searched: Number of items that are searched.

    The second and third answer are one, and item 7 holds it as item 4 does:

    >>> found = judged([[1], [4, 7], [7, 4], []], searched=9)
    >>> found.item.tolist(), found.answer.tolist(), found.ideal.tolist()
    ([1, 4, 7], [0, 1, 1], [1, 2])

    Item 2 holds both answers, so that a perfect ranking has found them at rank 1:

    >>> judged([[2], [2, 3]], searched=9).ideal.tolist()
    [1, 1]
    """
    different = dict.fromkeys(frozenset(items) for items in answers if items)
    pairs = [(item, number) for number, items in enumerate(different) for item in sorted(items)]
    item, answer = np.array(pairs, np.int64).reshape(-1, 2).T.copy()
    return Judged(item, answer, np.array(_ideal(list(different)), np.int64), searched)


def judge_chunks(corpus: Corpus, question: Question, *, plain: bool = False) -> Judged:
    """Judge the chunks in scope: those that share at least one character with an alternative.

    Args:
        corpus: The chunks; a chunk owns the blanks up to the next one.
        question: What is asked.
        plain: Whether every such chunk is an answer by itself.
    """
    scope = documents_searched(corpus, question)
    held = [holding(corpus, passage, scope) for passage in question.gold]
    counts = np.diff(corpus.layout.start)
    searched = int(counts.sum() if scope is None else counts[scope].sum())
    return judged(_each(held) if plain else held, searched)


def judge_documents(corpus: Corpus, question: Question, *, plain: bool = False) -> Judged:
    """Judge the documents in scope: those with a chunk that `judge_chunks` finds relevant.

    Args:
        corpus: The documents; those without a chunk cannot be found.
        question: What is asked.
        plain: Whether every such document is an answer by itself.
    """
    scope = documents_searched(corpus, question)
    held = [
        {int(corpus.layout.document(chunk)) for chunk in holding(corpus, passage, scope)}
        for passage in question.gold
    ]
    counts = np.diff(corpus.layout.start)
    searched = int(np.count_nonzero(counts if scope is None else counts[scope]))
    return judged(_each(held) if plain else held, searched)


def rank_documents(corpus: Corpus, chunks: Sequence[int]) -> list[int]:
    """Return the documents of ranked chunks: by their first chunk, each once."""
    ranked = np.asarray(chunks, np.int64)
    documents = np.searchsorted(corpus.layout.start, ranked, side="right") - 1
    return list(dict.fromkeys(documents.tolist()))


def holding(
    corpus: Corpus, passage: Sequence[Span], scope: NDArray[np.int64] | None = None
) -> frozenset[int]:
    """Return the chunks in scope that overlap an alternative; to touch an edge is not enough."""
    found: set[int] = set()
    for span in passage:
        document = corpus.number[span.doc]
        if scope is not None and document not in scope:
            continue
        first, last = corpus.layout.start[document : document + 2].tolist()
        low = np.maximum(corpus.start[first:last], span.start)
        high = np.minimum(corpus.reach[first:last], span.end)
        found.update((first + np.flatnonzero(low < high)).tolist())
    return frozenset(found)


def _each(held: Iterable[Collection[int]]) -> list[list[int]]:
    return [[item] for item in sorted({item for items in held for item in items})]


def _ideal(answers: Sequence[Collection[int]]) -> list[int]:
    """Find answers greedily; ties go to the item of the lowest number."""
    holds: dict[int, set[int]] = {}
    for number, items in enumerate(answers):
        for item in items:
            holds.setdefault(item, set()).add(number)
    if all(len(held) == 1 for held in holds.values()):
        return list(range(1, len(answers) + 1))
    ranks: list[int] = []
    missing = set(range(len(answers)))
    rank = 0
    while missing:
        rank += 1
        best = min(holds, key=lambda item: (-len(holds[item] & missing), item))
        new = holds[best] & missing
        ranks += [rank] * len(new)
        missing -= new
    return ranks

"""Where the gold lies among the chunks: what the oracle sees and the ceiling is made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from bench.corpus import Corpus
from bench.types import Passage, Question, Span
from rse import Hits, QuestionView
from rse.calibration import Example

Held = Mapping[int, float]
"""Gold characters by chunk."""

FEW = 256
"""So many combinations of alternatives are compared one by one."""
ROUNDS = 8


def documents_searched(corpus: Corpus, question: Question) -> NDArray[np.int64] | None:
    """Return the numbers of the documents in scope, rising; None for all."""
    if question.scope is None:
        return None
    return np.array(sorted({corpus.number[doc] for doc in question.scope}), np.int64)


def view(corpus: Corpus, question: Question) -> QuestionView:
    """Show a question with its gold per chunk to strategies that need it.

    Of each passage one alternative counts, so chosen that reading chunks by gold per token gives
    the most gold soonest (`reading`).
    """
    scope = documents_searched(corpus, question)
    gold = _chosen(corpus, question, scope)
    chunks = np.array(sorted(gold), np.int64)
    return QuestionView(question.id, scope, chunks, np.array([gold[c] for c in chunks.tolist()]))


def gold_held(corpus: Corpus, question: Question) -> Held:
    """Return the gold in each chunk in scope: its largest overlap with one alternative of each.

    Where alternatives stand in several chunks, each of these holds it, so the sum may exceed the
    question's gold.
    """
    scope = documents_searched(corpus, question)
    gold: dict[int, float] = defaultdict(float)
    for passage in question.gold:
        best: dict[int, float] = defaultdict(float)
        for held in _alternatives(corpus, passage, scope):
            for chunk, characters in held.items():
                best[chunk] = max(best[chunk], characters)
        for chunk, characters in best.items():
            gold[chunk] += characters
    return gold


def example(corpus: Corpus, question: Question, hits: Hits) -> Example:
    """Return what the hits of a question teach: the gold in each, as `gold_held` counts it."""
    held = gold_held(corpus, question)
    gold = np.array([held.get(chunk, 0.0) for chunk in hits.chunk.tolist()])
    total = float(sum(passage[0].end - passage[0].start for passage in question.gold))
    names = corpus.layout.identity
    holding = sorted({corpus.number[span.doc] for passage in question.gold for span in passage})
    documents = tuple(names[number] for number in holding) if names else ()
    return Example(hits, corpus.layout, gold, total, documents)


class Ceiling:
    """The most recall that any choice among the chunks in scope can have at a number of tokens.

    The fractional bound `min(1, sum(g_c * x_c) / gold)`, with `g_c` the chunk's largest overlap
    with one alternative of each passage: chunks by gold per token, the last one in part. No arm
    over the same chunks passes it, as long as chunks do not overlap.

    Two chunks of ten tokens, the first of which holds all gold: for five tokens there is half of it
    at most.

    >>> from bench.chunking import Fixed
    >>> from bench.corpus import cut
    >>> from bench.tokens import tokenizer
    >>> from bench.types import Dataset, Document
    >>> made = Dataset("made", "", {"d": Document("d", "word " * 20)}, ())
    >>> corpus = cut(made, Fixed(size=45), tokenizer("o200k_base"))
    >>> ceiling = Ceiling(corpus, Question("q", "?", gold=((Span("d", 5, 40),),)))
    >>> ceiling.at(5), ceiling.at(10)
    (0.5, 1.0)
    """

    def __init__(self, corpus: Corpus, question: Question) -> None:
        gold = gold_held(corpus, question)
        self._whole = sum(passage[0].end - passage[0].start for passage in question.gold)
        tokens = {chunk: corpus.chunk_tokens(chunk) for chunk in gold}
        order = by_density(gold, tokens)
        self._tokens = np.cumsum([0, *(tokens[chunk] for chunk in order)])
        self._gold = np.cumsum([0.0, *(gold[chunk] for chunk in order)])

    def at(self, tokens: int) -> float:
        """Return the bound at `tokens`; nan without gold."""
        if not self._whole:
            return float("nan")
        # Chunks of no tokens are free: of equal token sums the last counts.
        place = int(np.searchsorted(self._tokens, tokens, side="right")) - 1
        reached = float(self._gold[place])
        if place + 1 < len(self._tokens):
            step = self._tokens[place + 1] - self._tokens[place]
            part = (tokens - self._tokens[place]) / step
            reached += part * float(self._gold[place + 1] - self._gold[place])
        return float(min(1.0, reached / self._whole))


def shares(
    corpus: Corpus, span: Span, scope: NDArray[np.int64] | None
) -> Iterator[tuple[int, float]]:
    """Yield each chunk in scope that touches a span, and the share of the span it holds."""
    document = corpus.number[span.doc]
    if scope is not None and document not in scope:
        return
    first, last = corpus.layout.start[document], corpus.layout.start[document + 1]
    begin = first + int(np.searchsorted(corpus.reach[first:last], span.start, side="right"))
    for chunk in range(begin, int(last)):
        if corpus.start[chunk] >= span.end:
            break
        held = min(span.end, corpus.reach[chunk]) - max(span.start, corpus.start[chunk])
        if held > 0:
            yield chunk, float(held) / (span.end - span.start)


def _chosen(corpus: Corpus, question: Question, scope: NDArray[np.int64] | None) -> Held:
    """Pick one alternative of each passage; return the gold in each chunk that holds some.

    All combinations are compared where they are few; else each passage in turn is given the best
    alternative beside those of the others, from the cheapest of each on, until nothing improves.
    """
    passages = [_alternatives(corpus, passage, scope) for passage in question.gold]
    tokens = {
        chunk: corpus.chunk_tokens(chunk)
        for alternatives in passages
        for held in alternatives
        for chunk in held
    }

    def worth(choice: Iterable[Held]) -> tuple[float, float]:
        return reading(_sum(choice), tokens)

    best = [min(alternatives, key=lambda held: worth([held])) for alternatives in passages]
    if prod(map(len, passages)) <= FEW:
        return _sum(min(product(*passages), key=worth, default=()))
    for _ in range(ROUNDS):
        before = list(best)
        for place, alternatives in enumerate(passages):
            others = best[:place], best[place + 1 :]
            best[place] = min(alternatives, key=lambda held: worth([*others[0], held, *others[1]]))
        if best == before:
            break
    return _sum(best)


def reading(gold: Held, tokens: Mapping[int, int]) -> tuple[float, float]:
    """Rate what is to be read, lower is better.

    Returns:
        Gold, negated; and tokens x gold still missing, summed up while chunks are read by gold
        per token: the area above the curve of gold against tokens.
    """
    missing = sum(gold.values())
    whole, area = missing, 0.0
    for chunk in by_density(gold, tokens):
        area += tokens[chunk] * (missing - gold[chunk] / 2)
        missing -= gold[chunk]
    return -round(whole, 6), area


def by_density(gold: Held, tokens: Mapping[int, int]) -> list[int]:
    """Order chunks by gold per token, free ones first, then by number."""
    return sorted(gold, key=lambda chunk: (-gold[chunk] / max(tokens[chunk], 1e-9), chunk))


def _alternatives(corpus: Corpus, passage: Passage, scope: NDArray[np.int64] | None) -> list[Held]:
    """Return the gold in each chunk for each alternative, in the length of the first."""
    length = passage[0].end - passage[0].start
    return [
        {chunk: share * length for chunk, share in shares(corpus, span, scope)} for span in passage
    ]


def _sum(choice: Iterable[Held]) -> dict[int, float]:
    total: dict[int, float] = defaultdict(float)
    for held in choice:
        for chunk, gold in held.items():
            total[chunk] += gold
    return dict(total)

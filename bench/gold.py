"""Where the gold lies among the chunks: what the oracle sees and the ceiling is made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from bench.corpus import Corpus
from bench.types import Passage, Question, Span
from rse import QuestionView


def documents_searched(corpus: Corpus, question: Question) -> NDArray[np.int64] | None:
    """Return the numbers of the documents in scope, rising; None for all."""
    if question.scope is None:
        return None
    return np.array(sorted({corpus.number[doc] for doc in question.scope}), np.int64)


def view(corpus: Corpus, question: Question) -> QuestionView:
    """Show a question with its gold per chunk to strategies that need it.

    Of each passage one alternative counts, the one that costs the fewest tokens a character.
    """
    scope = documents_searched(corpus, question)
    gold: dict[int, float] = defaultdict(float)
    for passage in question.gold:
        for chunk, share in _cheapest(corpus, passage, scope):
            gold[chunk] += share * (passage[0].end - passage[0].start)
    chunks = np.array(sorted(gold), np.int64)
    return QuestionView(question.id, scope, chunks, np.array([gold[c] for c in chunks.tolist()]))


class Ceiling:
    """The most recall that any choice among the chunks in scope can have at a number of tokens.

    The fractional bound `min(1, sum(g_c * x_c) / gold)`, with `g_c` the chunk's largest overlap
    with one alternative of each passage: chunks by gold per token, the last one in part. No arm
    over the same chunks passes it, as long as chunks do not overlap.
    """

    def __init__(self, corpus: Corpus, question: Question) -> None:
        scope = documents_searched(corpus, question)
        gold: dict[int, float] = defaultdict(float)
        self._whole = sum(passage[0].end - passage[0].start for passage in question.gold)
        for passage in question.gold:
            best: dict[int, float] = defaultdict(float)
            for span in passage:
                for chunk, share in shares(corpus, span, scope):
                    best[chunk] = max(best[chunk], share)
            for chunk, share in best.items():
                gold[chunk] += share * (passage[0].end - passage[0].start)
        tokens = {chunk: corpus.chunk_tokens(chunk) for chunk in gold}
        order = sorted(gold, key=lambda chunk: -gold[chunk] / max(tokens[chunk], 1e-9))
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
        return min(1.0, reached / self._whole)


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


def _cheapest(
    corpus: Corpus, passage: Passage, scope: NDArray[np.int64] | None
) -> list[tuple[int, float]]:
    best: list[tuple[int, float]] = []
    best_density = -1.0
    for span in passage:
        held = list(shares(corpus, span, scope))
        tokens = sum(corpus.chunk_tokens(chunk) for chunk, _ in held)
        density = sum(share for _, share in held) / max(tokens, 1)
        if density > best_density:
            best, best_density = held, density
    return best

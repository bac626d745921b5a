"""Metrics against tokens: recall under a budget, and top-k's whole curve to compare with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.corpus import Corpus
from bench.metrics.intervals import Union, covered, outside, union
from bench.metrics.spans import best_alternative, weigh
from bench.types import Passage, Span

BUDGETS = (250, 500, 1000, 2000, 4000)


def recall(context: Union, gold: Sequence[Passage]) -> float:
    """Return the share of gold characters in the context; nan without gold."""
    if not gold:
        return float("nan")
    return weigh([best_alternative(passage, context)[1] for passage in gold], gold)


def recall_at_budgets(
    corpus: Corpus, spans: Sequence[Span], gold: Sequence[Passage]
) -> dict[str, float]:
    """Return `recall_at_250`...: segments in rank order, cut at the budget, the last one in part.

    An answer of fewer tokens keeps what it has.

    Gold is the first word and the last of 300, a token each. Whoever returns the last one first
    has both within 250 tokens; in the order of the text the last one is cut off:

    >>> from bench.chunking import Fixed
    >>> from bench.corpus import cut as chunks
    >>> from bench.tokens import tokenizer
    >>> from bench.types import Dataset, Document
    >>> made = Dataset("made", "", {"d": Document("d", "word " * 300)}, ())
    >>> corpus = chunks(made, Fixed(size=1500), tokenizer("o200k_base"))
    >>> gold = [(Span("d", 0, 4),), (Span("d", 1495, 1499),)]
    >>> last_first = [Span("d", 1490, 1499), Span("d", 0, 1490)]
    >>> recall_at_budgets(corpus, last_first, gold)["recall_at_250"]
    1.0
    >>> found = recall_at_budgets(corpus, [Span("d", 0, 1500)], gold)
    >>> found["recall_at_250"], found["recall_at_500"]
    (0.5, 1.0)
    """
    return {
        f"recall_at_{budget}": recall(union(cut(corpus, spans, budget)), gold) for budget in BUDGETS
    }


def cut(corpus: Corpus, spans: Sequence[Span], budget: int) -> list[Span]:
    """Return the first `budget` tokens of the spans, in rank order, nothing twice.

    Three words of five characters, a token each; of the second span, what the first has is not
    paid for again:

    >>> from bench.chunking import Fixed
    >>> from bench.corpus import cut as chunks
    >>> from bench.tokens import tokenizer
    >>> from bench.types import Dataset, Document
    >>> made = Dataset("made", "", {"d": Document("d", "word word word")}, ())
    >>> corpus = chunks(made, Fixed(size=20), tokenizer("o200k_base"))
    >>> cut(corpus, [Span("d", 4, 9), Span("d", 0, 14)], 2)
    [Span(doc='d', start=4, end=9), Span(doc='d', start=0, end=4)]
    """
    kept: list[Span] = []
    left = budget
    for span in spans:
        for part in outside(span, union(kept)):
            end = corpus.furthest(part, left)
            if end > part.start:
                kept.append(Span(part.doc, part.start, end))
            left -= corpus.tokens([Span(part.doc, part.start, end)])
            if end < part.end:
                return kept
    return kept


class Curve(NamedTuple):
    """Tokens and recall of the best k chunks, for every k from 0 to the number of hits."""

    tokens: NDArray[np.int64]
    recall: NDArray[np.float64]


def topk_curve(corpus: Corpus, chunks: Sequence[int], gold: Sequence[Passage]) -> Curve:
    """Follow one question's ranking from the first chunk to the last."""
    targets = union(span for passage in gold for span in passage)
    tokens, found = [0], [recall({}, gold)]
    touching: list[Span] = []
    seen: list[Span] = []
    for chunk in chunks:
        span = corpus.chunk_span(chunk)
        seen.append(span)
        if corpus.overlapping:
            tokens.append(corpus.tokens(seen))
        else:
            tokens.append(tokens[-1] + corpus.chunk_tokens(chunk))
        if covered(span, targets):
            touching.append(span)
            found.append(recall(union(touching), gold))
        else:
            found.append(found[-1])
    return Curve(np.array(tokens, np.int64), np.array(found))

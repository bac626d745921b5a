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
    """
    return {
        f"recall_at_{budget}": recall(union(cut(corpus, spans, budget)), gold) for budget in BUDGETS
    }


def cut(corpus: Corpus, spans: Sequence[Span], budget: int) -> list[Span]:
    """Return the first `budget` tokens of the spans, in rank order, nothing twice."""
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

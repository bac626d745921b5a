"""Character-level metrics, comparable across chunkers because they never look at chunks.

Gold is a set of passages, each with one or more alternative spans; of each passage the alternative
with the largest covered share counts (ties: the first). Undefined is nan, never 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

from bench.metrics.intervals import Union, covered, size, union
from bench.types import Passage, Span

HIT_SHARE = 0.5
"""Share of a gold span that must be covered for a `hit`."""

NAMES = ("recall", "precision", "iou", "f1", "hit", "full", "context_precision")


def score(spans: Sequence[Span], gold: Sequence[Passage]) -> dict[str, float]:
    """Compute every span metric of one answer.

    Args:
        spans: What was returned, one span for each segment, best first.
        gold: The evidence asked for.

    Returns:
        `recall`: gold characters covered over all, each passage weighing as its first alternative.
        `precision`: gold characters in the context over the context's; 0 for an empty context.
        `iou`: gold characters in the context over characters in either.
        `f1`: harmonic mean of recall and precision.
        `hit`: 1 where some gold span is covered by half; `full`: 1 where all gold is.
        `context_precision`: see `context_precision`. All nan without gold.
    """
    if not gold:
        return dict.fromkeys(NAMES, nan)
    context = union(spans)
    best = [best_alternative(passage, context) for passage in gold]
    shares = [share for _, share in best]
    recall = weigh(shares, gold)
    wanted = union(span for span, _ in best)
    both = sum(covered(Span(doc, *run), context) for doc, runs in wanted.items() for run in runs)
    returned = size(context)
    precision = both / returned if returned else 0.0
    return {
        "recall": recall,
        "precision": precision,
        "iou": both / (returned + size(wanted) - both),
        "f1": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        "hit": float(max(shares) >= HIT_SHARE),
        "full": float(min(shares) == 1),
        "context_precision": context_precision(spans, gold),
    }


def best_alternative(passage: Passage, context: Union) -> tuple[Span, float]:
    """Return the alternative with the largest covered share, and that share."""
    shares = [covered(span, context) / (span.end - span.start) for span in passage]
    best = max(range(len(passage)), key=lambda i: (shares[i], -i))
    return passage[best], shares[best]


def weigh(shares: Sequence[float], gold: Sequence[Passage]) -> float:
    """Average the passages' shares, each weighing as the length of its first alternative."""
    lengths = [passage[0].end - passage[0].start for passage in gold]
    if min(shares) == 1:
        return 1.0  # exactly, whatever rounding says
    return sum(s * length for s, length in zip(shares, lengths, strict=True)) / sum(lengths)


def context_precision(spans: Sequence[Span], gold: Sequence[Passage]) -> float:
    """Return ragas' rank-aware form: the mean of precision@k over the ranks of relevant segments.

    A segment is relevant if it touches gold; 0 where none is. One giant segment scores 1, so this
    number decides nothing without the tokens beside it.
    """
    relevant = 0
    total = 0.0
    targets = union(span for passage in gold for span in passage)
    for rank, span in enumerate(spans, start=1):
        if covered(span, targets):
            relevant += 1
            total += relevant / rank
    return total / relevant if relevant else 0.0

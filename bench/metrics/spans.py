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

    Two passages of 10 characters. The first span holds 6 of one, the second one holds none of the
    other: 6 of 20 characters found, 6 of 12 returned are gold, and 6 of 26 in either.

    >>> gold = [(Span("d", 10, 20),), (Span("d", 50, 60),)]
    >>> found = score([Span("d", 14, 24), Span("e", 0, 2)], gold)
    >>> found["recall"], found["precision"], round(found["iou"], 4)
    (0.3, 0.5, 0.2308)
    >>> round(found["f1"], 4)  # 2 * 0.5 * 0.3 / (0.5 + 0.3)
    0.375
    >>> found["hit"], found["full"], found["context_precision"]  # 6 of 10 is more than half
    (1.0, 0.0, 1.0)

    A copy of the first passage in another document will do as well:

    >>> copied = [(Span("d", 10, 20), Span("e", 0, 10)), (Span("d", 50, 60),)]
    >>> set(score([Span("e", 0, 10), Span("d", 50, 60)], copied).values())
    {1.0}
    >>> score([], gold)["recall"], score([Span("d", 0, 9)], [])["recall"]
    (0.0, nan)
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
    """Return the alternative with the largest covered share, and that share; of equals the first.

    >>> context = union([Span("d", 0, 5), Span("e", 1, 4)])
    >>> best_alternative((Span("d", 0, 10), Span("e", 0, 4)), context)
    (Span(doc='e', start=0, end=4), 0.75)
    """
    shares = [covered(span, context) / (span.end - span.start) for span in passage]
    best = max(range(len(passage)), key=lambda i: (shares[i], -i))
    return passage[best], shares[best]


def weigh(shares: Sequence[float], gold: Sequence[Passage]) -> float:
    """Average the passages' shares, each weighing as the length of its first alternative.

    Half of 10 characters and all of 30 are 35 of 40:

    >>> weigh([0.5, 1.0], [(Span("d", 0, 10),), (Span("d", 20, 50),)])
    0.875
    """
    lengths = [passage[0].end - passage[0].start for passage in gold]
    if min(shares) == 1:
        return 1.0  # exactly, whatever rounding says
    return sum(s * length for s, length in zip(shares, lengths, strict=True)) / sum(lengths)


def context_precision(spans: Sequence[Span], gold: Sequence[Passage]) -> float:
    """Return ragas' rank-aware form: the mean of precision@k over the ranks of relevant segments.

    A segment is relevant if it touches gold; 0 where none is. One giant segment scores 1, so this
    number decides nothing without the tokens beside it.

    Relevant at ranks 1 and 3, where precision is 1 and 2/3:

    >>> spans = [Span("d", 0, 5), Span("x", 0, 5), Span("d", 8, 9)]
    >>> round(context_precision(spans, [(Span("d", 4, 9),)]), 4)
    0.8333
    """
    relevant = 0
    total = 0.0
    targets = union(span for passage in gold for span in passage)
    for rank, span in enumerate(spans, start=1):
        if covered(span, targets):
            relevant += 1
            total += relevant / rank
    return total / relevant if relevant else 0.0

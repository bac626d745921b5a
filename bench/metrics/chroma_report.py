"""The counting rules of the Chroma report, to compare with its published figures.

"Evaluating Chunking Strategies for Retrieval" (Smith and Troynikov, 2024) takes a chunk to stand
where its text is first found, adds up overlapping chunks in the denominator of precision, and
unions only the gold it covers. Our own metrics (`bench.metrics.spans`) use true positions and
unions everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import nan
from typing import NamedTuple

from bench.metrics.intervals import size, union
from bench.types import Span


class ReportScores(NamedTuple):
    """Recall, precision and IoU of one question, as shares."""

    recall: float
    precision: float
    iou: float


def score_as_report(retrieved: Sequence[Span], gold: Sequence[Span]) -> ReportScores:
    """Score retrieved chunks against gold spans the way the report's own code does.

    Two chunks of 10 that overlap by 5 hold 8 characters of gold of 10: 8 of 20 retrieved, since the
    report adds up, and 8 of 22 in either.

    >>> chunks = [Span("d", 0, 10), Span("d", 5, 15)]
    >>> score_as_report(chunks, [Span("d", 7, 17)])
    ReportScores(recall=0.8, precision=0.4, iou=0.36363636363636365)
    """
    if not gold:
        return ReportScores(nan, nan, nan)
    hit = size(
        union(
            Span(span.doc, max(span.start, want.start), min(span.end, want.end))
            for span in retrieved
            for want in gold
            if span.doc == want.doc and span.start < want.end and want.start < span.end
        )
    )
    wanted = size(union(gold))
    returned = sum(span.end - span.start for span in retrieved)
    precision = hit / returned if returned else 0.0
    return ReportScores(hit / wanted, precision, hit / (returned + wanted - hit))


def position_as_report(chunk: str, corpus: str) -> tuple[int, int]:
    """Return where the report takes a chunk to stand: its first occurrence, a final "." dropped.

    Where it does not occur as it is, blanks may be more or fewer, and case may differ.

    >>> position_as_report("tock.", "tick tock. tick tock.")
    (5, 9)
    >>> position_as_report("tick . tock", "tock. tick.  tock.")
    (6, 17)

    Raises:
        ValueError: It does not occur at all.
    """
    text = chunk.removesuffix(".")
    start = corpus.find(text)
    if start >= 0:
        return start, start + len(text)
    words = re.search(r"\s*".join(map(re.escape, text.split())), corpus, re.IGNORECASE)
    if not words:
        raise ValueError(f"the chunk {chunk[:60]!r} does not occur in its corpus")
    return words.span()


def omega_as_report(chunks: Iterable[Span], gold: Sequence[Span]) -> float:
    """Return the report's precision_omega: precision if every chunk with gold were retrieved.

    Gold the chunks hold over their union and the gold outside them. A chunk that ends where gold
    begins, or begins where it ends, counts as holding some, with 0 characters.

    Gold at [8, 12) and chunks of 5: the first one only touches, [5, 10) and [10, 15) hold 4 of 10.

    >>> chunks = [Span("d", start, start + 5) for start in (0, 5, 10, 15)]
    >>> omega_as_report(chunks, [Span("d", 8, 12)])
    0.4
    >>> omega_as_report(chunks, [Span("d", 5, 10)])  # [0, 5) and [10, 15) touch it
    0.3333333333333333
    >>> omega_as_report(chunks[:1], [Span("d", 8, 12)])
    0.0
    """
    if not gold:
        return nan
    pairs = [
        (chunk, want)
        for chunk in chunks
        for want in gold
        if chunk.doc == want.doc and chunk.start <= want.end and want.start <= chunk.end
    ]
    held = size(union(Span(w.doc, max(c.start, w.start), min(c.end, w.end)) for c, w in pairs))
    return held / size(union([*(chunk for chunk, _ in pairs), *gold]))

"""The counting rules of the Chroma report, to compare with its published figures.

"Evaluating Chunking Strategies for Retrieval" (Smith and Troynikov, 2024) takes a chunk to stand
where its text is first found, adds up overlapping chunks in the denominator of precision, and
unions only the gold it covers. Our own metrics (`bench.metrics.spans`) use true positions and
unions everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bench.metrics.intervals import size, union
from bench.types import Span


class ReportScores(NamedTuple):
    """Recall, precision and IoU of one question, as shares."""

    recall: float
    precision: float
    iou: float


def score_as_report(retrieved: Sequence[Span], gold: Sequence[Span]) -> ReportScores:
    """Score retrieved chunks against gold spans the way the report's own code does."""
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
    return ReportScores(hit / wanted, hit / returned, hit / (returned + wanted - hit))


def position_as_report(chunk: str, corpus: str) -> tuple[int, int]:
    """Return where the report takes a chunk to stand: its first occurrence, a final "." dropped."""
    text = chunk.removesuffix(".")
    start = corpus.find(text)
    if start < 0:
        raise ValueError(f"the chunk {chunk[:60]!r} does not occur in its corpus")
    return start, start + len(text)

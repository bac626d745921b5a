"""The text that would be sent to a model: segments under their headings, in rank order."""

from __future__ import annotations

from collections.abc import Sequence

from bench.corpus import Corpus
from bench.types import Span
from rse import Segment


def render(corpus: Corpus, spans: Sequence[Span], segments: Sequence[Segment]) -> str:
    """Lay out segments as dsRAG's tutorial does: `SEGMENT i (Chunks a-b):`, chunks from 0."""
    parts = []
    for number, (span, segment) in enumerate(zip(spans, segments, strict=True), start=1):
        begin = corpus.layout.start[corpus.number[span.doc]]
        first, last = segment.first - begin, segment.last - begin - 1
        parts.append(f"SEGMENT {number} (Chunks {first}-{last}):\n{corpus.slice(span).strip()}\n")
    return "\n".join(parts)

"""Unions and overlaps of spans: overlap never counts twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from bench.types import Span

Union: TypeAlias = Mapping[str, list[tuple[int, int]]]
"""Disjoint, rising intervals of each document."""


def union(spans: Iterable[Span]) -> Union:
    """Merge spans into disjoint intervals; touching ones become one. O(n log n)."""
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for doc, start, end in sorted(spans):
        runs = found[doc]
        if runs and start <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(runs[-1][1], end))
        elif end > start:
            runs.append((start, end))
    return dict(found)


def size(spans: Union) -> int:
    """Count the characters."""
    return sum(end - start for runs in spans.values() for start, end in runs)


def covered(span: Span, spans: Union) -> int:
    """Count the characters of `span` inside the union."""
    return sum(
        max(0, min(span.end, end) - max(span.start, start))
        for start, end in spans.get(span.doc, ())
    )


def outside(span: Span, spans: Union) -> list[Span]:
    """Return the parts of `span` that the union does not hold, in order."""
    parts, at = [], span.start
    for start, end in spans.get(span.doc, ()):
        if end <= at or start >= span.end:
            continue
        if start > at:
            parts.append(Span(span.doc, at, start))
        at = end
    if at < span.end:
        parts.append(Span(span.doc, at, span.end))
    return parts

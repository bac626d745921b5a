"""Unions and overlaps against sets of (document, position)."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bench.metrics.intervals import covered, outside, size, union
from bench.types import Span

SPANS = st.lists(
    st.builds(
        lambda doc, start, length: Span(doc, start, start + length),
        st.sampled_from("ab"),
        st.integers(0, 20),
        st.integers(0, 8),
    ),
    max_size=6,
)


def places(spans):
    return {(span.doc, at) for span in spans for at in range(span.start, span.end)}


def flat(found):
    return [Span(doc, *run) for doc, runs in found.items() for run in runs]


@given(SPANS)
def test_union(spans):
    found = union(spans)
    assert places(flat(found)) == places(spans)
    assert size(found) == len(places(spans))
    for runs in found.values():
        assert all(start < end for start, end in runs)
        assert all(a[1] < b[0] for a, b in pairwise(runs))


@given(SPANS, SPANS)
def test_covered_and_outside(spans, others):
    held = union(others)
    for span in spans:
        assert covered(span, held) == len(places([span]) & places(others))
        parts = outside(span, held)
        assert places(parts) == places([span]) - places(others)
        assert sum(part.end - part.start for part in parts) == len(places(parts))


def test_overlapping_chunks_count_once():
    chunks = [Span("d", start, start + 4) for start in (0, 2, 4, 6)]
    assert union(chunks) == {"d": [(0, 10)]}
    assert union([Span("d", 0, 2), Span("d", 2, 4)]) == {"d": [(0, 4)]}

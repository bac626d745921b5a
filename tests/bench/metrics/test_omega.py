"""Precision of all chunks with gold, against sets of (document, position)."""

from __future__ import annotations

from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.chunking import Fixed
from bench.corpus import cut
from bench.metrics.chroma_report import omega_as_report, score_as_report
from bench.metrics.omega import precision_omega
from bench.metrics.spans import score
from bench.tokens import tokenizer
from bench.types import Dataset, Document, Question, Span

TEXTS = {"a": "0123456789" * 4, "b": "  ab   cd  ef   \n\n gh " * 2, "blank": " " * 12}
SPAN = st.sampled_from(["a", "b", "blank"]).flatmap(
    lambda doc: st.tuples(st.integers(0, len(TEXTS[doc]) - 1), st.integers(1, 15)).map(
        lambda at: Span(doc, at[0], min(len(TEXTS[doc]), sum(at)))
    )
)
GOLD = st.lists(st.lists(SPAN, min_size=1, max_size=3).map(tuple), max_size=4).map(tuple)
CHUNKS = st.lists(SPAN, max_size=8)


def corpus(size, overlap=0, texts=TEXTS):
    documents = {name: Document(name, text) for name, text in texts.items()}
    chunker = Fixed(size=size, overlap=overlap)
    return cut(Dataset("made", "", documents, ()), chunker, tokenizer("o200k_base"))


def places(spans):
    return {(span.doc, at) for span in spans for at in range(span.start, span.end)}


def by_sets(held, gold, scope):
    """Choose by the precision of each alternative's chunks, then take all chunks that hold gold."""
    chunks = [held.chunk_span(number) for number in range(len(held.layout))]
    chunks = [chunk for chunk in chunks if scope is None or chunk.doc in scope]

    def holding(span):
        return [chunk for chunk in chunks if places([chunk]) & places([span])]

    def precision(spans):
        context = places(chunk for span in spans for chunk in holding(span))
        return len(places(spans) & context) / len(context)

    chosen = []
    for passage in gold:
        there = [span for span in passage if holding(span)]
        if there:
            best = max(precision([span]) for span in there)
            chosen.append(next(span for span in there if precision([span]) == best))
    return precision(chosen) if chosen else None


@given(
    GOLD,
    st.integers(1, 12),
    st.integers(0, 11),
    st.sampled_from([None, ("a",), ("b", "blank")]),
)
def test_agrees_with_sets(gold, size, overlap, scope):
    held = corpus(size, min(overlap, size - 1))
    found = precision_omega(held, Question("q", "?", gold=gold, scope=scope))
    expected = by_sets(held, gold, scope)
    assert isnan(found) if expected is None else found == pytest.approx(expected)


@given(GOLD.filter(bool), st.integers(1, 12))
def test_it_is_the_precision_of_that_answer(gold, size):
    """One alternative a passage: nothing is to be chosen."""
    gold = tuple(passage[:1] for passage in gold)
    held = corpus(size)
    chunks = [held.chunk_span(number) for number in range(len(held.layout))]
    answer = [c for c in chunks if any(places([c]) & places(passage) for passage in gold)]
    found = precision_omega(held, Question("q", "?", gold=gold))
    if answer:
        assert found == pytest.approx(score(answer, gold)["precision"])
        assert 0 < found <= 1


def test_larger_chunks_and_overlap_carry_more():
    asked = Question("q", "?", gold=((Span("a", 12, 18),),))
    assert precision_omega(corpus(10), asked) == 0.6
    assert precision_omega(corpus(20), asked) == 0.3
    assert precision_omega(corpus(10, overlap=5), asked) == 6 / 20  # [5, 15), [10, 20), [15, 25)
    assert precision_omega(corpus(6), asked) == 1


def test_the_copy_that_chunks_fit_best_counts():
    asked = Question("q", "?", gold=((Span("a", 8, 12), Span("a", 20, 24)),))
    assert precision_omega(corpus(10), asked) == 0.4  # not 4 / 20
    assert precision_omega(corpus(4), asked) == 1


def test_touching_chunks_hold_nothing():
    asked = Question("q", "?", gold=((Span("a", 10, 20),),))
    assert precision_omega(corpus(10), asked) == 1
    chunks = [Span("a", start, start + 10) for start in (0, 10, 20, 30)]
    assert omega_as_report(chunks, [Span("a", 10, 20)]) == pytest.approx(1 / 3)


def test_undefined_where_no_chunk_holds_gold():
    assert isnan(precision_omega(corpus(10), Question("q", "?")))
    outside = Question("q", "?", gold=((Span("a", 0, 5),),), scope=("b",))
    assert isnan(precision_omega(corpus(10), outside))
    blank = Question("q", "?", gold=((Span("blank", 0, 5),),))
    assert isnan(precision_omega(corpus(10), blank))


@given(CHUNKS, st.lists(SPAN, min_size=1, max_size=4))
def test_the_report_unites_what_touches_and_what_is_missed(chunks, gold):
    touching = [
        chunk
        for chunk in chunks
        if any(
            {(chunk.doc, at) for at in range(chunk.start, chunk.end + 1)}
            & {(want.doc, at) for at in range(want.start, want.end + 1)}
            for want in gold
        )
    ]
    held = places(touching) & places(gold)
    expected = len(held) / len(places(touching) | places(gold))
    assert omega_as_report(chunks, gold) == pytest.approx(expected)


def test_the_report_has_no_score_without_gold_and_none_for_nothing():
    chunks = [Span("a", 0, 5)]
    assert all(map(isnan, score_as_report(chunks, [])))
    assert isnan(omega_as_report(chunks, []))
    assert score_as_report([], [Span("a", 0, 5)]) == (0, 0, 0)

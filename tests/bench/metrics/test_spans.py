"""Span metrics against sets of (document, position), and worked examples."""

from __future__ import annotations

from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.metrics.spans import NAMES, context_precision, score
from bench.types import Span

SPAN = st.builds(
    lambda doc, start, length: Span(doc, start, start + length),
    st.sampled_from("ab"),
    st.integers(0, 20),
    st.integers(1, 8),
)
SPANS = st.lists(SPAN, max_size=5)
GOLD = st.lists(st.lists(SPAN, min_size=1, max_size=3).map(tuple), min_size=1, max_size=4)


def places(spans):
    return {(span.doc, at) for span in spans for at in range(span.start, span.end)}


def by_sets(spans, gold):
    got = places(spans)
    shares = [[len(places([s]) & got) / len(places([s])) for s in passage] for passage in gold]
    best = [max(one) for one in shares]
    wanted = places(passage[one.index(max(one))] for passage, one in zip(gold, shares, strict=True))
    lengths = [len(places(passage[:1])) for passage in gold]
    recall = sum(b * n for b, n in zip(best, lengths, strict=True)) / sum(lengths)
    precision = len(wanted & got) / len(got) if got else 0
    anywhere = places(span for passage in gold for span in passage)
    relevant = [bool(places([span]) & anywhere) for span in spans]
    ranks = [sum(relevant[: i + 1]) / (i + 1) for i, good in enumerate(relevant) if good]
    return {
        "recall": recall,
        "precision": precision,
        "iou": len(wanted & got) / len(wanted | got),
        "f1": 2 * precision * recall / (precision + recall) if precision + recall else 0,
        "hit": float(any(share >= 0.5 for share in best)),
        "full": float(all(share == 1 for share in best)),
        "context_precision": sum(ranks) / len(ranks) if ranks else 0,
    }


@given(SPANS, GOLD)
def test_agrees_with_sets(spans, gold):
    found = score(spans, gold)
    assert tuple(found) == NAMES
    assert found == pytest.approx(by_sets(spans, gold))
    assert all(0 <= value <= 1 for value in found.values())


@given(GOLD)
def test_perfect_is_exactly_one(gold):
    assert set(score([passage[0] for passage in gold], [p[:1] for p in gold]).values()) == {1.0}


@given(SPANS, GOLD)
def test_more_context_never_loses_recall(spans, gold):
    found = [score(spans[:k], gold)["recall"] for k in range(len(spans) + 1)]
    assert found == pytest.approx(sorted(found))


@given(SPANS)
def test_undefined_without_gold(spans):
    assert all(map(isnan, score(spans, ()).values()))


@given(GOLD)
def test_nothing_returned_is_zero(gold):
    assert set(score([], gold).values()) == {0.0}


def test_gold_inside_a_long_segment():
    found = score([Span("d", 20, 100)], [(Span("d", 40, 60),)])
    assert (found["recall"], found["precision"], found["iou"]) == (1, 0.25, 0.25)
    assert found["f1"] == pytest.approx(0.4)


def test_duplicates_on_either_side():
    a, b, c = (Span("d", start, start + 10) for start in (0, 10, 20))
    found = score([a, a, b], [(a,), (c,)])
    assert (found["recall"], found["precision"]) == (0.5, 0.5)
    assert set(score([a], [(a,), (a,)]).values()) == {1.0}


def test_context_size_shows_in_precision():
    gold = [(Span("d", 30, 40),)]
    whole, exact = score([Span("d", 0, 100)], gold), score([Span("d", 30, 40)], gold)
    assert (whole["recall"], whole["precision"]) == (1, 0.1)
    assert (exact["recall"], exact["precision"]) == (1, 1)


def test_a_copy_is_as_good():
    gold = [(Span("d1", 0, 10), Span("d2", 5, 15))]
    assert set(score([Span("d2", 5, 15)], gold).values()) == {1.0}


def test_half_a_gold_span_is_a_hit():
    gold = [(Span("d", 0, 10),), (Span("e", 0, 10),)]
    assert score([Span("d", 0, 5)], gold)["hit"] == 1
    assert score([Span("d", 0, 4)], gold)["hit"] == 0


@pytest.mark.parametrize(
    ("ranking", "expected"),
    [
        ("+", 1),
        ("-", 0),
        ("", 0),
        ("+-", 1),
        ("-+", 1 / 2),
        ("+-+", (1 + 2 / 3) / 2),
        ("-++", (1 / 2 + 2 / 3) / 2),
        ("--+-", 1 / 3),
    ],
)
def test_context_precision(ranking, expected):
    spans = [Span("d" if mark == "+" else "x", i, i + 1) for i, mark in enumerate(ranking)]
    assert context_precision(spans, [(Span("d", 0, 9),)]) == pytest.approx(expected)

"""Recall under a budget, and top-k's curve."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from bench.chunking import Fixed
from bench.corpus import cut
from bench.metrics import tokens as budgets
from bench.metrics.intervals import union
from bench.tokens import tokenizer
from bench.types import Dataset, Document, Span

TEXTS = {
    "a": "The quick brown fox jumps over the lazy dog. " * 6,
    "b": "Ünïcödé 日本語 🙂🙂 and some   blanks\n\n\n, then antidisestablishmentarianism. " * 3,
}


def corpus(size, overlap=0):
    documents = {name: Document(name, text) for name, text in TEXTS.items()}
    dataset = Dataset("tiny", "", documents, ())
    return cut(dataset, Fixed(size=size, overlap=overlap), tokenizer("o200k_base"))


def random_span(rng, longest=60):
    doc = str(rng.choice(list(TEXTS)))
    start = int(rng.integers(0, len(TEXTS[doc]) - 1))
    end = min(len(TEXTS[doc]), start + int(rng.integers(1, longest)))
    return Span(doc, start, end)


def random_gold(rng):
    return [
        tuple(random_span(rng, 20) for _ in range(rng.integers(1, 3)))
        for _ in range(rng.integers(1, 4))
    ]


def test_never_falls_and_ends_at_recall(monkeypatch):
    monkeypatch.setattr(budgets, "BUDGETS", (0, 1, 2, 5, 9, 14, 20, 40, 80, 1000))
    rng = np.random.default_rng(0)
    held = corpus(20)
    for _ in range(80):
        spans = [random_span(rng) for _ in range(rng.integers(0, 6))]
        gold = random_gold(rng)
        found = budgets.recall_at_budgets(held, spans, gold)
        values = list(found.values())
        assert values == pytest.approx(sorted(values))
        for budget in budgets.BUDGETS:
            part = budgets.cut(held, spans, budget)
            assert held.tokens(part) <= budget
            assert sum(s.end - s.start for s in part) == sum(
                end - start for runs in union(part).values() for start, end in runs
            )
            if budget >= held.tokens(spans):
                assert union(part) == union(spans)
                whole = budgets.recall(union(spans), gold)
                assert found[f"recall_at_{budget}"] == pytest.approx(whole)


def test_rank_order_decides_what_is_cut():
    held = corpus(20)
    first, second = Span("a", 89, 134), Span("a", 0, 44)  # ten tokens each
    assert held.tokens([first]) == held.tokens([second]) == 10
    assert budgets.cut(held, [first, second], 10) == [first]
    assert budgets.cut(held, [first, first, second], 20) == [first, second]
    assert budgets.cut(held, [first, second], 11) == [first, Span("a", 0, 3)]


def test_undefined_without_gold():
    held = corpus(20)
    found = budgets.recall_at_budgets(held, [Span("a", 0, 9)], ())
    assert list(found) == [f"recall_at_{b}" for b in (250, 500, 1000, 2000, 4000)]
    assert all(map(isnan, found.values()))
    assert np.isnan(budgets.topk_curve(held, [0, 1], ()).recall).all()


@pytest.mark.parametrize("overlap", [0, 7])
def test_curve_is_what_each_k_gives(overlap):
    rng = np.random.default_rng(1)
    held = corpus(20, overlap)
    assert held.overlapping == (overlap > 0)
    for _ in range(20):
        gold = random_gold(rng)
        chunks = rng.permutation(len(held.layout))[: rng.integers(0, 20)].tolist()
        curve = budgets.topk_curve(held, chunks, gold)
        assert len(curve.tokens) == len(curve.recall) == len(chunks) + 1
        for k in range(len(chunks) + 1):
            spans = [held.chunk_span(chunk) for chunk in chunks[:k]]
            assert curve.tokens[k] == held.tokens(spans)
            assert curve.recall[k] == budgets.recall(union(spans), gold)

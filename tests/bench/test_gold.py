"""What the oracle sees, and the ceiling nobody passes."""

from __future__ import annotations

from itertools import combinations
from math import isnan

import numpy as np
import pytest

from baselines import Oracle
from bench.chunking import Fixed
from bench.corpus import cut
from bench.gold import Ceiling, documents_searched, example, shares, view
from bench.metrics.intervals import union
from bench.metrics.tokens import recall
from bench.tokens import tokenizer
from bench.types import Dataset, Document, Question, Span
from rse import Hits

TEXTS = {
    "a": "The quick brown fox jumps over the lazy dog. " * 4,
    "blank": "  \n ",
    "b": "  Ünïcödé 日本語 🙂🙂 and some" + " " * 40 + "blanks, antidisestablishmentarianism. " * 3,
}


def corpus(size=10):
    documents = {name: Document(name, text) for name, text in TEXTS.items()}
    return cut(Dataset("tiny", "", documents, ()), Fixed(size=size), tokenizer("o200k_base"))


def random_question(rng, alternatives):
    def span():
        doc = str(rng.choice(["a", "b"]))
        start = int(rng.integers(0, len(TEXTS[doc]) - 1))
        return Span(doc, start, min(len(TEXTS[doc]), start + int(rng.integers(1, 30))))

    gold = tuple(
        tuple(span() for _ in range(rng.integers(1, alternatives + 1)))
        for _ in range(rng.integers(1, 5))
    )
    scope = None if rng.random() < 0.7 else (str(rng.choice(["a", "b"])), "blank")
    return Question(f"q{rng.integers(1000)}", "?", gold, scope=scope)


def allowed(held, question):
    documents = documents_searched(held, question)
    every = np.arange(len(held.layout))
    return every if documents is None else every[np.isin(held.layout.document(every), documents)]


def reached(held, chunks, question):
    spans = [held.chunk_span(int(chunk)) for chunk in chunks]
    return held.tokens(spans), recall(union(spans), question.gold)


def draws(rng, held, question, among):
    """Draw chunks at random, a few times; give the tokens and the recall of each draw."""
    for _ in range(12):
        chosen = rng.permutation(among)[: rng.integers(0, len(among) + 1)]
        yield reached(held, chosen, question)


def answer(held, question, budget):
    """Give the oracle's chunks."""
    oracle = Oracle(tokens=budget).for_question(view(held, question))
    return [segment.first for segment in oracle.select([], held.layout)]


def holding(held, question):
    """Give the chunks that hold gold in any alternative."""
    documents = documents_searched(held, question)
    spans = [span for passage in question.gold for span in passage]
    return sorted({chunk for span in spans for chunk, _ in shares(held, span, documents)})


@pytest.mark.parametrize("size", [2, 10, 40])
def test_no_choice_passes_the_ceiling(size):
    rng = np.random.default_rng(size)
    held = corpus(size)
    for _ in range(40):
        question = random_question(rng, 3)
        ceiling = Ceiling(held, question)
        for among in (holding(held, question), allowed(held, question)):
            for tokens, found in draws(rng, held, question, among):
                assert found <= ceiling.at(tokens) + 1e-9
        values = [ceiling.at(tokens) for tokens in range(0, 60, 3)]
        assert values == sorted(values)
        assert max(values) <= 1


@pytest.mark.parametrize("size", [2, 10, 40])
def test_the_oracle_is_never_beaten_at_its_tokens(size):
    rng = np.random.default_rng(size)
    held = corpus(size)
    for _ in range(40):
        question = random_question(rng, 1)
        taken = answer(held, question, int(rng.integers(1, 25)))
        tokens, best = reached(held, taken, question)
        assert set(taken) <= set(allowed(held, question).tolist())
        assert best == pytest.approx(Ceiling(held, question).at(tokens))
        for cost, found in draws(rng, held, question, holding(held, question)):
            assert cost > tokens or found <= best + 1e-9


@pytest.mark.parametrize("few", [0, 256])
def test_with_alternatives_the_oracle_is_hardly_ever_beaten_by_the_best_of_all(few, monkeypatch):
    monkeypatch.setattr("bench.gold.FEW", few)  # 0: one passage after the other
    rng = np.random.default_rng(0)
    held = corpus(40)
    beaten = []
    for _ in range(60):
        question = random_question(rng, 3)
        among = holding(held, question)
        tokens, mine = reached(held, answer(held, question, int(rng.integers(1, 25))), question)
        every = (chosen for count in range(len(among) + 1) for chosen in combinations(among, count))
        found = (reached(held, chosen, question) for chosen in every)
        best = max(found_recall for cost, found_recall in found if cost <= tokens)
        beaten.append(best - mine)
    assert sum(loss > 1e-9 for loss in beaten) <= 1
    assert max(beaten) < 0.05


def test_the_alternative_beside_other_gold_counts():
    held = corpus(10)
    wanted = (Span("a", 21, 29),)
    alone, beside = Span("a", 0, 10), Span("a", 29, 39)  # in chunk 0; in chunks 2 and 3
    assert view(held, Question("q", "?", ((alone, beside),))).gold_chunk.tolist() == [0]
    long = (Span("a", 30, 40),)
    question = Question("q", "?", ((alone, beside), wanted, long))
    assert view(held, question).gold_chunk.tolist() == [2, 3]


def test_view_counts_gold_characters_per_chunk():
    held = corpus(10)
    question = Question("q", "?", ((Span("a", 5, 25),), (Span("a", 0, 5),)))
    seen = view(held, question)
    assert seen.gold_chunk.tolist() == [0, 1, 2]
    assert seen.gold.tolist() == pytest.approx([10, 10, 5])
    assert (seen.id, seen.documents) == ("q", None)


def test_the_cheaper_alternative_counts():
    held = corpus(10)
    dear, cheap = Span("a", 5, 15), Span("a", 20, 30)
    assert view(held, Question("q", "?", ((dear, cheap),))).gold_chunk.tolist() == [2]


def test_scope_is_each_document_once_and_gold_outside_it_is_lost():
    held = corpus(10)
    gold = ((Span("a", 0, 10),), (Span("b", 2, 12),))
    question = Question("q", "?", gold, scope=("b", "blank", "b"))
    assert documents_searched(held, question).tolist() == [1, 2]
    assert set(held.layout.document(view(held, question).gold_chunk)) == {2}
    assert Ceiling(held, question).at(10_000) == pytest.approx(0.5)
    assert list(shares(held, Span("a", 0, 10), np.array([1, 2]))) == []


def test_hits_teach_the_gold_they_hold_in_whatever_alternative():
    held = corpus(10)
    passage = (Span("a", 0, 4), Span("a", 10, 14))
    question = Question("q", "?", (passage, (Span("b", 2, 12),)))
    one = example(held, question, Hits([1, 3, 0], [0.9, 0.8, 0.7]))
    first, second = (text_held(held, chunk, passage) for chunk in (0, 1))
    assert first > 0
    assert second > 0
    assert one.gold.tolist() == [second, 0, first]
    assert one.total == 4 + 10
    assert one.documents == (held.layout.identity[0], held.layout.identity[2])


def text_held(held, chunk, passage):
    span = held.chunk_span(chunk)
    return max(min(span.end, gold.end) - max(span.start, gold.start) for gold in passage)


def test_without_gold():
    held = corpus(10)
    assert len(view(held, Question("q", "?")).gold_chunk) == 0
    assert isnan(Ceiling(held, Question("q", "?")).at(100))
    nowhere = Question("q", "?", ((Span("blank", 0, 2),),))
    assert Ceiling(held, nowhere).at(100) == 0

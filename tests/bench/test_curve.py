"""What is kept of a question: held against the oracle strategy and against plain counting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baselines import Oracle
from bench.chunking import Fixed
from bench.corpus import cut
from bench.curve import curve_row
from bench.family import Family
from bench.gold import view
from bench.metrics.intervals import union
from bench.metrics.tokens import recall
from bench.retrieval.retriever import Found, Read
from bench.summary.curves import oracle
from bench.tokens import tokenizer
from bench.types import Dataset, Document, Question, Span
from rse import Hits

TEXT = "Boats leave at noon. Ropes are tied at the quay, and the crane lifts cargo. " * 6
O200K = tokenizer("o200k_base")


def family(*questions, overlap=0):
    documents = {"a": Document("a", TEXT), "b": Document("b", TEXT[7:200])}
    data = Dataset("tiny", "1", documents, questions)
    return Family("c / r", data, cut(data, Fixed(size=30, overlap=overlap), O200K), retriever=None)


def found(*chunks, read=(), queries=()):
    score = np.linspace(1, 0.1, len(chunks)) if chunks else np.zeros(0)
    return Found((Hits(list(chunks), score),), 0.0, 0.0, 0, read=read, queries=queries)


spans = st.builds(
    lambda doc, start, size: Span(doc, start, start + size),
    st.sampled_from(["a", "b"]),
    st.integers(0, 120),
    st.integers(1, 60),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(spans, min_size=1, max_size=2).map(tuple), max_size=3), st.data())
def test_the_oracles_curve_is_that_of_the_strategy(gold, data):
    question = Question("q", "Boats?", tuple(gold))
    made = family(question, overlap=data.draw(st.sampled_from([0, 10])))
    row = curve_row(made, question, found(0, 1), 10)
    budgets = data.draw(st.lists(st.integers(1, 200), min_size=1, max_size=4).map(sorted))
    traced = oracle({"q": row}, ["q"], budgets)
    for place, budget in enumerate(budgets):
        seen = view(made.corpus, question)
        segments = Oracle(tokens=budget).for_question(seen).select([], made.corpus.layout)
        shown = [made.corpus.span(segment) for segment in segments]
        assert traced.tokens[0, place] == made.corpus.tokens(shown)
        expected = recall(union(shown), question.gold)
        assert traced.recall[0, place] == pytest.approx(expected, nan_ok=True)


def test_ranked_metrics_of_chunks_and_documents():
    question = Question("q", "Boats?", ((Span("a", 0, 10),),))
    made = family(question)
    first_of_b = int(made.corpus.layout.start[1])
    row = curve_row(made, question, found(first_of_b, 5, 0, 1), 10)
    assert row["ranked_chunks"]["mrr"] == pytest.approx(1 / 3)
    assert row["ranked_documents"]["mrr"] == 0.5
    assert (row["ranked_chunks"]["recall@1"], row["ranked_chunks"]["recall@3"]) == (0, 1)
    assert row["chunks"] == [first_of_b, 5, 0, 1]


def test_what_models_read_is_counted():
    question = Question("q", "Where do boats go?", ())
    made = family(question)
    reads = ((Read("boats", np.array([0, 2])),), (Read("boats", np.array([2])),))
    row = curve_row(made, question, found(0, 2, read=reads, queries=("boats", "where")), 10)
    assert row["query_tokens"] == O200K.count("boats") + O200K.count("where")
    costs = made.corpus.costs
    assert row["rerank_tokens"] == [
        2 * O200K.count("boats") + costs[0] + costs[2],
        O200K.count("boats") + costs[2],
    ]
    plain = curve_row(made, question, found(0), 10)
    assert plain["query_tokens"] == O200K.count("Where do boats go?")
    assert plain["rerank_tokens"] == []

"""Samples in the columns of ragas."""

from __future__ import annotations

import json

import pytest

from bench.chunking import Fixed
from bench.corpus import cut
from bench.export.ragas import ragas_rows, write_ragas
from bench.tokens import tokenizer
from bench.types import Context, Dataset, Document, Question, Record, Span

COLUMNS = {
    "user_input", "retrieved_contexts", "reference_contexts", "retrieved_context_ids",
    "reference_context_ids", "response", "reference",
}  # fmt: skip


@pytest.fixture
def dataset():
    documents = {name: Document(name, "abcdefghij0123456789ABCDEFGHIJ") for name in ("a", "b c")}
    asked = Question("q1", "Which?", ((Span("a", 8, 12), Span("b c", 8, 12)),), answers=("ij01",))
    return Dataset("d", "r", documents, (asked, Question("q2", "None?")))


@pytest.fixture
def corpus(dataset):
    return cut(dataset, Fixed(size=10), tokenizer("o200k_base"))


def record(question, *spans):
    return Record("d", "x", question, Context(spans, 1), (1.0,) * len(spans), 1, {}, {})


def test_what_is_in_a_sample(dataset, corpus):
    spans = Span("b c", 10, 30), Span("a", 0, 10)
    (row,) = ragas_rows(dataset, corpus, [record("q1", *spans)], {"q1": "They say so."})
    assert row == {
        "user_input": "Which?",
        "retrieved_contexts": ["0123456789ABCDEFGHIJ", "abcdefghij"],
        "reference_contexts": ["ij01"],
        "retrieved_context_ids": ["b%20c:10-20", "b%20c:20-30", "a:0-10"],
        "reference_context_ids": ["a:0-10", "a:10-20", "b%20c:0-10", "b%20c:10-20"],
        "response": "They say so.",
        "reference": "ij01",
    }


def test_without_gold_or_answer(dataset, corpus, tmp_path):
    path = write_ragas(dataset, corpus, [record("q2")], tmp_path / "x.jsonl")
    row = json.loads(path.read_text(encoding="utf-8"))
    assert row.keys() == COLUMNS
    assert row["retrieved_contexts"] == row["reference_context_ids"] == []
    assert row["response"] is row["reference"] is None

"""What counts as right: overlap, copies, scope, documents."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

from bench.chunking import Fixed
from bench.corpus import cut
from bench.gold import shares
from bench.metrics import judged as module
from bench.metrics.judged import judge_chunks, judge_documents, judged, rank_documents
from bench.tokens import tokenizer
from bench.types import Dataset, Document, Question, Span

TEXTS = {"a": "abcdefghij" * 3, "blank": " \n ", "b": "0123456789" * 4}


@pytest.fixture(scope="module")
def corpus():
    """Chunks 0, 1, 2 of `a` and 3, 4, 5, 6 of `b`, ten characters each; `blank` has none."""
    documents = {name: Document(name, text) for name, text in TEXTS.items()}
    made = cut(Dataset("tiny", "", documents, ()), Fixed(size=10), tokenizer("o200k_base"))
    assert made.layout.start.tolist() == [0, 3, 3, 7]
    return made


def ask(*gold, scope=None):
    return Question("q", "?", tuple(tuple(Span(*span) for span in p) for p in gold), scope=scope)


def answers(found):
    rows = {}
    for item, answer in zip(found.item.tolist(), found.answer.tolist(), strict=True):
        rows.setdefault(answer, []).append(item)
    return [sorted(rows[answer]) for answer in sorted(rows)]


def test_examples():
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        (("a", 10, 20), [[1]]),  # touches chunks 0 and 2
        (("a", 9, 20), [[0, 1]]),
        (("a", 10, 21), [[1, 2]]),
        (("a", 0, 30), [[0, 1, 2]]),
        (("b", 39, 40), [[6]]),
        (("blank", 0, 3), []),
    ],
)
def test_touching_edges_do_not_count(corpus, span, expected):
    assert answers(judge_chunks(corpus, ask([span]))) == expected


def test_alternatives_are_one_answer(corpus):
    question = ask([("a", 1, 5), ("b", 11, 15)], [("b", 21, 25)])
    assert answers(judge_chunks(corpus, question)) == [[0, 4], [5]]
    assert answers(judge_chunks(corpus, question, plain=True)) == [[0], [4], [5]]
    assert answers(judge_documents(corpus, question)) == [[0, 2], [2]]
    assert answers(judge_documents(corpus, question, plain=True)) == [[0], [2]]


def test_gold_listed_twice_counts_once(corpus):
    once = judge_chunks(corpus, ask([("a", 1, 5)]))
    twice = judge_chunks(corpus, ask([("a", 1, 5)], [("a", 1, 5)]))
    assert answers(once) == answers(twice) == [[0]]
    assert twice.ideal.tolist() == [1]


def test_scope_leaves_out_what_is_not_searched(corpus):
    question = ask([("a", 1, 5), ("b", 1, 5)], [("a", 11, 15)], scope=("b", "blank"))
    found = judge_chunks(corpus, question)
    assert (answers(found), found.searched) == ([[3]], 4)
    found = judge_documents(corpus, question)
    assert (answers(found), found.searched) == ([[2]], 1)
    assert judge_chunks(corpus, ask()).searched == 7
    assert judge_documents(corpus, ask()).searched == 2
    assert answers(judge_chunks(corpus, ask())) == []


def test_holds_what_the_ceiling_counts(corpus):
    rng = np.random.default_rng(0)
    for _ in range(100):
        doc = str(rng.choice(["a", "b"]))
        start = int(rng.integers(0, len(TEXTS[doc]) - 1))
        span = Span(doc, start, min(len(TEXTS[doc]), start + int(rng.integers(1, 30))))
        expected = sorted(chunk for chunk, _ in shares(corpus, span, None))
        assert judge_chunks(corpus, ask([span]), plain=True).item.tolist() == expected


def test_documents_by_their_first_chunk(corpus):
    assert rank_documents(corpus, [4, 0, 6, 2, 3]) == [2, 0]
    assert rank_documents(corpus, []) == []


def test_the_ideal_takes_the_item_with_most_new_answers():
    assert judged([[1], [1, 2], [2, 3], [2]], searched=5).ideal.tolist() == [1, 1, 1, 2]
    assert judged([[1], [2], [3]], searched=5).ideal.tolist() == [1, 2, 3]
    assert judged([[], []], searched=5).ideal.tolist() == []

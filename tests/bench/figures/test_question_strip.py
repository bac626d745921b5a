"""The strip of a question, on a made-up corpus."""

from __future__ import annotations

import pytest

from bench.chunking import Fixed
from bench.corpus import cut
from bench.figures.question import choose, expected_shares
from bench.tokens import tokenizer
from bench.types import Dataset, Document, Question, Span
from rse import Hits

WORDS = "one two three four five six seven eight nine ten "


@pytest.fixture(scope="module")
def corpus():
    documents = {name: Document(name, WORDS * 3) for name in ("a", "b", "c")}
    return cut(Dataset("made", "", documents, ()), Fixed(size=30), tokenizer("o200k_base"))


def asked(name, doc, start, end):
    return Question(name, f"what of {doc}?", ((Span(doc, start, end),),))


QUESTIONS = (asked("q1", "a", 30, 85), asked("q2", "b", 0, 25), asked("q3", "c", 40, 60))
FOUND = {
    "q1": Hits([1, 2, 7, 4], [0.7, 0.5, 0.4, 0.3]),
    "q2": Hits([5, 6, 0, 12], [0.8, 0.4, 0.3, 0.2]),
    "q3": Hits([11, 10, 3, 7], [0.6, 0.5, 0.2, 0.1]),
}


def test_what_is_shown_of_the_best_document(corpus):
    strip, choices = choose(corpus, QUESTIONS[0], FOUND, QUESTIONS)
    assert strip.documents == [("a", 0, 5)]
    assert strip.hit.tolist() == [False, True, True, False, True]
    assert strip.gold == [(1, 3)]
    assert len(strip.values) == 5
    greedy = choices[0]
    assert greedy.runs.startswith("[1, 3)")
    assert greedy.recall == 1
    assert [row.label for row in strip.rows] == [choice.strategy for choice in choices]


def test_segments_of_other_documents_are_counted(corpus):
    found = FOUND | {"q1": Hits([1, 7, 3], [0.7, 0.69, 0.1])}
    _, choices = choose(corpus, QUESTIONS[0], found, QUESTIONS)
    assert choices[0].runs == "[1, 2) + 1 elsewhere"
    assert choices[0].segments == 2


def test_shares_never_learn_from_gold_of_the_same_document(corpus):
    own = asked("q4", "a", 0, 20)
    found = FOUND | {"q4": Hits([0, 1], [0.9, 0.1])}
    fitted = expected_shares(corpus, QUESTIONS[0], found, (*QUESTIONS, own))
    assert fitted == expected_shares(corpus, QUESTIONS[0], FOUND, QUESTIONS)

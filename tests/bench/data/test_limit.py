"""The first questions, and the documents they need."""

from __future__ import annotations

from bench.data.assemble import assemble
from bench.data.limit import limited
from bench.types import Document, Question, Span

DOCUMENTS = [Document(name, f"Text of {name}.") for name in "abc"]


def made(*scopes):
    questions = [
        Question(f"q{number}", "Which?", ((Span((scope or "a")[0], 0, 4),),), scope=scope)
        for number, scope in enumerate(scopes)
    ]
    return assemble("made", DOCUMENTS, questions)


def test_documents_that_no_question_searches_are_dropped_and_it_says_so():
    dataset = made(("a", "c"), ("a",), ("b",))
    found = limited(dataset, 2)
    assert [question.id for question in found.questions] == ["q0", "q1"]
    assert list(found.documents) == ["a", "c"]
    assert found.revision == dataset.revision
    assert found.notes[-1] == (
        "Limited to 2 questions: of 3 documents only the 2 that they search."
    )


def test_a_search_over_all_keeps_all():
    found = limited(made(("a",), None, ("b",)), 2)
    assert list(found.documents) == ["a", "b", "c"]
    assert len(found.questions) == 2
    assert found.notes == ()


def test_no_limit_or_one_beyond_all_questions_changes_nothing():
    dataset = made(("a",), ("b",))
    assert limited(dataset, None) is dataset
    assert limited(dataset, 2) is dataset

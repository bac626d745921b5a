"""Questions that share documents are one cluster."""

from __future__ import annotations

from bench.stats.clusters import clusters
from bench.types import Question, Span


def about(*docs, scope=None):
    return Question("q", "?", tuple((Span(doc, 0, 1),) for doc in docs), scope=scope)


def test_connected_components_numbered_by_first_question():
    assert clusters([about("a"), about("b"), about("c"), about("b", "a")]) == [0, 0, 1, 0]
    assert clusters([about("a", "b"), about("c", "d"), about("d", "a")]) == [0, 0, 0]
    assert clusters([about("b"), about("a"), about("b")]) == [0, 1, 0]


def test_scope_goes_before_gold():
    found = clusters([about("a", scope=("x",)), about("a"), about("b", scope=("x", "y"))])
    assert found == [0, 1, 0]


def test_a_question_about_nothing_stands_alone():
    assert clusters([about(), about(), about(scope=()), about("q0")]) == [0, 1, 2, 3]
    assert clusters([]) == []


def test_alternatives_connect():
    either = Question("q", "?", ((Span("a", 0, 1), Span("b", 0, 1)),))
    assert clusters([about("a"), about("b"), either]) == [0, 0, 0]

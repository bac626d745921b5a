"""Copies of a gold text are as good."""

from __future__ import annotations

from bench.data.copies import with_copies
from bench.types import Document, Span


def found(span, *texts):
    documents = [Document(f"d{i}", text) for i, text in enumerate(texts)]
    text = texts[int(span.doc[1:])][span.start : span.end]
    return with_copies(span, documents, text)


def test_the_span_itself_comes_first():
    assert found(Span("d0", 5, 9), "tick tick") == (Span("d0", 5, 9), Span("d0", 0, 4))


def test_other_documents():
    assert found(Span("d1", 0, 3), "a cat", "cat") == (Span("d1", 0, 3), Span("d0", 2, 5))


def test_overlapping_copies():
    assert found(Span("d0", 1, 3), "aaaa") == (Span("d0", 1, 3), Span("d0", 0, 2), Span("d0", 2, 4))


def test_none():
    assert found(Span("d0", 0, 3), "cat", "Cat") == (Span("d0", 0, 3),)

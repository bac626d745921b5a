"""Copies of a gold text are as good, and nothing counts twice."""

from __future__ import annotations

import time

from bench.data.copies import credit_copies
from bench.types import Document, Question, Span

FIRST = "Boats leave every twenty minutes."
OTHER = "Bicycles need a ticket of their own."


def gold_of(texts, *passages, scope=None):
    """Credit copies in documents d0, d1...; give the question's gold and the notes."""
    documents = {f"d{i}": Document(f"d{i}", text) for i, text in enumerate(texts)}
    (question,), notes = credit_copies(documents, [Question("q", "?", passages, scope=scope)])
    return question.gold, notes


def test_a_copy_in_another_document_counts():
    span = Span("d1", 0, len(FIRST))
    gold, notes = gold_of([f"Now: {FIRST}", FIRST], (span,))
    assert gold == ((span, Span("d0", 5, 5 + len(FIRST))),)
    assert notes == (
        "Gold passages that stand in several places in the same words, any of which counts: 1.",
    )


def test_a_copy_in_the_same_document_counts_and_the_given_one_stays_first():
    length = len(FIRST)
    span = Span("d0", length + 1, 2 * length + 1)
    gold, _ = gold_of([f"{FIRST} {FIRST}"], (span,))
    assert gold == ((span, Span("d0", 0, length)),)


def test_an_identical_document_counts_whatever_the_length():
    gold, notes = gold_of(["the cat", "the cat", "the cat sat"], (Span("d0", 4, 7),))
    assert gold == ((Span("d0", 4, 7), Span("d1", 4, 7)),)
    assert notes[0] == "Documents with the text of an earlier one: 1."


def test_a_word_elsewhere_is_no_answer():
    gold, notes = gold_of(["It began in 1914.", "1914 plates were sold."], (Span("d0", 12, 16),))
    assert gold == ((Span("d0", 12, 16),),)
    assert notes == ()


def test_blank_documents_are_no_duplicates():
    assert gold_of([FIRST, "", "", " "])[1] == ()


def test_copies_outside_the_scope_do_not_count():
    span = Span("d0", 0, len(FIRST))
    assert gold_of([FIRST, FIRST, FIRST], (span,), scope=("d0", "d2"))[0] == (
        (span, Span("d2", 0, len(FIRST))),
    )
    assert gold_of([FIRST, FIRST], (span,), scope=("d0",))[0] == ((span,),)


def test_a_passage_listed_twice_counts_once():
    one, two = Span("d0", 0, len(FIRST)), Span("d0", len(FIRST) + 1, len(f"{FIRST} {OTHER}"))
    gold, notes = gold_of([f"{FIRST} {OTHER}"], (one,), (two,), (one,))
    assert gold == ((one,), (two,))
    assert notes == (
        "Gold passages left out because they repeat another one of their question: 1.",
    )


def test_a_copy_listed_as_a_passage_of_its_own_counts_once():
    one, two = Span("d0", 0, len(FIRST)), Span("d1", 0, len(FIRST))
    gold, _ = gold_of([FIRST, FIRST], (one,), (two,))
    assert gold == ((one, two),)


def test_a_span_listed_twice_in_a_passage_is_there_once():
    one = Span("d0", 0, len(FIRST))
    assert gold_of([FIRST], (one, one))[0] == ((one,),)


def test_passages_that_overlap_are_joined():
    text = f"{FIRST} {OTHER}"
    spans = [Span("d0", 20, 40), Span("d0", 0, 25), Span("d0", 41, 50), Span("d0", 30, 41)]
    gold, notes = gold_of([text, "-" * 60], *((span,) for span in spans), (Span("d1", 0, 25),))
    assert gold == ((Span("d0", 0, 41),), (Span("d0", 41, 50),), gold[2])
    assert notes[-1] == (
        "Gold passages joined to another one of their question that they overlap: 2."
    )


def test_passages_with_alternatives_are_left_as_they_are():
    one, two = Span("d0", 0, 25), Span("d0", 20, 40)
    passages = ((one, Span("d0", 50, 60)), (two,))
    assert gold_of([f"{FIRST} {OTHER}"], *passages) == (passages, ())


def test_a_text_that_repeats_itself_has_copies_side_by_side_only():
    gold, _ = gold_of(["-" * 100], (Span("d0", 30, 50),))
    assert gold == ((Span("d0", 30, 50), *(Span("d0", at, at + 20) for at in (0, 50, 70))),)


def test_large_corpora_take_seconds():
    line = "Line {} of a long page that says nothing of interest.\n"
    texts = ["".join(line.format(i * 37 + d) for i in range(4000)) for d in range(10)]
    passages = [(Span("d0", at, at + 60),) for at in range(0, 180_000, 60)]
    began = time.perf_counter()
    gold_of(texts, *passages)
    assert time.perf_counter() - began < 5

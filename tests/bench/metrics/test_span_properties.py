"""What every span metric must do whatever the answer, and the faults metrics of this kind have."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.chunking import Fixed
from bench.corpus import cut
from bench.data.assemble import assemble
from bench.metrics.batch import score_records, token_maps
from bench.metrics.spans import NAMES, score
from bench.tokens import TokenMap, tokenizer
from bench.types import Context, Dataset, Document, Question, Record, Span

SPAN = st.builds(
    lambda doc, start, length: Span(doc, start, start + length),
    st.sampled_from("ab"),
    st.integers(0, 20),
    st.integers(1, 9),
)
SPANS = st.lists(SPAN, max_size=6)
PASSAGE = st.lists(SPAN, min_size=1, max_size=3).map(tuple)
GOLD = st.lists(PASSAGE, min_size=1, max_size=4)
MAPS = {"a": TokenMap(np.arange(0, 30, 2)), "b": TokenMap(np.array([0, 0, 1, 5, 9, 9, 9, 14, 22]))}
BUDGETS = (0, 1, 2, 3, 4, 5, 7, 9, 12, 20, 50)
OF_THE_SET = tuple(name for name in NAMES if name != "context_precision")
"""Metrics that see no order."""


def record(question, spans):
    return Record("made", "arm", question, Context(tuple(spans), 0), (), 0, {}, {})


def every(spans, gold, maps=MAPS, budgets=BUDGETS):
    """Score one answer by the compiled form, budgets and tokens with it."""
    asked = [Question("q", "?", gold=tuple(gold))]
    found = score_records(maps, [record("q", spans)], asked, budgets)
    return {name: float(values[0]) for name, values in found.items()}


def of_the_set(spans, gold):
    found = score(spans, gold)
    return {name: found[name] for name in OF_THE_SET}


@given(SPANS, GOLD)
def test_shares_are_shares(spans, gold):
    found = every(spans, gold)
    tokens = found.pop("tokens")
    assert 0 <= tokens == int(tokens)
    assert all(0 <= value <= 1 for value in found.values())


@given(SPANS, SPAN, st.integers(0, 6), GOLD)
def test_one_more_segment_never_loses_gold(spans, more, place, gold):
    before, after = every(spans, gold), every([*spans[:place], more, *spans[place:]], gold)
    for name in ("recall", "hit", "full", "tokens"):
        assert after[name] >= before[name] - 1e-12
    last = every([*spans, more], gold)  # at the end it changes no cut, but where there was room
    assert all(last[f"recall_at_{b}"] >= before[f"recall_at_{b}"] - 1e-12 for b in BUDGETS)


@given(SPANS, GOLD)
def test_more_tokens_never_lose_gold(spans, gold):
    found = every(spans, gold)
    curve = [found[f"recall_at_{budget}"] for budget in BUDGETS]
    assert all(b >= a - 1e-12 for a, b in pairwise(curve))
    assert curve[-1] == found["recall"]


@given(SPANS.flatmap(lambda spans: st.tuples(st.just(spans), st.permutations(spans))), GOLD)
def test_order_does_not_matter_to_sets(both, gold):
    spans, others = both
    assert of_the_set(spans, gold) == of_the_set(others, gold)


def test_order_does_matter_to_ranks_and_cuts():
    gold, good, bad = [(Span("a", 0, 4),)], Span("a", 0, 4), Span("b", 0, 9)
    first, last = every([good, bad], gold), every([bad, good], gold)
    assert (first["context_precision"], last["context_precision"]) == (1, 0.5)
    assert (first["recall_at_2"], last["recall_at_2"]) == (1, 0)


@given(st.lists(SPAN, min_size=1, max_size=6), st.data(), GOLD)
def test_a_span_in_two_adjacent_pieces_is_the_same_answer(spans, data, gold):
    place = data.draw(st.integers(0, len(spans) - 1))
    doc, start, end = spans[place]
    middle = data.draw(st.integers(start, end))  # at an end: one of the pieces is empty
    pieces = [Span(doc, start, middle), Span(doc, middle, end)]
    split = [*spans[:place], *pieces, *spans[place + 1 :]]
    assert of_the_set(split, gold) == of_the_set(spans, gold)
    whole, parts = every(spans, gold), every(split, gold)
    changes = [name for name in whole if whole[name] != parts[name]]
    assert set(changes) <= {"context_precision"}


@given(st.lists(SPAN, min_size=1, max_size=6), GOLD)
def test_what_is_returned_twice_counts_once(spans, gold):
    assert of_the_set([*spans, spans[0]], gold) == of_the_set(spans, gold)


@given(SPANS, GOLD)
def test_gold_that_is_listed_twice_among_alternatives_counts_once(spans, gold):
    assert score(spans, [(*passage, passage[0]) for passage in gold]) == score(spans, gold)


@given(SPANS, GOLD, SPAN)
def test_one_more_alternative_never_loses_recall(spans, gold, more):
    before, after = score(spans, gold), score(spans, [(*gold[0], more), *gold[1:]])
    assert after["recall"] >= before["recall"] - 1e-12
    assert after["full"] >= before["full"]
    assert after["hit"] >= before["hit"]


@given(SPANS, GOLD, st.integers(1, 50))
def test_where_a_document_begins_does_not_matter(spans, gold, by):
    def moved(span):
        return span._replace(start=span.start + by, end=span.end + by)

    shifted = score(list(map(moved, spans)), [tuple(map(moved, passage)) for passage in gold])
    assert shifted == score(spans, gold)


def test_failed_and_empty_answers_stay_in_the_mean():
    """Four questions: all the gold, all the gold, nothing, and a failure that counts as nothing."""
    gold = ((Span("a", 0, 10),),)
    asked = [Question(f"q{n}", "?", gold=gold) for n in range(4)]
    answers = [[Span("a", 0, 10)], [Span("a", 0, 10)], [], []]
    records = [record(f"q{n}", spans) for n, spans in enumerate(answers)]
    found = score_records(MAPS, records, asked)
    assert found["recall"].tolist() == [1, 1, 0, 0]
    assert found["recall"].mean() == 0.5
    assert not any(np.isnan(values).any() for values in found.values())


@pytest.mark.parametrize("size", [10, 20, 40, 80, 100])
def test_gold_is_where_it_is_whatever_the_chunks(size):
    """Gold [40, 60) of 100 characters; what is returned is what the chunks from 20 on show."""
    documents = {"d": Document("d", "x" * 100)}
    corpus = cut(Dataset("made", "", documents, ()), Fixed(size=size), tokenizer("o200k_base"))
    spans = [corpus.chunk_span(chunk) for chunk in range(len(corpus.layout))]
    held = [span for span in spans if span.start >= 20 // size * size]
    start = min(span.start for span in held)
    found = score(held, [(Span("d", 40, 60),)])
    assert found["recall"] == 1
    assert found["precision"] == found["iou"] == 20 / (100 - start)


def test_gold_inside_a_long_text_is_found():
    """Measured by similarity of texts, this answer scores 0."""
    text = "the cat sat on the mat and then a very long tail follows here for ever and ever"
    gold = [(Span("d", 0, len("the cat sat")),)]
    found = score([Span("d", 0, len(text))], gold)
    assert found["recall"] == found["full"] == found["context_precision"] == 1
    assert found["precision"] == 11 / len(text)


def test_duplicates_count_once_on_either_side():
    a, b, c = (Span("a", start, start + 5) for start in (0, 5, 10))
    found = every([a, a, b], [(a,), (c,)])
    assert (found["recall"], found["precision"]) == (0.5, 0.5)
    assert every([a, a], [(a,), (a,)])["recall"] == 1
    assert every([a], [(a,), (c,)])["recall"] == 0.5


def test_overlapping_windows_are_one_text():
    """Four windows of 4 over ten characters: 10 are returned, not 16."""
    documents = {"d": Document("d", "ABCDEFGHIJ")}
    corpus = cut(
        Dataset("made", "", documents, ()), Fixed(size=4, overlap=2), tokenizer("o200k_base")
    )
    windows = [corpus.chunk_span(chunk) for chunk in range(4)]
    assert sum(span.end - span.start for span in windows) == 16
    gold = [(Span("d", 3, 8),)]
    found = every(windows, gold, token_maps(corpus))
    assert found == every([Span("d", 0, 10)], gold, token_maps(corpus)) | {
        "context_precision": found["context_precision"]
    }
    assert found["precision"] == 0.5
    assert found["tokens"] == corpus.tokens([Span("d", 0, 10)])


def test_the_same_recall_for_ten_times_the_tokens_shows():
    """A document of 100 tokens, 10 of them gold; one returns all of it, one the gold."""
    documents = {"d": Document("d", " tick" * 100)}
    corpus = cut(Dataset("made", "", documents, ()), Fixed(size=50), tokenizer("o200k_base"))
    gold = [(Span("d", 250, 300),)]
    everything = every([Span("d", 0, 500)], gold, token_maps(corpus), (10, 55))
    exactly = every([Span("d", 250, 300)], gold, token_maps(corpus), (10, 55))
    assert everything["recall"] == exactly["recall"] == 1
    assert (everything["precision"], exactly["precision"]) == (0.1, 1)
    assert (everything["tokens"], exactly["tokens"]) == (100, 10)
    assert (everything["recall_at_10"], exactly["recall_at_10"]) == (0, 1)
    assert (everything["recall_at_55"], exactly["recall_at_55"]) == (0.5, 1)


def test_an_identical_document_answers_as_well():
    """Two documents of one text, the gold given in the first; the second one is returned."""
    text = "Boats leave at noon. Dogs travel free."
    documents = [Document("d1", text), Document("d2", text), Document("d3", "Nothing of it.")]
    asked = Question("q", "When?", gold=((Span("d1", 6, 19),),))
    data = assemble("made", documents, [asked])
    found = every(
        [Span("d2", 6, 19)], data.questions[0].gold, dict.fromkeys(data.documents, MAPS["a"])
    )
    assert found.pop("tokens") == 7
    assert {found[name] for name in NAMES} == {1.0}
    mixed = score([Span("d1", 6, 12), Span("d2", 12, 19)], data.questions[0].gold)
    assert mixed["recall"] == 7 / 13  # half of one copy and half of the other are not all of it
    assert mixed["precision"] == 7 / 13
    assert mixed["full"] == 0
    both = score([Span("d1", 6, 19), Span("d2", 6, 19)], data.questions[0].gold)
    assert (both["recall"], both["precision"]) == (1, 0.5)  # the second copy adds nothing

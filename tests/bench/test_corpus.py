"""The chunks of all documents: who owns what, and that no token counts twice."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bench.chunking import Fixed, Recursive
from bench.corpus import cut
from bench.tokens import tokenizer
from bench.types import Dataset, Document, Span
from rse import Segment
from tests.bench.chunking.test_rulers import SIZES, TEXTS

TOKENIZER = tokenizer("o200k_base")
UNITS = st.sampled_from(["characters", "o200k_base"])


def corpus(texts, chunker):
    if not isinstance(texts, dict):
        texts = {f"d{number}": text for number, text in enumerate(texts)}
    documents = {name: Document(name, text) for name, text in texts.items()}
    return cut(Dataset("tiny", "0", documents, ()), chunker, TOKENIZER)


def disjoint(size, unit):
    return st.sampled_from([Fixed(size=size, unit=unit), Recursive(size=size, unit=unit)])


def runs(found):
    """Give every run of chunks inside one document."""
    borders = found.layout.start.tolist()
    return [
        Segment(first, last, 1.0)
        for begin, end in pairwise(borders)
        for first in range(begin, end)
        for last in range(first + 1, min(end, first + 8) + 1)
    ]


@given(
    texts=st.lists(TEXTS, max_size=3),
    chunker=st.builds(disjoint, SIZES, UNITS).flatmap(lambda one: one),
)
def test_token_sums_are_the_tokens_of_runs(texts, chunker):
    found = corpus(texts, chunker)
    assert not found.overlapping
    total = found.layout.token_sum
    for run in runs(found):
        tokens = int(total[run.last] - total[run.first])
        assert tokens == found.tokens([found.span(run)])
        assert tokens == sum(map(found.chunk_tokens, range(run.first, run.last)))


@given(texts=st.lists(TEXTS, max_size=3), size=SIZES, unit=UNITS, data=st.data())
def test_chunks_own_all_from_the_first_on(texts, size, unit, data):
    overlap = data.draw(st.integers(0, size - 1))
    found = corpus(texts, Fixed(size=size, overlap=overlap, unit=unit))
    borders = found.layout.start.tolist()
    assert len(borders) == len(texts) + 1
    assert found.blank == sum(not text.strip() for text in texts)
    assert found.layout.length.tolist() == (found.reach - found.start).tolist()
    for text, first, last in zip(texts, borders[:-1], borders[1:], strict=True):
        if first == last:
            assert not text.strip()
            continue
        whole = found.span(Segment(first, last, 1.0))
        assert (whole.start, whole.end) == (found.start[first], len(text))
        assert found.slice(whole).strip() == text.strip()
        once = found.tokens([whole])
        assert once == found.tokens(map(found.chunk_span, range(first, last)))
        assert once <= TOKENIZER.count(text)
        assert once <= sum(map(found.chunk_tokens, range(first, last)))


@given(
    texts=st.lists(TEXTS, min_size=1, max_size=2),
    size=SIZES,
    tokens=st.integers(0, 30),
)
def test_furthest_never_costs_more_than_asked(texts, size, tokens):
    found = corpus(texts, Recursive(size=size))
    for run in runs(found)[:30]:
        span = found.span(run)
        end = found.furthest(span, tokens)
        assert span.start <= end <= span.end
        cost = found.tokens([Span(span.doc, span.start, end)])
        assert cost <= tokens
        assert end == span.end or found.tokens([span._replace(end=end + 1)]) > tokens


def test_overlapping_chunks_are_sliced_from_the_source():
    found = corpus(["ABCDEFGHIJ"], Fixed(size=4, overlap=2))
    assert found.overlapping
    assert [found.text(chunk) for chunk in range(4)] == ["ABCD", "CDEF", "EFGH", "GHIJ"]
    span = found.span(Segment(0, 4, 1.0))
    assert span == Span("d0", 0, 10)
    assert found.slice(span) == "ABCDEFGHIJ"
    once = TOKENIZER.count("ABCDEFGHIJ")
    assert found.tokens([span]) == once
    both = [found.span(run) for run in (Segment(2, 4, 2.0), Segment(0, 3, 1.0))]
    assert both == [Span("d0", 4, 10), Span("d0", 0, 8)]
    assert found.tokens(both) == once
    assert found.tokens([span, span]) == once


def test_touching_chunks_do_not_overlap():
    assert not corpus(["ABCDEFGHIJ", "ABCD"], Fixed(size=4)).overlapping


def test_overlap_in_a_later_document_is_seen():
    assert corpus(["ABCD", "ABCDEFGHIJ"], Fixed(size=4, overlap=2)).overlapping


def test_blanks_belong_to_the_chunk_before_them():
    found = corpus(["  One.  \n\n Two. \n"], Recursive(size=5))
    assert [found.text(chunk) for chunk in (0, 1)] == ["One.", "Two."]
    assert [found.chunk_span(chunk) for chunk in (0, 1)] == [Span("d0", 2, 11), Span("d0", 11, 17)]
    assert found.slice(found.chunk_span(0)) == "One.  \n\n "
    assert found.layout.length.tolist() == [9, 6]


def test_blank_documents_have_no_chunk_and_are_counted():
    texts = ["", "One sentence.", "   \n", "Two.", "\r\n\t"]
    found = corpus(texts, Recursive(size=100))
    assert found.blank == 3
    assert found.layout.start.tolist() == [0, 0, 1, 1, 2, 2]
    assert [found.text(chunk) for chunk in (0, 1)] == ["One sentence.", "Two."]
    assert [found.chunk_span(chunk).doc for chunk in (0, 1)] == ["d1", "d3"]
    assert found.tokens([]) == 0


def test_nothing_but_blanks_and_nothing_at_all():
    found = corpus(["", " "], Recursive(size=100))
    assert (len(found.layout), found.blank) == (0, 2)
    assert found.layout.token_sum.tolist() == [0]
    found = corpus([], Recursive(size=100))
    assert (len(found.layout), found.blank, found.documents) == (0, 0, ())


def test_documents_are_kept_apart_whatever_their_ids():
    found = corpus({"a_b": "c one. c two.", "a": "b_c one. b_c two."}, Recursive(size=8))
    spans = [found.chunk_span(chunk) for chunk in range(len(found.layout))]
    assert spans == [
        *(Span("a_b", 0, 7), Span("a_b", 7, 13)),
        *(Span("a", 0, 9), Span("a", 9, 17)),
    ]
    assert [found.slice(span) for span in spans] == ["c one. ", "c two.", "b_c one. ", "b_c two."]
    assert found.layout.document([0, 1, 2, 3]).tolist() == [0, 0, 1, 1]
    both = found.tokens(spans)
    assert both == TOKENIZER.count("c one. c two.") + TOKENIZER.count("b_c one. b_c two.")
    # Equal places of two documents are two spans.
    assert found.tokens([Span("a_b", 0, 7), Span("a", 0, 7)]) == (
        found.tokens([Span("a_b", 0, 7)]) + found.tokens([Span("a", 0, 7)])
    )


def test_twelve_chunks_stand_in_order():
    words = [f"Number {number}." for number in range(12)]
    found = corpus([" ".join(words)], Recursive(size=10))
    assert [found.text(chunk) for chunk in range(12)] == words
    assert found.start.tolist() == sorted(found.start.tolist())
    assert found.slice(found.span(Segment(9, 12, 1.0))) == "Number 9. Number 10. Number 11."


def test_documents_are_named_by_their_text():
    found = corpus({"x": "One.", "y": "", "z": "One.", "w": "Two."}, Fixed(size=9))
    first, blank, copy, other = found.layout.identity
    assert first == copy == "70277bfc409b5021"
    assert len({first, blank, other}) == 3

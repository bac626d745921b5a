"""Gold goes where it certainly is; the rest is told, with the places."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bench.data.own.gold import Placer
from bench.data.own.questions import Asked, Wanted
from bench.types import Document, Span

PAGES = "First page: the tax is low.\nSecond page: the tax is high.\n \nThe end goes\non and on."
DOCUMENTS = {
    document.id: document
    for document in (
        Document("tick.txt", "tick tick"),
        Document("rule.txt", "an e\ufb03cient tax-\nation rule, 100 %"),
        Document("copy.txt", "the same words"),
        Document("sub/copy.txt", "the same words"),
        Document("paged.pdf", PAGES, pages=((0, 27), (28, 57), (58, 59), (60, 72), (73, 83))),
        Document("blank.txt", " "),
    )
}


def place(*pieces, scope=None, documents=DOCUMENTS):
    """Place gold given as dicts."""
    gold = [Wanted(**dict.fromkeys(Wanted._fields) | piece) for piece in pieces]
    asked = Asked("q", "Q?", "q.csv, line 2", scope, gold=gold)
    (placed,) = Placer(documents).place([asked])
    return placed


def spans(*pieces, **more):
    placed = place(*pieces, **more)
    assert placed.troubles == []
    return placed.spans


def trouble(*pieces, **more):
    (found,) = place(*pieces, **more).troubles
    return found


def test_a_quote_is_found_through_ligatures_and_hyphens():
    found = place({"quote": "efficient taxation rule"})
    assert found.spans == [Span("rule.txt", 3, 26)]
    assert DOCUMENTS["rule.txt"].text[3:26] == "e\ufb03cient tax-\nation rule"
    assert not found.loose


def test_a_quote_found_by_its_letters_alone_is_marked():
    found = place({"quote": "Rule 100%"})
    assert found.spans == [Span("rule.txt", 22, 33)]
    assert found.loose
    assert not found.cut


@pytest.mark.parametrize(("quote", "cut"), [("rul", True), ("ule", True), ("rule,", False)])
def test_a_quote_that_cuts_a_word_is_marked(quote, cut):
    assert place({"quote": quote}).cut is cut


def test_chinese_has_no_words_to_cut():
    documents = {"a": Document("a", "今天下雨。我带了伞")}
    assert not place({"quote": "下雨"}, documents=documents).cut


def test_several_places_are_told_and_none_is_taken():
    found = trouble({"quote": "tick"})
    assert found.why.startswith("the quote 'tick' stands in 2 places: quote more of it, or")
    assert found.places == (Span("tick.txt", 0, 4), Span("tick.txt", 5, 9))
    assert found.count == 2


@pytest.mark.parametrize(
    "piece", [{"start": 5}, {"start": 5, "end": 9}, {"start": 4}, {"start": 4, "end": 9}]
)
def test_offsets_tell_places_apart(piece):
    assert spans({"quote": "tick", "doc": "tick.txt"} | piece) == [Span("tick.txt", 5, 9)]


def test_a_page_tells_places_apart_and_counts_from_one():
    for page, start in ((1, 12), (2, 41)):
        piece = {"quote": "the tax", "doc": "paged.pdf", "page": page}
        assert spans(piece) == [Span("paged.pdf", start, start + 7)]


def test_a_quote_may_run_on_over_the_end_of_its_page():
    piece = {"quote": "The end goes on and on.", "doc": "paged.pdf"}
    assert spans(piece | {"page": 4}) == [Span("paged.pdf", 60, 83)]
    found = trouble(piece | {"page": 5})
    assert found.why.endswith("is not on page 5 of 'paged.pdf'; but here")
    assert found.places == (Span("paged.pdf", 60, 82),)  # hints are found by letters


def test_a_whole_page():
    assert spans({"doc": "paged.pdf", "page": 2}) == [Span("paged.pdf", 28, 57)]
    assert PAGES[28:57] == "Second page: the tax is high."
    assert "no text at page 3" in trouble({"doc": "paged.pdf", "page": 3}).why


def test_offsets_alone_lose_blanks_at_their_ends():
    assert spans({"doc": "tick.txt", "start": 4, "end": 9}) == [Span("tick.txt", 5, 9)]
    assert spans({"doc": "tick.txt", "start": 0, "end": 5}) == [Span("tick.txt", 0, 4)]
    assert "no text at [4, 5)" in trouble({"doc": "tick.txt", "start": 4, "end": 5}).why


def test_documents_of_the_same_text_are_one_place():
    assert spans({"quote": "same words"}) == [Span("copy.txt", 4, 14)]
    named = {"quote": "same words", "doc": "sub/copy.txt"}
    assert spans(named) == [Span("sub/copy.txt", 4, 14)]
    assert spans({"quote": "same words"}, scope=("sub/copy.txt",)) == [Span("sub/copy.txt", 4, 14)]


def test_a_scope_narrows_the_search():
    assert trouble({"quote": "t"}, scope=("tick.txt",)).count == 2
    found = trouble({"quote": "efficient taxation"}, scope=("tick.txt",))
    assert found.why.endswith("is not in any document of its scope; but here")
    outside = trouble({"quote": "tick", "doc": "tick.txt"}, scope=("copy.txt",))
    assert outside.why == "the gold is in 'tick.txt', which the scope does not name"
    assert "scope: there is no document 'tack.txt'" in trouble(scope=("tack.txt",)).why


def test_a_quote_that_is_elsewhere_is_told():
    found = trouble({"quote": "tick tick", "doc": "rule.txt"})
    assert found.why == "the quote 'tick tick' is not in 'rule.txt'; but here"
    assert found.places == (Span("tick.txt", 0, 9),)


def test_a_quote_that_goes_on_differently_is_told():
    found = trouble({"quote": "efficient taxation law, two hundred"})
    assert found.why.endswith("is not in any document; its beginning is here")
    assert found.places == (Span("rule.txt", 3, 20),)


@pytest.mark.parametrize("quote", ["zebra crossings", "\u00ad", "→", "zz"])
def test_a_quote_that_is_nowhere(quote):
    found = trouble({"quote": quote})
    assert found.why.endswith("is not in any document")
    assert found.places == ()


@pytest.mark.parametrize(
    ("piece", "why"),
    [
        ({"quote": "tick", "doc": "tik.txt"}, "doc: there is no document 'tik.txt'; did you mean"),
        ({"quote": "tick", "page": 1}, "a page, start or end needs a doc"),
        ({"start": 0, "end": 1}, "a page, start or end needs a doc"),
        ({"doc": "tick.txt"}, "a doc alone is no gold: give a quote, a page, or start and end"),
        ({"doc": "tick.txt", "start": 3}, "a doc alone is no gold"),
        ({"doc": "tick.txt", "end": 3}, "an end needs a start"),
        ({"doc": "tick.txt", "quote": "tick", "end": 3}, "an end needs a start"),
        (
            {"doc": "tick.txt", "start": 3, "end": 3},
            r"[3, 3) is no span of 'tick.txt', which has 9",
        ),
        ({"doc": "tick.txt", "start": 3, "end": 10}, "[3, 10) is no span"),
        ({"doc": "tick.txt", "start": 9, "quote": "k"}, "[9, ) is no span"),
        ({"doc": "tick.txt", "page": 1}, "no page 1 in 'tick.txt', which has no pages: only PDF"),
        ({"doc": "paged.pdf", "page": 6}, "no page 6 in 'paged.pdf', which has 5 pages, counted"),
        ({"doc": "paged.pdf", "page": 1, "start": 0}, "give a page, or start and end, not both"),
        (
            {"doc": "tick.txt", "quote": "tick", "start": 1},
            "the quote 'tick' is not at 1 of 'tick.txt'; but here",
        ),
    ],
)
def test_wrong_gold(piece, why):
    assert why in trouble(piece).why


def test_one_bad_piece_spoils_only_its_question():
    pieces = [{"quote": "low"}, {"quote": "nowhere to be seen"}, {"quote": "tick"}]
    assert len(place(*pieces).troubles) == 2
    gold = [Wanted(p["quote"], None, None, None, None) for p in pieces]
    both = [Asked(f"q{n}", "Q?", "", gold=[piece]) for n, piece in enumerate(gold)]
    placed = Placer(DOCUMENTS).place(both)
    assert [len(one.troubles) for one in placed] == [0, 1, 1]
    assert placed[0].spans == [Span("paged.pdf", 23, 26)]


def test_many_places_are_counted_and_few_kept():
    documents = {"a": Document("a", "x y " * 500)}
    found = trouble({"quote": "x"}, documents=documents)
    assert found.count == 500
    assert len(found.places) == 20


TEXT = st.text("ab c", min_size=1, max_size=12)


@given(st.lists(TEXT, min_size=1, max_size=3), st.text("abc", min_size=1, max_size=3))
def test_a_span_is_given_just_when_there_is_one_place(texts, quote):
    """The oracle counts places in texts without blanks at ends or doubled, by hand."""
    texts = list(dict.fromkeys(" ".join(text.split()) for text in texts))
    assume(all(texts))
    documents = {str(number): Document(str(number), text) for number, text in enumerate(texts)}
    found = place({"quote": quote}, documents=documents)
    places = [
        Span(id_, at, at + len(quote))
        for id_, d in documents.items()
        for at in range(len(d.text))
        if d.text.startswith(quote, at)
    ]
    if len(places) == 1:
        assert found.spans == places
        assert not found.troubles
    elif places:
        assert found.spans == []
        assert found.troubles[0].count == len(places)

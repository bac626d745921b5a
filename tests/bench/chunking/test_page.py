"""Pages as chunks and as sections."""

from __future__ import annotations

import pytest

from bench.chunking import Page
from bench.types import Document
from rse.checks import ParameterError

TEXT = "First page. It is long.\n\nSecond.\n \n\nFourth page."
PAGES = ((0, 24), (25, 32), (33, 35), (36, 48))


def test_a_page_is_a_chunk():
    pieces = Page().cut(Document("d", TEXT, pages=PAGES))
    assert [TEXT[start:end] for start, end in pieces.spans] == [
        "First page. It is long.",
        "Second.",
        "Fourth page.",
    ]
    assert pieces.spans == [(0, 23), (25, 32), (36, 48)]
    assert pieces.section == [0, 1, 2]  # the blank page has no number


def test_pages_are_cut_to_size():
    pieces = Page(size=12).cut(Document("d", TEXT, pages=PAGES))
    assert pieces.spans == [(0, 11), (12, 23), (25, 32), (36, 48)]
    assert pieces.section == [0, 0, 1, 2]


def test_a_size_in_tokens():
    pieces = Page(size=3, unit="o200k_base").cut(
        Document("d", "one two three four", pages=((0, 18),))
    )
    assert pieces == ([(0, 13), (14, 18)], [0, 0])


def test_without_pages_the_text_is_one():
    assert Page().cut(Document("d", " One.\n\nTwo. ")) == ([(1, 11)], [0])
    assert Page(size=5).cut(Document("d", " One.\n\nTwo. ")) == ([(1, 5), (7, 11)], [0, 0])


@pytest.mark.parametrize("size", [None, 5])
def test_blank_documents(size):
    for document in (Document("d", ""), Document("d", " \n ", pages=((0, 1), (1, 3)))):
        assert Page(size=size).cut(document) == ([], [])


def test_what_stands_outside_the_pages_is_not_lost():
    document = Document("d", "ab cd ef gh", pages=((3, 5), (9, 11)))
    assert Page().cut(document) == ([(0, 8), (9, 11)], [0, 1])


def test_a_size_out_of_range_is_named():
    with pytest.raises(ParameterError, match="size must be a whole number of 1 or more, got 0"):
        Page(size=0)

"""Which pages a span stands on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.content.pages import is_visual, pages
from bench.types import Document, Span

#        0123456 789 0 1234567    page 2 has no text, only a picture
TEXT = "ab cd\n ef\n\n  ghijk"
DOCUMENT = Document("d", TEXT, pages=((0, 5), (6, 9), (10, 10), (11, 18)), visual=(2, 3))


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 1, [0]),
        (0, 5, [0]),
        (0, 7, [0]),  # the line feed and the blank that begins the next page
        (0, 8, [0, 1]),
        (4, 7, [0]),
        (5, 9, [1]),
        (5, 13, [1]),
        (7, 14, [1, 2, 3]),  # a picture between
        (10, 18, [3]),
        (5, 7, []),  # blanks alone
        (9, 9, []),
        (0, 18, [0, 1, 2, 3]),
    ],
)
def test_blanks_at_the_ends_stand_on_no_page(start, end, expected):
    assert list(pages(DOCUMENT, Span("d", start, end))) == expected


def test_no_pages_or_text_outside_them():
    assert list(pages(Document("d", TEXT), Span("d", 0, 5))) == []
    assert list(pages(Document("d", TEXT, pages=((6, 9),)), Span("d", 0, 5))) == []


def test_visual_is_any_page_of_the_run():
    assert not is_visual(DOCUMENT, range(2))
    assert is_visual(DOCUMENT, range(1, 4))
    assert not is_visual(DOCUMENT, range(0))


@given(st.lists(st.text("ab \n", max_size=6), min_size=1, max_size=6), st.data())
def test_every_letter_of_a_span_is_on_a_page_that_is_shown(texts, data):
    text = "\n".join(texts)
    ends = [len("\n".join(texts[: n + 1])) for n in range(len(texts))]
    spans = tuple((end - len(own), end) for own, end in zip(texts, ends, strict=True))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    letters = [at for at in range(start, end) if not text[at].isspace()]
    needed = [n for n, (first, last) in enumerate(spans) if any(first <= a < last for a in letters)]
    found = pages(Document("d", text, pages=spans), Span("d", start, end))
    assert list(found) == (list(range(needed[0], needed[-1] + 1)) if needed else [])

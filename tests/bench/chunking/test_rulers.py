"""What every chunker owes its users, over nasty texts; also asked by the tests beside this one."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.chunking import Fixed, Recursive
from bench.chunking.rulers import UNITS, ruler
from rse.checks import ParameterError

BITS = (
    *("", " ", "\t", "\n", "\n\n", "\r\n", "\r", "\u3000", "\xa0", "\x1c", "\x85", "\u2028"),
    *(
        "a",
        "word",
        "Hi. ",
        "don't",
        "abc\n",
        "x,y;",
        "tick tock. ",
        "1234567",
        "__",
        "...",
        "/",
        "!",
    ),
    *("今天下雨。", "我带了伞！」", "你呢？", "，、", "龘", "한국어", "עברית ", "ไทย"),
    *("😀", "👩‍👩‍👧‍👦", "🇩🇪", "𒐫", "\ufdfd", "e\u0301", "\u0301\u0302", "\u200b", "\ufeff", "\0"),
    *("a" * 60, " " * 60, "\n" * 40, "-" * 70, "龘" * 30, "word " * 12),
)
TEXTS = st.lists(st.sampled_from(BITS) | st.text(max_size=4), max_size=12).map("".join)
SIZES = st.integers(1, 12) | st.integers(13, 200)

DEGENERATE = ("", " ", "   \n", "\t\r\n", "x", "龘", "𒐫", "One sentence.", "a" * 5000, "\n" * 5000)


def check(text, chunker):
    """Cut a text and assert what holds for every chunker; return the pieces."""
    pieces = chunker.split(text)
    measure = ruler(text, chunker.unit).measure
    previous, at = -1, 0
    for start, end in pieces:
        assert 0 <= start < end <= len(text)
        assert start > previous
        assert text[at:start].strip() == ""
        assert text[start:end].strip()
        assert measure(start, end) <= chunker.size or end == start + 1
        previous, at = start, max(at, end)
    assert text[at:].strip() == ""
    return pieces


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("kind", [Fixed, Recursive])
@pytest.mark.parametrize("size", [1, 100])
def test_degenerate_texts(kind, unit, size):
    for text in DEGENERATE:
        pieces = check(text, kind(size=size, unit=unit))
        assert bool(pieces) == bool(text.strip())
        # Nothing but blanks is lost.
        rebuilt = "".join(text[start:end] for start, end in pieces)
        assert "".join(rebuilt.split()) == "".join(text.split())


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("kind", [Fixed, Recursive])
def test_a_short_text_is_one_chunk(kind, unit):
    assert kind(size=100, unit=unit).split("One sentence.") == [(0, 13)]
    ten = "Just the same. " * 9 + "Just the same."
    assert kind(size=400, unit=unit).split(ten) == [(0, len(ten))]


@pytest.mark.parametrize("unit", ["characters", "o200k_base"])
@pytest.mark.parametrize("kind", [Fixed, Recursive])
def test_a_million_blanks_end_soon(kind, unit):
    began = perf_counter()
    assert kind(size=100, unit=unit).split(" " * 1_000_000) == []
    text = "a" + " " * 50_000 + "\n" * 50_000 + "b"
    pieces = kind(size=100, unit=unit).split(text)
    assert [text[start:end].strip() for start, end in pieces] == ["a", "b"]
    assert perf_counter() - began < 10


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("kind", [Fixed, Recursive])
def test_lone_surrogates(kind, unit):
    text = "a \ud800 b\udfff. " * 20
    check(text, kind(size=5, unit=unit))


@pytest.mark.parametrize("value", [0, -1, 1.5, True, None, "100", float("nan")])
@pytest.mark.parametrize("kind", [Fixed, Recursive])
def test_a_size_out_of_range_is_named(kind, value):
    with pytest.raises(ParameterError, match=f"size must be a whole number of 1 or more.*{value}"):
        kind(size=value)


@pytest.mark.parametrize("unit", ["words", "gpt2", "", None, 1])
@pytest.mark.parametrize("kind", [Fixed, Recursive])
def test_an_unknown_unit_lists_the_units(kind, unit):
    with pytest.raises(
        ParameterError, match=f"one of characters, o200k_base, cl100k_base, got {unit!r}"
    ):
        kind(size=10, unit=unit)


def test_an_unknown_parameter_lists_the_known():
    with pytest.raises(
        ParameterError, match="Fixed has no parameter 'sise'; there are: size, overlap, unit"
    ):
        Fixed(sise=10)
    with pytest.raises(
        ParameterError, match="Recursive has no parameter 'overlap'; there are: size, unit"
    ):
        Recursive(size=10, overlap=2)


@pytest.mark.parametrize("unit", UNITS)
@given(text=TEXTS, data=st.data())
def test_a_ruler_is_additive_and_reaches_as_far_as_it_may(unit, text, data):
    along = ruler(text, unit)
    places = st.integers(0, len(text))
    start, middle, end = sorted(data.draw(st.tuples(places, places, places)))
    size = data.draw(SIZES)
    assert along.measure(start, end) == along.measure(start, middle) + along.measure(middle, end)
    reach = along.furthest(start, size)
    assert start <= reach <= len(text)
    assert along.measure(start, reach) <= size
    assert reach == len(text) or along.measure(start, reach + 1) > size

"""Windows of a fixed size: invariants over nasty texts, tiny inputs, the Chroma report's counts."""

from __future__ import annotations

from itertools import pairwise
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.chunking import Fixed
from bench.tokens import tokenizer
from rse.checks import ParameterError
from tests.bench.chunking.test_rulers import SIZES, TEXTS, check


@pytest.mark.parametrize("unit", ["characters", "o200k_base"])
@given(text=TEXTS, size=SIZES)
def test_windows_without_overlap_never_overlap(unit, text, size):
    pieces = check(text, Fixed(size=size, unit=unit))
    assert all(end <= start for (_, end), (start, _) in pairwise(pieces))


@pytest.mark.parametrize("unit", ["characters", "o200k_base"])
@given(text=TEXTS, size=SIZES, data=st.data())
def test_windows_with_overlap(unit, text, size, data):
    check(text, Fixed(size=size, overlap=data.draw(st.integers(0, size - 1)), unit=unit))


@given(text=TEXTS, size=SIZES, data=st.data())
def test_character_windows_are_those_of_a_plain_loop(text, size, data):
    overlap = data.draw(st.integers(0, size - 1))
    windows = []
    for start in range(0, len(text), size - overlap):
        windows.append((start, min(start + size, len(text))))
        if windows[-1][1] == len(text):
            break
    assert Fixed(size=size, overlap=overlap).split(text) == [
        window for window in windows if text[slice(*window)].strip()
    ]


@pytest.mark.parametrize("unit", ["o200k_base", "cl100k_base"])
@given(
    words=st.lists(st.sampled_from(["tick", " tock", ".", " 12", "\n", " don't"]), max_size=40),
    size=st.integers(1, 12),
    data=st.data(),
)
def test_token_windows_are_slices_of_the_token_list(unit, words, size, data):
    text, overlap = "".join(words), data.draw(st.integers(0, size - 1))
    encoding = tokenizer(unit)._encoding
    tokens = encoding.encode_ordinary(text)
    windows = []
    for start in range(0, len(tokens), size - overlap):
        windows.append(encoding.decode(tokens[start : start + size]))
        if start + size >= len(tokens):
            break
    pieces = Fixed(size=size, overlap=overlap, unit=unit).split(text)
    assert [text[start:end] for start, end in pieces] == [one for one in windows if one.strip()]


def test_overlapping_windows():
    assert Fixed(size=4, overlap=2).split("ABCDEFGHIJ") == [(0, 4), (2, 6), (4, 8), (6, 10)]
    assert Fixed(size=4).split("ABCDEFGHIJ") == [(0, 4), (4, 8), (8, 10)]


def test_repeated_text_gets_its_own_positions():
    text = "tick tock. tick tock. tick tock."
    assert Fixed(size=11).split(text) == [(0, 11), (11, 22), (22, 32)]
    assert Fixed(size=5, overlap=4).split("river" * 3)[5:7] == [(5, 10), (6, 11)]


def test_windows_of_blanks_are_dropped():
    assert Fixed(size=2).split("ab      cd") == [(0, 2), (8, 10)]
    assert Fixed(size=4).split("    \t\r\n ab") == [(8, 10)]


def test_a_character_is_never_cut():
    text = "𒐫" * 4
    each = tokenizer("o200k_base").count("𒐫")
    assert each > 1
    whole = [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert Fixed(size=1, unit="o200k_base").split(text) == whole
    assert Fixed(size=2 * each - 1, unit="o200k_base").split(text) == whole
    assert Fixed(size=2 * each, unit="o200k_base").split(text) == [(0, 2), (2, 4)]


@pytest.mark.parametrize("unit", ["characters", "o200k_base"])
@pytest.mark.parametrize(
    ("size", "overlap", "text"),
    [
        (50, 49, "abc\n" * 50),
        (10, 2, "Hi. " + "word " * 12),
        (2, 1, "𒐫" * 50),
        (200, 199, "\r\n" * 500),
    ],
)
def test_every_overlap_moves_on(unit, size, overlap, text):
    began = perf_counter()
    assert len(check(text, Fixed(size=size, overlap=overlap, unit=unit))) <= len(text)
    assert perf_counter() - began < 1


def test_as_many_windows_as_characters_at_most():
    assert len(Fixed(size=50, overlap=49).split("abc\n" * 50)) == 151


@pytest.mark.parametrize("value", [-1, 1.5, True, None, "2"])
def test_an_overlap_out_of_range_is_named(value):
    with pytest.raises(ParameterError, match=f"overlap must be a whole number of 0.*{value}"):
        Fixed(size=10, overlap=value)


@pytest.mark.parametrize("overlap", [50, 51])
def test_an_overlap_of_the_size_is_refused(overlap):
    with pytest.raises(
        ParameterError, match=rf"overlap must be less than size \(50\), got {overlap}"
    ):
        Fixed(size=50, overlap=overlap)


def test_as_many_windows_as_in_the_chroma_report(shared):
    folder = shared / "data" / "chunking_evaluation" / "corpora"
    texts = []
    for path in sorted(folder.glob("*.md")):
        with path.open(encoding="utf-8") as file:
            texts.append(file.read())
    found = {
        (size, overlap): sum(
            len(Fixed(size=size, overlap=overlap, unit="cl100k_base").split(text)) for text in texts
        )
        for size, overlap in [(200, 0), (400, 0), (400, 200), (800, 400)]
    }
    assert found == {(200, 0): 1644, (400, 0): 824, (400, 200): 1639, (800, 400): 819}

"""Recursive cutting: invariants over nasty texts, and the borders it prefers."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.chunking import Recursive
from bench.tokens import tokenizer
from tests.bench.chunking.test_rulers import SIZES, TEXTS, check


def cut(text, size, unit="characters"):
    return [text[start:end] for start, end in check(text, Recursive(size=size, unit=unit))]


@pytest.mark.parametrize("unit", ["characters", "o200k_base"])
@given(text=TEXTS, size=SIZES)
def test_chunks_are_trimmed_and_disjoint(unit, text, size):
    pieces = check(text, Recursive(size=size, unit=unit))
    assert all(end <= start for (_, end), (start, _) in pairwise(pieces))
    assert all(text[start:end] == text[start:end].strip() for start, end in pieces)


@pytest.mark.parametrize("unit", ["characters", "o200k_base"])
@given(text=TEXTS)
def test_what_fits_is_one_chunk(unit, text):
    size = max(1, len(text.encode("utf-8", "replace")) * 3)
    assert cut(text, size, unit) == ([text.strip()] if text.strip() else [])


@given(words=st.lists(st.sampled_from(["tick", "tock,", "a.", "今天下雨。"]), min_size=1))
def test_words_that_fit_are_never_cut(words):
    assert " ".join(cut(" ".join(words), 5)).split() == words


def test_repeated_sentences_get_their_own_positions():
    text = "tick tock. tick tock. tick tock."
    assert Recursive(size=11).split(text) == [(0, 10), (11, 21), (22, 32)]
    assert Recursive(size=21).split(text) == [(0, 21), (22, 32)]
    pieces = Recursive(size=5).split("river river river bank. river bank.")
    assert [start for start, _ in pieces] == [0, 6, 12, 18, 24, 30]


def test_chinese_sentences():
    text = "今天下雨。我带了伞！你呢？"
    assert Recursive(size=5).split(text) == [(0, 5), (5, 10), (10, 13)]
    assert cut("他说：“走吧。”我没去。", 8) == ["他说：“走吧。”", "我没去。"]


@pytest.mark.parametrize("unit", ["characters", "o200k_base", "cl100k_base"])
def test_long_chinese_text_is_cut_between_sentences(unit):
    text = "今天下雨。我带了伞！你呢？" * 200
    chunks = cut(text, 100, unit)
    assert "".join(chunks) == text
    assert all(chunk[-1] in "。！？" for chunk in chunks)
    if unit == "characters":
        assert all(len(chunk) <= 100 for chunk in chunks)
        assert len(chunks) <= 28  # of 26 at best


def test_the_largest_border_that_does_is_taken():
    text = "One two. Three four.\nFive six, seven.\n\nEight."
    assert cut(text, 100) == [text]
    assert cut(text, 40) == ["One two. Three four.\nFive six, seven.", "Eight."]
    assert cut(text, 20) == ["One two. Three four.", "Five six, seven.", "Eight."]
    assert cut(text, 11) == ["One two.", "Three four.", "Five six,", "seven.", "Eight."]
    assert cut(text, 5) == [
        *("One", "two.", "Three", "four."),
        *("Five", "six,", "seven", ".", "Eight", "."),
    ]


def test_windows_line_ends_and_tabs():
    assert cut("One.\r\n\r\nTwo.\tThree.\r\n", 6) == ["One.", "Two.", "Three."]


def test_without_borders_the_cut_is_hard():
    assert cut("a" * 5000, 1000) == ["a" * 1000] * 5
    assert cut("ab" + "c" * 7, 4) == ["abcc", "cccc", "c"]
    assert cut("𒐫" * 3, 1, "o200k_base") == ["𒐫"] * 3


def test_identical_sentences():
    assert cut("Just the same. " * 10, 30) == ["Just the same. Just the same."] * 5


def test_a_size_in_tokens_is_used_up():
    text = "one two three four five six seven eight nine ten"
    assert tokenizer("o200k_base").count(text) == 10
    assert cut(text, 5, "o200k_base") == ["one two three four five", "six seven eight nine ten"]

"""Children within parents, both cut at natural borders."""

from __future__ import annotations

import pytest
from hypothesis import given

from bench.chunking import ParentChild, Recursive
from bench.types import Document
from rse.checks import ParameterError
from tests.bench.chunking.test_rulers import TEXTS

TEXT = "One two. Three four.\n\nFive six. Seven.\n\nEight."


def test_children_know_their_parent():
    pieces = ParentChild(size=10, parent_size=24).cut(Document("d", TEXT))
    assert [TEXT[start:end] for start, end in pieces.spans] == [
        *("One two.", "Three", "four."),
        *("Five six.", "Seven."),
        "Eight.",
    ]
    assert pieces.section == [0, 0, 0, 1, 1, 1]


def test_a_parent_that_fits_is_its_own_child():
    assert ParentChild(size=50, parent_size=60).cut(Document("d", TEXT)) == ([(0, 46)], [0])
    assert ParentChild(size=1, parent_size=2).cut(Document("d", " ")) == ([], [])


@given(TEXTS)
def test_parents_are_those_of_the_recursive_chunker(text):
    pieces = ParentChild(size=7, parent_size=40).cut(Document("d", text))
    hulls = {}
    for (start, end), number in zip(pieces.spans, pieces.section, strict=True):
        hulls[number] = (hulls.get(number, (start, end))[0], end)
    assert list(hulls.values()) == Recursive(size=40).split(text)


def test_sizes_in_tokens():
    # Each word and each line end is a token.
    text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight"
    pieces = ParentChild(size=3, parent_size=9, unit="o200k_base").cut(Document("d", text))
    assert [text[start:end] for start, end in pieces.spans] == [
        *("one\ntwo", "three\nfour", "five"),
        *("six\nseven", "eight"),
    ]
    assert pieces.section == [0, 0, 0, 1, 1]


@pytest.mark.parametrize("size", [50, 51])
def test_a_child_must_be_smaller_than_its_parent(size):
    with pytest.raises(ParameterError, match=rf"more than size \({size}\), got 50"):
        ParentChild(size=size, parent_size=50)


@pytest.mark.parametrize("name", ["size", "parent_size"])
def test_sizes_out_of_range_are_named(name):
    with pytest.raises(ParameterError, match=f"{name} must be a whole number of 1 or more, got 0"):
        ParentChild(**{"size": 10, "parent_size": 20, name: 0})

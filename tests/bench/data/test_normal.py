"""Normalised text and the offsets into it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.data.normal import OffsetMap, normalise


def test_mark_and_line_ends():
    assert normalise("\ufeffa\r\nb\rc\nd\r\r\n\ufeff") == "a\nb\nc\nd\n\n\ufeff"


@given(st.text("\ufeff\r\nab", max_size=12))
def test_an_offset_maps_to_the_length_of_what_stands_before(raw):
    place = OffsetMap(raw)
    for offset in range(len(raw) + 1):
        inside = raw[offset - 1 : offset + 1] == "\r\n" and offset > 0
        before = raw[: offset - 1] if inside else raw[:offset]
        assert place(offset) == len(normalise(before))
    assert place(len(raw)) == len(normalise(raw))


@pytest.mark.parametrize(("offset", "expected"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (5, 3)])
def test_worked(offset, expected):
    assert OffsetMap("\ufeffa\r\nb")(offset) == expected

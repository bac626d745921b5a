"""The report's recursive chunker: examples by hand, and another way to write it, in strings."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.chroma.recursive import SEPARATORS, ReportRecursive
from bench.tokens import tokenizer
from bench.types import Document

TEXTS = st.lists(
    st.sampled_from(["a", "bc", "def", " ", ".", "?", "\n", "\n\n", "  ", "!", "ghijklm"]),
    max_size=30,
).map("".join)


def spans(text, size, overlap=0, measure=len):
    return ReportRecursive(size, overlap, measure).cut(Document("d", text)).spans


def cut(text, *settings):
    return [text[start:end] for start, end in spans(text, *settings)]


def in_strings(text, size, overlap, measure, separators=SEPARATORS):
    """Cut a text into strings, chunk by chunk from its parts."""
    separator = next(one for one in separators if one in text)
    rest = separators[separators.index(separator) + 1 :]
    parts = [p for p in re.split(f"(?={re.escape(separator)})", text) if p]
    if separator == "\n\n":  # looking ahead would cut three line ends twice
        parts = [p for p in re.sub("\n\n", "\0\n\n", text).split("\0") if p]
    chunks, run = [], []
    for part in [*parts, None]:
        if part is not None and measure(part) < size:
            run.append(part)
            continue
        chunks += packed(run, size, overlap, measure)
        run = []
        if part is not None:
            chunks += in_strings(part, size, overlap, measure, rest) if rest else [part]
    return chunks


def packed(parts, size, overlap, measure):
    """Chunk `parts[first:last]`, then go on from the earliest part that overlap and size allow."""
    gap = measure("")

    def length(first, last):
        return sum(map(measure, parts[first:last])) + gap * max(0, last - first - 1)

    found, first, last = [], 0, 0
    while last < len(parts):
        # What is held and the next part, with a gap even where nothing is held: as upstream.
        if last > first and length(first, last) + measure(parts[last]) + gap > size:
            found.append("".join(parts[first:last]).strip())
            while length(first, last) > overlap or (
                length(first, last) > 0
                and length(first, last) + measure(parts[last]) + gap * (last > first) > size
            ):
                first += 1
        last += 1
    if parts:
        found.append("".join(parts[first:last]).strip())
    return [one for one in found if one]


@pytest.mark.parametrize("marks", [0, 2])
@given(TEXTS, st.integers(3, 9), st.integers(0, 4))
def test_the_same_chunks_in_strings(marks, text, size, overlap):
    def measure(part):
        return len(part) + marks

    found = ReportRecursive(size, min(overlap, size - 1), measure).cut(Document("d", text)).spans
    expected = in_strings(text, size, min(overlap, size - 1), measure) if text else []
    assert [text[start:end] for start, end in found] == expected


@given(TEXTS, st.integers(1, 9))
def test_nothing_but_blanks_is_lost_without_overlap(text, size):
    found = spans(text, size)
    assert all(end <= start for (_, end), (start, _) in pairwise(found))
    assert "".join("".join(cut(text, size)).split()) == "".join(text.split())
    assert all(0 < end - start <= size for start, end in found)


def test_a_separator_stands_with_what_follows():
    assert cut("One. Two. Three.", 9) == ["One. Two", ". Three."]
    assert cut("One.\n\nTwo.\nThree.", 14) == ["One.", "Two.\nThree."]


def test_a_chunk_repeats_the_last_parts_that_fit_the_overlap():
    assert cut("a b c d e", 5, 2) == ["a b c", "c d", "d e"]
    assert cut("a b c d e", 5, 0) == ["a b c", "d e"]


def test_repeats_stand_where_they_are():
    assert spans("tick. tick. tick.", 6) == [(0, 4), (4, 10), (10, 16), (16, 17)]


def test_tokens():
    count = tokenizer("cl100k_base").count
    assert cut("one two three four five", 4, 0, count) == ["one two three four", "five"]


def test_blank_and_empty():
    assert spans("", 5) == []
    assert spans(" \n \n\n ", 5) == []

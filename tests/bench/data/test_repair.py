"""Answers at their stated offset, near it, or at the only place there is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.data.repair import Place, place, tally
from bench.types import Evidence

TEXT = "tick tock, tick tock; then the bell"


@pytest.mark.parametrize(
    ("answer", "stated", "expected"),
    [
        ("tick", 11, Place("located", 11, 15)),
        ("tock", 5, Place("located", 5, 9)),
        (" tock,", 4, Place("located", 5, 10)),  # blanks are trimmed from the place
        (" tick", 11, Place("repaired", 11, 15)),  # stated as if it had no blank
        ("tick", 14, Place("repaired", 11, 15)),  # the only one so near
        ("tick", 16, Place("repaired", 11, 15)),  # 5 off
        ("tick", 17, Place("ambiguous")),  # 6 off, and there are two
        ("bell", 0, Place("repaired", 31, 35)),  # far off, and the only one
        ("bell", -1, Place("repaired", 31, 35)),
        ("tick", -1, Place("ambiguous")),  # no offset: none is near
        ("tock", 10_000, Place("ambiguous")),
        ("bells", 31, Place("unmatched")),
        ("", 3, Place("unmatched")),
        (" ", 4, Place("unmatched")),
    ],
)
def test_a_place_is_taken_only_where_it_is_certain(answer, stated, expected):
    assert place(TEXT, answer, stated) == expected


def test_two_occurrences_equally_near_are_ambiguous():
    assert place("ab ab", "ab", 1) == Place("ambiguous")
    assert place("aaaa", "aaa", 4) == Place("ambiguous")  # occurrences may overlap


def test_offsets_count_code_points():
    assert place("😀😀 鐘聲", "鐘聲", 3) == Place("located", 3, 5)


short = st.text("ab \n", max_size=12)


@given(short, st.text("ab \n", max_size=4), st.integers(-3, 20))
def test_places_agree_with_trying_them_all(text, answer, stated):
    found = place(text, answer, stated)
    every = [at for at in range(len(text)) if answer.strip() and text[at:].startswith(answer)]
    near = [at for at in every if stated >= 0 and abs(at - stated) <= 5]
    if stated in every:
        how, at = "located", stated
    elif len(near or every) == 1:
        how, at = "repaired", (near or every)[0]
    else:
        how, at = ("ambiguous" if every else "unmatched"), None
    assert found.how == how
    assert (found.start < 0) == (at is None)
    if at is not None:
        assert text[found.start : found.end] == answer.strip()
        assert at <= found.start <= found.end <= at + len(answer)


def test_answers_are_counted_by_how_they_were_found():
    hows = ["unmatched", "located", "repaired", "located", "unmatched", "unmatched", "ambiguous"]
    assert tally(hows) == Evidence(located=2, repaired=1, ambiguous=1, unmatched=3)
    assert tally([]) == Evidence()

"""Marks of hyphens, resolved by what else the document says."""

from __future__ import annotations

import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.data.hyphens import join_words

MARKS = "\x02\ufffe\u00ad"


@pytest.mark.parametrize("mark", list(MARKS))
@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("a taxa@tion", "a taxation"),
        ("a taxa@\n tion", "a taxation"),
        ("the year@end, a year-end", "the year-end, a year-end"),
        ("Taxation is under@stood: Understood, under, stood", None),
        ("vendor@focused; a vendor, focused", "vendor-focused; a vendor, focused"),
        ("one Five@Year plan", "one Five-Year plan"),
        ("in 2022@2023", "in 2022-2023"),
        ("ends with a@", "ends with a-"),
        ("@begins", "-begins"),
        ("stay-at@home, at-home", "stay-at-home, at-home"),
        ("half@way half@way", "halfway halfway"),
    ],
)
def test_cut_or_compound(mark, text, joined):
    joined = joined or text.replace("@", "")
    assert join_words([text.replace("@", mark)]) == [joined]


def test_other_pages_are_witnesses():
    assert join_words(["a long\x02term plan", "", "Long-Term aims"])[0] == "a long-term plan"
    assert join_words(["a long\x02term plan"])[0] == "a longterm plan"


@given(st.lists(st.text(alphabet="ab-A1 \n" + MARKS, max_size=20), max_size=4))
def test_only_marks_and_the_blanks_behind_them_change(pages):
    joined = join_words(pages)
    assert len(joined) == len(pages)
    for before, after in zip(pages, joined, strict=True):
        assert not re.search(f"[{MARKS}]", after)
        signs = f"[{MARKS}\\s-]"
        assert re.sub(signs, "", before) == re.sub(signs, "", after)
        if not re.search(f"[{MARKS}]", before):
            assert before == after


def test_a_long_run_of_letters_takes_time_by_its_length():
    began = process_time()
    (found,) = join_words(["G" * 400_000 + "\x02\n" + "a" * 400_000])
    assert process_time() - began < 3
    assert found == "G" * 400_000 + "a" * 400_000


def test_marks_one_after_the_other_and_at_the_ends():
    assert join_words(["\x02\nabc\x02", "de\x02f\x02g\x02"]) == ["-abc-", "defg-"]

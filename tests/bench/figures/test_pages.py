from __future__ import annotations

from math import nan

import pytest

from bench.figures.lengths import Length
from bench.figures.pages import choice_table, length_table
from bench.figures.question import Choice
from bench.figures.table import margin_text, markdown, percent, put, write_csv

PLACE = "before\n<!-- table: one -->\nold\n<!-- end of table -->\nbehind\n"


def test_a_table_takes_the_place_of_the_one_before(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(PLACE, encoding="utf-8")
    for table in ("a \\1 b", "new"):
        put(page, "one", table)
    assert page.read_text(encoding="utf-8") == PLACE.replace("old", "new")


@pytest.mark.parametrize("text", ["nothing", PLACE + PLACE])
def test_a_page_without_the_place_is_refused(tmp_path, text):
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="needs one place <!-- table: one -->"):
        put(page, "one", "new")


def test_lengths_are_bold_inside_the_range_and_tell_of_empty_answers():
    rows = [
        Length("real", "x / raw", 0.05, 20, 50, 21.0, True, 4, 4, 0),
        Length("real", "x / raw", 0.1, 10, 20, 2.04, False, 4, 4, 1),
        Length("real", "x / raw", 0.2, 4, 10, nan, False, 0, 4, 4),
    ]
    last = length_table(rows).splitlines()[-1]
    assert last == "| pydata-docs: x / raw | **21.0** | 2.0 (1 empty) | - (4 empty) |"


def test_choices_are_shown_one_a_line():
    table = choice_table([Choice("rule", 2, 5, 1300, 0.847, "[1, 3) [4, 7)")])
    assert table.splitlines()[-1] == "| rule | 2 | 5 | 1300 | 84.7 | [1, 3) [4, 7) |"


def test_rows_are_written_with_their_names(tmp_path):
    rows = [("a, b", 1, 1 / 3, True), ("c", 2, nan, False)]
    write_csv(tmp_path / "new" / "x.csv", ("name", "n", "share", "within"), rows)
    assert (tmp_path / "new" / "x.csv").read_bytes() == (
        b'name,n,share,within\n"a, b",1,0.333333,True\nc,2,,False\n'
    )


def test_a_table_has_its_numbers_to_the_right():
    lines = markdown(("what", "n"), [("a", "1")]).splitlines()
    assert lines == ["| what | n |", "| --- | --: |", "| a | 1 |"]


@pytest.mark.parametrize(
    ("margin", "shown", "bare"),
    [
        ((0.0123, 0.001, 0.02), "+1.2*: +0.1 to +2.0", "+1.2*"),
        ((-0.0123, -0.02, -0.001), "-1.2*: -2.0 to -0.1", "-1.2*"),
        ((0.0123, -0.001, 0.02), "+1.2: -0.1 to +2.0", "+1.2"),
        ((0.0, 0.0, 0.0), "+0.0: +0.0 to +0.0", "+0.0"),
        ((0.0123, nan, nan), "+1.2", "+1.2"),
        ((nan, nan, nan), "-", "-"),
    ],
)
def test_a_star_marks_the_margins_whose_interval_excludes_0(margin, shown, bare):
    assert margin_text(*margin) == shown
    assert margin_text(*margin, bare=True) == bare


def test_percent_tells_what_is_undefined():
    assert (percent(0.5), percent(nan)) == ("50.0", "-")

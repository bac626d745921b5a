"""The long CSV: every value, and nothing a spreadsheet would compute."""

from __future__ import annotations

import csv
import doctest
from math import isnan, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.export import table as module
from bench.export.table import Cell, rows_of, shown, write_table
from bench.types import Context, Record, Span


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_examples():
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


def test_every_value_of_a_record(tmp_path):
    record = Record(
        "d", "topk[k=5] / none", "q,1", Context((Span("a", 0, 5),), 3), (0.5,), 7,
        {"search": (0.5, 0.25, 0.125)}, {"recall": 0.1, "hit": 1.0, "precision": nan},
    )  # fmt: skip
    head = ["d", "q,1", "topk[k=5] / none"]
    assert read(write_table(rows_of([record]), tmp_path / "x.csv")) == [
        ["dataset", "question", "arm", "metric", "value"],
        [*head, "recall", "0.1"],
        [*head, "hit", "1.0"],
        [*head, "precision", ""],
        [*head, "tokens", "3"],
        [*head, "prompt_tokens", "7"],
        [*head, "failed", "0"],
        [*head, "seconds_search", "0.25"],
    ]


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "\n", "＝"])
def test_no_cell_is_a_formula(tmp_path, sign):
    text = f'{sign}cmd|" /C calc"!A0'
    row = read(write_table([Cell(text, text, text, text, -0.5)], tmp_path / "x.csv"))[1]
    assert row == [f"'{text}"] * 4 + ["-0.5"]  # a number may be below 0


@given(st.lists(st.tuples(*[st.text()] * 4, st.floats(allow_infinity=False))))
def test_any_text_comes_back(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("csv") / "x.csv"
    found = read(write_table([Cell(*row) for row in rows], path))[1:]
    assert [row[:4] for row in found] == [[shown(text) for text in row[:4]] for row in rows]
    for row, (*_, value) in zip(found, rows, strict=True):
        assert row[4] == "" if isnan(value) else float(row[4]) == value

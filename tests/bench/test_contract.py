"""What a strategy may return."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest

from bench.contract import check_segments
from rse import Layout, Segment

LAYOUT = Layout(start=[0, 2, 2, 5], length=[1] * 5)


@pytest.mark.parametrize(
    "runs", [[], [(0, 2), (2, 5)], [(4, 5), (0, 1), (1, 2)], [(np.int64(3), np.int64(5))]]
)
def test_runs_of_one_document_each_are_fine(runs):
    check_segments([Segment(first, last, 0.5) for first, last in runs], LAYOUT)


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ([(0, 1), (-1, 1)], r"\[-1, 1\) of score 0.5 is no run of chunks; 0 <= first"),
        ([(3, 3)], r"\[3, 3\) .* is no run"),
        ([(4, 3)], r"\[4, 3\) .* is no run"),
        ([(4, 6)], r"\[4, 6\) .* is no run of chunks; 0 <= first < last <= 5 expected"),
        ([(1, 3)], r"\[1, 3\) .* crosses documents"),
        ([(3, 5), (2, 4)], r"\[3, 5\) .* shares chunks"),
        ([(2, 4), (2, 4)], r"\[2, 4\) .* shares chunks"),
        ([(0.0, 1.0)], "whole numbers"),
    ],
)
def test_anything_else_is_named(runs, message):
    with pytest.raises(ValueError, match=message):
        check_segments([Segment(first, last, 0.5) for first, last in runs], LAYOUT)


def test_a_score_is_a_number():
    with pytest.raises(ValueError, match=r"\[0, 1\) of score nan has a score that is no number"):
        check_segments([Segment(0, 1, nan)], LAYOUT)

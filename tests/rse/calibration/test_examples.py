"""Tuning questions: checked when made, and carried along when hits are sorted anew."""

from __future__ import annotations

import math

import pytest

from rse import Hits, Layout
from rse.calibration import Example

LAYOUT = Layout([0, 3], [100] * 3)


def test_gold_moves_with_its_chunk():
    example = Example(Hits([2, 0, 1], [0.9, 0.5, 0.1]), LAYOUT, [20, 0, 10], 50, ["a"])
    moved = example.under(Hits([1, 2, 0], [0.8, 0.7, 0.6]))
    assert moved.gold.tolist() == [10, 20, 0]
    assert (moved.total, moved.documents) == (50, ("a",))
    assert len(Example(Hits([], []), LAYOUT, [], 0).under(Hits([], [])).gold) == 0


@pytest.mark.parametrize(
    ("chunk", "gold", "total", "message"),
    [
        ([0], [1, 2], 3, r"one number for each of 1 hits, got an array of shape \(2,\)"),
        ([0], [-1], 3, "numbers of 0 or more"),
        ([0], [math.nan], 3, "finite numbers"),
        ([0], [1], -1, "Example.total must be a number of 0 or more"),
        ([0], [1], math.inf, "Example.total must be"),
        ([3], [1], 1, "a hit names chunk 3, but there are 3"),
    ],
)
def test_refuses(chunk, gold, total, message):
    with pytest.raises(ValueError, match=message):
        Example(Hits(chunk, [0.5]), LAYOUT, gold, total)


def test_one_name_is_no_list_of_names():
    with pytest.raises(ValueError, match="got one name"):
        Example(Hits([], []), LAYOUT, [], 0, "abc")

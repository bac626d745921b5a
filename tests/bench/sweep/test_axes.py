"""Axes: lists, ranges, names with several values."""

from __future__ import annotations

import doctest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bench.sweep import axes as module
from bench.sweep.axes import Range, drawn, expand


def test_examples():
    assert doctest.testmod(module).failed == 0


@given(st.integers(1, 50), st.integers(1, 50), st.booleans(), st.booleans(), st.integers(0, 99))
def test_draws_lie_in_the_range(low, width, log, whole, seed):
    kind = int if whole else float
    one = Range(low=kind(low), high=kind(low + width), log=log)
    value = one.draw(np.random.default_rng(seed))
    assert one.low <= value <= one.high
    assert isinstance(value, int) == whole


def test_whole_numbers_are_all_drawn():
    random = np.random.default_rng(0)
    assert {Range(low=1, high=4).draw(random) for _ in range(200)} == {1, 2, 3, 4}


def test_log_draws_as_many_small_ones():
    random = np.random.default_rng(0)
    values = [Range(low=0.001, high=1.0, log=True).draw(random) for _ in range(2000)]
    assert 0.25 < np.mean(np.array(values) < 0.01) < 0.42


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"low": 2, "high": 1}, "low must be below high"),
        ({"low": 0, "high": 1, "log": True}, "must begin above 0"),
        ({"low": float("nan"), "high": 1}, "finite"),
        ({"low": 1}, "high"),
    ],
)
def test_what_is_no_range(given, said):
    with pytest.raises(ValidationError, match=said):
        Range.model_validate(given)


def test_lists_are_drawn_from():
    random = np.random.default_rng(0)
    assert {drawn(["a", "b"], random) for _ in range(50)} == {"a", "b"}


def test_names_without_choices_stay_and_stand_once():
    assert expand(["page", "page", 'x[url="a"]']) == ["page", 'x[url="a"]']

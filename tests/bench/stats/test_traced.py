"""Recall at equal mean tokens, by hand and by resampling one by one."""

from __future__ import annotations

import numpy as np
import pytest

from bench.stats.bootstrap import Draws
from bench.stats.traced import Traced, difference, interval, mean_over

DRAWS = Draws([0, 1, 2, 3], 0)
TOKENS = np.array([[0, 10, 30], [0, 20, 50], [0, 10, 20], [0, 40, 60]], float)
RECALL = np.array([[0, 0.5, 1], [0, 0, 0.5], [0, 1, 1], [0, 0.5, 0.5]])


def test_linear_between_neighbouring_settings():
    traced = Traced(TOKENS, RECALL, DRAWS)  # means: (0, 0), (20, 0.5), (40, 0.75)
    assert traced.at(20).value == pytest.approx(0.5)
    assert traced.at(30).value == pytest.approx(0.625)
    assert traced.at(5).value == pytest.approx(0.125)
    assert traced.p95(39) == pytest.approx(np.percentile([30, 50, 20, 60], 95))


def test_undefined_outside_the_range_unless_asked_to_stay_within():
    traced = Traced(TOKENS, RECALL, DRAWS)
    assert np.isnan(traced.at(41).value)
    assert traced.within(41).value == traced.at(40).value == pytest.approx(0.75)


def test_settings_may_come_in_any_order():
    order = [2, 0, 1]
    mixed = Traced(TOKENS[:, order], RECALL[:, order], DRAWS)
    straight = Traced(TOKENS, RECALL, DRAWS)
    assert mixed.at(30).value == straight.at(30).value
    assert (mixed.at(30).drawn == straight.at(30).drawn)[~np.isnan(mixed.at(30).drawn)].all()


def test_differences_are_paired_and_resampled_as_one_by_one():
    better = Traced(TOKENS, RECALL + 0.1, DRAWS)
    plain = Traced(TOKENS, RECALL, DRAWS)
    found = difference(better.at(15), plain.at(15))
    assert tuple(found) == pytest.approx((0.1, 0.1, 0.1))
    drawn = [
        np.interp(
            15,
            (DRAWS.weight[i] @ TOKENS) / DRAWS.weight[i].sum(),
            (DRAWS.weight[i] @ RECALL) / DRAWS.weight[i].sum(),
        )
        for i in range(len(DRAWS.weight))
    ]
    inside = ~np.isnan(plain.at(15).drawn)
    assert plain.at(15).drawn[inside] == pytest.approx(np.array(drawn)[inside])
    low, high = np.percentile(np.array(drawn)[inside], [2.5, 97.5])
    assert tuple(interval(plain.at(15)))[1:] == pytest.approx((low, high))


def test_means_over_budgets():
    assert mean_over(TOKENS, RECALL, (20, 40)) == pytest.approx(0.625)
    assert mean_over(TOKENS, RECALL, (4000,)) == pytest.approx(0.75)

"""Bootstrap intervals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from bench.stats.bootstrap import RESAMPLES, Draws, percentiles
from bench.stats.signs import Signs


def test_interval_of_a_constant():
    assert Draws(range(30), 0).interval(np.full(30, 0.25)) == (0.25, 0.25, 0.25)
    assert Draws([0], 0).interval(np.array([1.0])) == (1, 1, 1)


def test_nan_is_left_out():
    values = np.array([0.5, np.nan, 0.5, 0.5, 0.5, 0.5])
    assert Draws(range(6), 0).interval(values) == (0.5, 0.5, 0.5)
    assert np.isnan(Draws(range(3), 0).interval(np.full(3, np.nan))).all()
    assert np.isnan(Draws([], 0).interval(np.array([]))).all()


def test_too_rarely_defined_has_no_interval():
    found = Draws(range(10), 0).interval(np.array([1.0, *[np.nan] * 9]))
    assert found.value == 1
    assert np.isnan(found[1:]).all()
    assert np.isnan(percentiles(np.full(100, np.nan))).all()


def test_same_seed_same_draws():
    assert (Draws(range(9), 3).weight == Draws(range(9), 3).weight).all()
    assert (Draws(range(9), 3).weight != Draws(range(9), 4).weight).any()


def test_columns_agree_with_each_alone():
    draws = Draws(range(12), 0)
    values = np.random.default_rng(0).random((12, 3))
    values[2, 1] = np.nan
    together = draws.means(values)
    for column in range(3):
        assert together[:, column] == pytest.approx(draws.means(values[:, column]), nan_ok=True)


@pytest.mark.parametrize("groups", [19, 20])
def test_whole_clusters_from_20_on(groups):
    draws = Draws([*range(groups), *range(groups)], 0)
    assert draws.by_cluster == (groups >= 20)
    paired = (draws.weight[:, :groups] == draws.weight[:, groups:]).all()
    assert paired == draws.by_cluster
    assert draws.weight.shape == (RESAMPLES, 2 * groups)
    assert (draws.weight.sum(axis=1) == 2 * groups).all()


def test_close_to_the_closed_form():
    n, p = 200, 0.3
    values = np.repeat([1.0, 0.0], [60, 140])
    draws = Draws(range(n), 0)
    means = draws.means(values)
    assert means.mean() == pytest.approx(p, abs=0.004)
    assert means.std() == pytest.approx((p * (1 - p) / n) ** 0.5, rel=0.06)
    found = draws.interval(values)
    assert found.value == pytest.approx(p)
    assert found.low == pytest.approx(binom.ppf(0.025, n, p) / n, abs=0.011)
    assert found.high == pytest.approx(binom.ppf(0.975, n, p) / n, abs=0.011)


@pytest.mark.parametrize("clusters", [3, 25])
def test_questions_without_gold_change_nothing_for_the_others(clusters):
    """They are no clusters of documents, however many they are."""
    cluster = [i % clusters for i in range(30)]
    asked = np.array([True] * 30 + [False] * 18)
    mixed = Draws([*cluster, *range(clusters, clusters + 18)], 0, asked)
    alone = Draws(cluster, 0)
    assert mixed.by_cluster == alone.by_cluster == (clusters >= 20)
    assert np.array_equal(mixed.weight[:, :30], alone.weight)
    assert mixed.weight[:, 30:].sum(axis=1).tolist() == [18] * len(mixed.weight)
    order = np.r_[np.arange(30, 48), np.arange(30)]
    turned = Draws([*range(clusters, clusters + 18), *cluster], 0, asked[order])
    assert np.array_equal(turned.weight[:, 18:], alone.weight)
    signs = Signs([*cluster, *range(clusters, clusters + 18)], 0, asked)
    assert signs.by_cluster == alone.by_cluster
    values = np.random.default_rng(0).random((30, 1)) - 0.3
    padded = np.vstack([values, np.full((18, 1), np.nan)])
    p, expected = signs.p_values(padded), Signs(cluster, 0).p_values(values)
    assert p == pytest.approx(expected, abs=0.01)


def test_where_none_has_gold_all_are_drawn():
    found = Draws(range(25), 0, np.zeros(25, bool))
    assert found.by_cluster
    assert np.array_equal(found.weight, Draws(range(25), 0).weight)

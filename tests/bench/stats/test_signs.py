"""The randomisation test, against SciPy's and against closed forms."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, permutation_test

from bench.stats.signs import PATTERNS, Signs

RNG = np.random.default_rng(5)


def p_of(differences, cluster=None, seed=0):
    column = np.asarray(differences, float)[:, None]
    numbers = range(len(column)) if cluster is None else cluster
    return float(Signs(numbers, seed).p_values(column)[0])


def scipy_p(arm, baseline):
    """Try every swap of arm and baseline."""
    found = permutation_test(
        *((arm, baseline), lambda x, y, axis: np.mean(x - y, axis=axis)),
        **{"permutation_type": "samples", "n_resamples": np.inf, "vectorized": True},
    )
    return found.pvalue


def error(p):
    """Five standard errors of a p from patterns drawn."""
    return 5 * (p * (1 - p) / PATTERNS) ** 0.5 + 1 / PATTERNS


@pytest.mark.parametrize("size", [2, 5, 9, 12])
@pytest.mark.parametrize("steps", [4, 1024])
def test_all_patterns_as_scipy_tries_them(size, steps):
    for _ in range(4):
        arm, baseline = RNG.integers(0, steps, (2, size)) / steps
        assert p_of(arm - baseline) == pytest.approx(scipy_p(arm, baseline), abs=1e-12)


def test_thirds_as_whole_numbers_give_them():
    for _ in range(10):  # SciPy itself loses a tie of thirds now and then
        arm, baseline = RNG.integers(0, 3, (2, 9))
        whole = arm - baseline
        totals = [abs(np.dot(signs, whole)) for signs in product((1, -1), repeat=9)]
        exact = np.mean([total >= abs(whole.sum()) for total in totals])
        assert p_of(arm / 3 - baseline / 3) == exact


@pytest.mark.parametrize("shift", [0.0, 0.08, 0.15])
def test_drawn_patterns_are_close_to_all_of_them(shift):
    arm, baseline = RNG.random(15) / 3 + shift, RNG.random(15) / 3
    exact = scipy_p(arm, baseline)
    assert p_of(arm - baseline) == pytest.approx(exact, abs=error(exact))


@pytest.mark.parametrize(("wins", "losses"), [(5, 0), (6, 6), (9, 3), (1, 7)])
def test_equal_sizes_are_a_sign_test(wins, losses):
    found = p_of([0.25] * wins + [-0.25] * losses + [0.0] * 30)
    assert found == pytest.approx(binomtest(wins, wins + losses).pvalue)


@pytest.mark.parametrize(("wins", "losses"), [(30, 20), (40, 18), (25, 25), (8, 5)])
def test_many_of_equal_size_are_nearly_one(wins, losses):
    exact = binomtest(wins, wins + losses).pvalue
    assert p_of([0.1] * wins + [-0.1] * losses) == pytest.approx(exact, abs=error(exact))


def test_no_p_is_zero():
    assert p_of(np.full(40, 0.5)) == 1 / (1 + PATTERNS)
    assert p_of(np.full(12, 0.5)) == 2 / 2**12


@pytest.mark.parametrize("groups", [19, 20])
def test_whole_clusters_from_20_on(groups):
    cluster = [*range(groups), *range(groups), 0]
    differences = RNG.normal(0.1, 1, len(cluster))
    sums = np.bincount(cluster, differences)
    assert Signs(cluster, 0).by_cluster == (groups >= 20)
    alone = p_of(sums if groups >= 20 else differences)
    assert p_of(differences, cluster) == alone
    assert p_of(sums) != p_of(differences)


def test_a_cluster_whose_differences_cancel_says_nothing():
    cluster = [0, 0, 0, *range(1, 40)]
    differences = [0.1, 0.2, -0.3, *[0.25] * 12, *[0.0] * 27]  # the first three: 5e-17
    assert p_of(differences, cluster) == 2 / 2**12


@pytest.mark.parametrize(
    "differences",
    [
        [0.1, 0.2, -0.3],  # adds up to 5e-17
        np.round([1 / 3, 1 / 3, -2 / 3], 12),  # adds up to 1e-12
        [0.3, -0.1, -0.1, -0.1],
    ],
)
def test_noise_is_a_tie(differences):
    assert p_of(differences) == 1
    many = [*differences] * 5
    assert p_of(many) == 1


def test_thirds_in_twelve_decimals_are_as_extreme_as_one_another():
    thirds = np.round(np.arange(1, 13) / 3, 12) - np.round(np.arange(12) / 3, 12)
    assert len(set(thirds)) > 1
    sign = np.array([1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, 1])
    assert p_of(thirds * sign) == pytest.approx(binomtest(10, 12).pvalue)


def test_undefined_is_left_out():
    values = RNG.normal(0.3, 1, 30)
    holes = np.insert(values, [3, 17, 30], np.nan)
    assert p_of([np.nan, np.nan, 0.5, 0.5]) == 0.5
    assert np.isnan(p_of([np.nan, np.nan]))
    assert np.isnan(p_of([]))
    exact = p_of(values)
    assert p_of(holes) == pytest.approx(exact, abs=2 * error(exact))


def test_an_arm_does_not_change_another():
    differences = RNG.normal(0.1, 1, (50, 30))
    differences[3:40, 4] = 0
    signs = Signs(range(50), 0)
    together = signs.p_values(differences)
    assert together.tolist() == [signs.p_values(column[:, None])[0] for column in differences.T]
    assert together.tolist() == signs.p_values(differences[:, ::-1])[::-1].tolist()


def test_neither_sign_nor_scale_matters_but_the_seed_does():
    values = RNG.normal(0.1, 1, 50)
    assert p_of(values) == p_of(-values) == p_of(8 * values)
    assert p_of(values) != p_of(values, seed=1)


@given(st.lists(st.integers(-8, 8), min_size=1, max_size=30))
def test_every_p_is_a_share_above_zero(differences):
    found = p_of(np.array(differences) / 8)
    assert 0 < found <= 1
    if sum(differences) == 0:
        assert found == 1


def test_without_any_difference_one_in_twenty_is_below_five_percent():
    arms = np.random.default_rng(1).normal(0, 1, (40, 1000))
    low = int((Signs(range(40), 0).p_values(arms) <= 0.05).sum())
    assert binomtest(low, 1000, 0.05).pvalue > 0.001


def test_questions_that_go_together_need_clusters():
    generator = np.random.default_rng(2)
    arms = np.repeat(generator.normal(0, 1, (25, 600)), 8, axis=0)
    cluster = np.repeat(np.arange(25), 8)
    by_cluster = (Signs(cluster, 0).p_values(arms) <= 0.05).mean()
    by_question = (Signs(range(200), 0).p_values(arms) <= 0.05).mean()
    assert by_cluster == pytest.approx(0.05, abs=0.03)
    assert by_question > 0.3

"""Arms against a baseline, question by question."""

from __future__ import annotations

from time import process_time

import numpy as np
import pytest
from scipy.stats import bootstrap, ttest_rel

from bench.stats.bootstrap import Draws
from bench.stats.paired import compare, effect_size, subtract, verdict
from bench.stats.signs import Signs

N = 60
RNG = np.random.default_rng(7)
ARMS = RNG.random((N, 4)).round(1)
BASELINE = RNG.random(N).round(1)
ARMS[3, 0] = BASELINE[5] = ARMS[9, 2] = BASELINE[9] = np.nan


def compared(arms, baseline, cluster=None, **how):
    numbers = range(len(baseline)) if cluster is None else cluster
    return compare(arms, baseline, Draws(numbers, 0), Signs(numbers, 0), **how)


def test_counted_one_by_one():
    for arm, found in zip(ARMS.T, compared(ARMS, BASELINE), strict=True):
        pairs = [
            (a, b) for a, b in zip(arm, BASELINE, strict=True) if not np.isnan(a) | np.isnan(b)
        ]
        assert (found.n, found.left_out) == (len(pairs), N - len(pairs))
        assert found.wins == sum(a > b for a, b in pairs)
        assert found.ties == sum(a == b for a, b in pairs)
        assert found.losses == sum(a < b for a, b in pairs)
        assert found.difference.value == pytest.approx(np.mean([a - b for a, b in pairs]))
        t = ttest_rel(*zip(*pairs, strict=True)).statistic
        assert found.effect_size == pytest.approx(t / len(pairs) ** 0.5)
    assert [one.left_out for one in compared(ARMS, BASELINE)] == [3, 2, 2, 2]


def test_interval_as_scipy_draws_it():
    arm, baseline = RNG.beta(2, 1, 80), RNG.beta(1, 1, 80)
    (found,) = compared(arm[:, None], baseline)
    other = bootstrap(((arm - baseline),), np.mean, method="percentile", n_resamples=20000, rng=RNG)
    # A percentile of 2,000 resamples is off by some 0.06 standard errors; here at most 4 of these.
    off = 0.25 * other.standard_error
    assert found.difference.low == pytest.approx(other.confidence_interval.low, abs=off)
    assert found.difference.high == pytest.approx(other.confidence_interval.high, abs=off)


def test_interval_is_paired():
    baseline = RNG.random(N)
    (found,) = compared((baseline + 0.125)[:, None], baseline)
    assert tuple(found.difference) == pytest.approx((0.125,) * 3)
    assert np.isnan(found.effect_size)


def test_interval_and_test_use_the_same_questions():
    (found,) = compared(ARMS[:, :1], BASELINE)
    differences = ARMS[:, 0] - BASELINE
    assert found.difference == Draws(range(N), 0).interval(differences)
    assert found.p == Signs(range(N), 0).p_values(differences[:, None])[0]


def test_clusters_widen_the_interval_and_raise_p():
    baseline = RNG.random(200)
    arm = baseline + np.repeat(RNG.normal(0.2, 0.5, 25), 8)
    (alone,) = compared(arm[:, None], baseline)
    (together,) = compared(arm[:, None], baseline, np.repeat(np.arange(25), 8))
    width = alone.difference.high - alone.difference.low
    assert together.difference.high - together.difference.low > 2 * width
    assert together.p > 3 * alone.p


def test_an_arm_does_not_change_another():
    together = compared(ARMS, BASELINE)
    for place, found in enumerate(together):
        (alone,) = compared(ARMS[:, [place]], BASELINE)
        assert alone[:2] + alone[3:] == found[:2] + found[3:]
        assert tuple(alone.difference) == pytest.approx(tuple(found.difference), abs=1e-12)


def test_fewer_tokens_win():
    arms, baseline = np.array([[90.0], [120.0], [95.0]]), np.full(3, 100.0)
    (found,) = compared(arms, baseline, higher_is_better=False)
    assert (found.wins, found.ties, found.losses) == (2, 0, 1)
    assert found.difference.value == pytest.approx(5 / 3)


def test_the_baseline_against_itself():
    (found,) = compared(ARMS[:, :1], ARMS[:, 0])
    assert (found.n, found.ties, found.p, tuple(found.difference)) == (N - 1, N - 1, 1, (0, 0, 0))
    assert np.isnan(found.effect_size)


def test_noise_neither_wins_nor_loses():
    arms = np.array([[0.1 + 0.2], [0.333333333333], [0.5], [1e-9]])
    baseline = np.array([0.3, 0.333333333334, 0.5 - 1e-6, 0.0])
    assert subtract(arms, baseline).ravel().tolist() == [0, 0, pytest.approx(1e-6), 1e-9]
    (found,) = compared(arms, baseline)
    assert (found.wins, found.ties, found.losses) == (2, 2, 0)


def test_nothing_defined():
    (found,) = compared(np.full((4, 1), np.nan), np.ones(4))
    assert found[:2] + found[4:7] == (0, 4, 0, 0, 0)
    assert np.isnan([*found.difference, found.p, found.effect_size]).all()
    (none,) = compared(np.empty((0, 1)), np.empty(0))
    assert none.n == none.left_out == 0


@pytest.mark.parametrize("values", [[], [0.4], [0.2, 0.2], [0.3 - 0.2, 0.2 - 0.1], [0, 0, 0]])
def test_no_effect_size_without_variation(values):
    assert np.isnan(effect_size(np.array(values, float)))


def test_shapes_that_do_not_go_together():
    with pytest.raises(ValueError, match=r"\(questions, arms\).*\(60,\) and \(60,\)"):
        compared(ARMS[:, 0], BASELINE)
    with pytest.raises(ValueError, match=r"\(60, 4\) and \(59,\)"):
        compared(ARMS, BASELINE[1:])
    with pytest.raises(ValueError, match="draws are of 59 questions, the values of 60"):
        compared(ARMS, BASELINE, range(N - 1))


@pytest.mark.parametrize(
    ("n", "difference", "p", "higher", "said"),
    [
        (20, 0.1, 0.05, True, "better"),
        (20, -0.1, 0.01, True, "worse"),
        (20, 90, 0.01, False, "worse"),
        (20, -90, 0.01, False, "better"),
        (20, 0.1, 0.0501, True, "no difference shown"),
        (20, np.nan, np.nan, True, "no difference shown"),
        (19, 0.1, 0.0001, True, "too few questions"),
        (0, np.nan, np.nan, True, "too few questions"),
    ],
)
def test_verdicts(n, difference, p, higher, said):
    assert verdict(n, difference, p, higher_is_better=higher) == said


def test_a_large_table_is_quick():
    arms, baseline = RNG.random((500, 200)), RNG.random(500)
    began = process_time()
    found = compared(arms, baseline)
    assert process_time() - began < 20  # measured: under 1 s
    assert len(found) == 200

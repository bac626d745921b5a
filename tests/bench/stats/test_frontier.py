"""A whole curve as one figure, by hand and by summing up many thin strips."""

from __future__ import annotations

import numpy as np
import pytest

from bench.stats.bootstrap import Draws
from bench.stats.frontier import WholeCurve, share
from bench.stats.traced import Traced, difference, interval

N, SETTINGS = 40, 12
RNG = np.random.default_rng(1)
TOKENS = np.cumsum(RNG.integers(50, 700, (N, SETTINGS)), axis=1).astype(float)
RECALL = np.minimum(np.cumsum(RNG.random((N, SETTINGS)) / 6, axis=1), 1)
DRAWS = Draws(range(N), 0)


def band(curve, budget):
    return interval(curve.within(budget))


def curve(*points, draws=None):
    """One question, a point for each setting."""
    tokens, recall = (np.array([column], float) for column in zip(*points, strict=True))
    return WholeCurve(tokens, recall, draws or Draws([0], 0))


@pytest.mark.parametrize(
    ("points", "limit", "area"),
    [
        ([(1000, 0.8)], 4000, (400 + 2400) / 4000),  # a slope from 0, then flat
        ([(4000, 1)], 4000, 0.5),
        ([(8000, 1)], 4000, 0.25),  # cut in the middle of the slope
        ([(100, 1), (6000, 1)], 200, (50 + 100) / 200),
        ([(0, 0), (100, 0.5), (100, 0.7), (300, 0.7)], 400, (25 + 300 * 0.7) / 400),  # a step
        ([(100, 1), (300, 0)], 300, (50 + 100) / 300),  # more tokens may bring less
        ([(300, 1), (0, 0), (100, 0.5)], 400, (25 + 150 + 100) / 400),  # in any order
        ([(0, 0)], 4000, 0),
    ],
)
def test_area_by_hand(points, limit, area):
    found = curve(*points).area(limit)
    assert found.value == pytest.approx(area)
    assert interval(found) == pytest.approx((area,) * 3)


def test_up_to_4000_tokens():
    assert curve((1000, 0.8)).area().value == pytest.approx(0.7)


@pytest.mark.parametrize("limit", [150, 2000, 4000, 20000])
def test_area_of_each_resample_by_thin_strips(limit):
    found = WholeCurve(TOKENS, RECALL, DRAWS).area(limit)
    middle = (np.arange(4000) + 0.5) * limit / 4000
    for row in (None, 0, 7, 1999):
        weight = np.full(N, 1 / N) if row is None else DRAWS.weight[row] / N
        x, y = np.append(0, weight @ TOKENS), np.append(0, weight @ RECALL)
        strips = np.interp(middle, x, y).mean()
        assert (found.value if row is None else found.drawn[row]) == pytest.approx(strips, abs=1e-6)


def test_questions_without_gold_do_not_count():
    tokens, recall = TOKENS.copy(), RECALL.copy()
    recall[::4], tokens[::4] = np.nan, 1e6
    found = WholeCurve(tokens, recall, DRAWS)
    assert found.n == 30
    kept = ~np.isnan(recall[:, 0])
    alone = Draws(range(30), 0)
    alone.weight = DRAWS.weight[:, kept]
    same = WholeCurve(TOKENS[kept], RECALL[kept], alone)
    assert found.area().value == same.area().value
    assert found.area().drawn == pytest.approx(same.area().drawn)


@pytest.mark.parametrize("questions", [0, 3])
def test_nothing_defined_is_nan(questions):
    nothing = np.full((questions, 2), np.nan)
    found = WholeCurve(nothing + 1, nothing, Draws(range(questions), 0))
    assert found.n == 0
    assert np.isnan(interval(found.area())).all()
    assert np.isnan([one for b in (0, 100) for one in band(found, b)]).all()


def test_resamples_that_draw_nothing_defined_are_undefined():
    recall = np.full((N, SETTINGS), np.nan)
    recall[0] = RECALL[0]
    found = WholeCurve(TOKENS, recall, DRAWS).area()
    assert not np.isnan(found.value)
    assert (np.isnan(found.drawn) == (DRAWS.weight[:, 0] == 0)).all()
    assert np.isnan(interval(found)[1:]).all()


def test_shares_of_the_oracle_and_differences_are_paired():
    oracle = WholeCurve(TOKENS / 4, np.minimum(RECALL * 2, 1), DRAWS).area()
    family, top = (WholeCurve(TOKENS, RECALL * part, DRAWS).area() for part in (1, 0.5))
    assert share(oracle, oracle) == (1, 1, 1)
    assert share(top, family) == pytest.approx((0.5,) * 3)
    low, high = np.percentile(family.drawn / oracle.drawn, [2.5, 97.5])
    assert share(family, oracle) == pytest.approx((family.value / oracle.value, low, high))
    assert difference(family, top) == pytest.approx(
        (family.value / 2, *np.percentile(family.drawn / 2, [2.5, 97.5]))
    )


def test_a_share_of_nothing_is_undefined():
    nothing = WholeCurve(TOKENS, np.zeros_like(RECALL), DRAWS).area()
    assert np.isnan(share(nothing, nothing)).all()


def test_band_is_the_curve_resampled():
    whole, traced = WholeCurve(TOKENS, RECALL, DRAWS), Traced(TOKENS, RECALL, DRAWS)
    inside = [1500, 3000]
    assert [band(whole, b) for b in inside] == [
        pytest.approx(interval(traced.at(b))) for b in inside
    ]
    zero, first, end = [band(whole, b) for b in (0, TOKENS[:, 0].mean() / 2, 1e6)]
    assert zero == (0, 0, 0)
    assert first.value == pytest.approx(RECALL[:, 0].mean() / 2)
    assert end == pytest.approx(DRAWS.interval(RECALL[:, -1]))
    for low, value, high in (
        (b.low, b.value, b.high) for b in [band(whole, b) for b in range(0, 5000, 250)]
    ):
        assert low <= value <= high

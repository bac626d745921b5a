"""The margin over top-k at equal mean tokens."""

from __future__ import annotations

import numpy as np
import pytest

from bench.stats.bootstrap import Draws
from bench.stats.margin import Frontier

RNG = np.random.default_rng(0)
N, DEPTH = 40, 12
TOKENS = np.cumsum(np.column_stack([np.zeros(N), RNG.integers(50, 300, (N, DEPTH))]), axis=1)
RECALL = np.minimum(
    np.cumsum(np.column_stack([np.zeros(N), RNG.random((N, DEPTH)) / 6]), axis=1), 1
)
DRAWS = Draws(range(N), 0)


@pytest.mark.parametrize("k", [0, 1, 5, DEPTH])
def test_topk_itself_has_none(k):
    found = Frontier(TOKENS, RECALL, DRAWS).margin(TOKENS[:, k], RECALL[:, k])
    assert found == pytest.approx((0, 0, 0), abs=1e-12)


def test_a_shift_is_the_margin():
    found = Frontier(TOKENS, RECALL, DRAWS).margin(TOKENS[:, 4], RECALL[:, 4] + 0.125)
    assert found == pytest.approx((0.125, 0.125, 0.125))


def test_linear_between_neighbours():
    tokens = np.array([[0.0, 10.0, 30.0]] * 3)
    recall = np.array([[0.0, 0.5, 1.0]] * 3)
    frontier = Frontier(tokens, recall, Draws(range(3), 0))
    assert frontier.margin(np.full(3, 20.0), np.full(3, 0.8)) == pytest.approx((0.05,) * 3)


def test_outside_its_range_it_is_undefined():
    frontier = Frontier(TOKENS, RECALL, DRAWS)
    assert np.isnan(frontier.margin(TOKENS[:, -1] + 1, RECALL[:, -1])).all()
    assert np.isnan(frontier.margin(TOKENS[:, 0] - 1, RECALL[:, 0])).all()


def test_questions_without_gold_do_not_count():
    recall = RECALL.copy()
    recall[::4] = np.nan
    tokens = TOKENS.copy()
    tokens[::4] = 1e6
    found = Frontier(tokens, recall, DRAWS).margin(tokens[:, 3], recall[:, 3] + 0.1)
    assert found == pytest.approx((0.1, 0.1, 0.1))
    nothing = Frontier(TOKENS, np.full_like(RECALL, np.nan), DRAWS)
    assert np.isnan(nothing.margin(TOKENS[:, 3], np.full(N, np.nan))).all()

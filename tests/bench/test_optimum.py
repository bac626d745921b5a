"""The gap between greedy and optimum, on the smallest question that has one."""

from __future__ import annotations

from math import isnan

import pytest

from baselines import TopK
from bench.optimum import value_gap
from rse import RSE, Hits, Layout

LAYOUT = Layout([0, 5], [100] * 5)
PLAIN = {"irrelevant_chunk_penalty": 0.2, "decay_rate": 1e9, "minimum_value": 0.0}


def test_greedy_misses_what_shorter_segments_would_bring():
    # Greedy takes the best pair, then the next best pair; the two ends apart are worth more.
    hits = [Hits([1, 2, 3, 0, 4], [0.9, 0.9, 0.8, 0.85, 0.85])]
    strategy = RSE(**PLAIN, max_length=2, overall_max_length=4)
    chosen = strategy.select(hits, LAYOUT)
    assert [(s.first, s.last) for s in chosen] == [(1, 3), (3, 5)]
    assert value_gap(strategy, chosen, hits, LAYOUT) == pytest.approx(1 - 2.65 / 2.7)


def test_no_gap_is_exactly_zero():
    hits = [Hits([1, 2, 3, 0, 4], [0.9, 0.9, 0.8, 0.85, 0.85])]
    strategy = RSE(**PLAIN)
    assert value_gap(strategy, strategy.select(hits, LAYOUT), hits, LAYOUT) == 0


def test_undefined_for_others_and_where_nothing_is_worth_anything():
    hits = [Hits([0], [0.1])]
    assert isnan(value_gap(TopK(), [], hits, LAYOUT))
    assert isnan(value_gap(RSE(), [], hits, LAYOUT))

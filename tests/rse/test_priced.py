"""The price against every set of segments, and what follows from it."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rse import Hits, Layout, Optimal, Priced
from rse.units import UNIT
from tests.rse.packing import best_total


def small_case(rng, documents=3, chunks=4, queries=2, grid=None):
    """Return (hits, layout) small enough for trying everything."""
    sizes = rng.integers(0, chunks + 1, documents)
    total = int(sizes.sum())
    tokens = rng.integers(0, 5, total) * 20 if grid else rng.integers(0, 90, total)
    layout = Layout(np.concatenate(([0], np.cumsum(sizes))), np.ones(total, int), tokens=tokens)
    hits = []
    for _ in range(rng.integers(1, queries + 1)):
        chosen = rng.permutation(total)[: rng.integers(0, 7)]
        score = np.sort(rng.random(len(chosen)))[::-1] / 4
        hits.append(Hits(chosen, np.round(score / grid) * grid if grid else score))
    return hits, layout


def units(value):
    return Fraction(round(value / UNIT))


def all_sets(hits, layout, segment_tokens):
    """Yield (share, cost, chunks, segments) of every set of disjoint runs that end on hits."""
    p = {}
    for one in hits:
        for chunk, score in zip(one.chunk.tolist(), one.score.tolist(), strict=True):
            p[chunk] = max(p.get(chunk, 0), units(score))
    runs = [(a, b + 1) for a in p for b in p if a <= b and layout.document(a) == layout.document(b)]

    def extend(free, at, chosen):
        yield chosen
        for i in range(at, len(runs)):
            if runs[i][0] >= free:
                yield from extend(runs[i][1], i + 1, (*chosen, runs[i]))

    runs.sort()
    for chosen in extend(0, 0, ()):
        share = sum(p.get(c, 0) for a, b in chosen for c in range(a, b))
        tokens = sum(int(layout.tokens[a:b].sum()) for a, b in chosen)
        chunks = sum(b - a for a, b in chosen)
        yield share, tokens + segment_tokens * len(chosen), chunks, chosen


def cost_of(segments, layout, segment_tokens):
    return sum(int(layout.tokens[s.first : s.last].sum()) + segment_tokens for s in segments)


@pytest.mark.parametrize("grid", [None, 1 / 64], ids=["ties rare", "ties common"])
def test_worth_and_cost_equal_trying_everything(form, grid):
    rng = np.random.default_rng(1)
    found = 0
    for _ in range(60 if form == "compiled" else 25):
        hits, layout = small_case(rng, grid=grid)
        opening = int(rng.choice([0, 20, 80]))
        price = float(rng.choice([0, 2**-10, 1 / 5000, 1 / 640]))
        ours = Priced(token_price=price, segment_tokens=opening).solve(hits, layout)
        sets = [(s - units(price) * c, -c) for s, c, _, _ in all_sets(hits, layout, opening)]
        worth, cost = max(sets)
        assert cost_of(ours.segments, layout, opening) == -cost
        assert Fraction(round(ours.total / UNIT)) + units(price) * cost == worth
        assert sum(s.score for s in ours.segments) == pytest.approx(float(worth) * UNIT, abs=1e-9)
        found += len(ours.segments)
    assert found > 15


def test_a_budget_takes_the_dearest_that_a_price_can_reach(form):
    rng = np.random.default_rng(2)
    below = 0
    for _ in range(120):
        hits, layout = small_case(rng)
        opening, budget = int(rng.choice([0, 40])), int(rng.integers(1, 300))
        ours = Priced(token_budget=budget, segment_tokens=opening).solve(hits, layout)
        spent = cost_of(ours.segments, layout, opening)
        sets = list(all_sets(hits, layout, opening))
        corners = _corners({(share, cost) for share, cost, _, _ in sets})
        assert spent == max(cost for _, cost in corners if cost <= budget)
        best = max(share for share, cost, _, _ in sets if cost <= budget)
        assert ours.total <= float(best) * UNIT + 1e-9 <= ours.bound + 2e-9
        below += ours.gap > 1e-6
    assert below > 20  # the bound is not trivially met


def _corners(points):
    """Corners of the upper concave frontier of (share, cost), found pair by pair."""
    cheapest = {}
    for share, cost in points:
        cheapest[cost] = max(share, cheapest.get(cost, 0))
    keep = []
    for cost, share in cheapest.items():
        others = [(c, s) for c, s in cheapest.items() if c != cost]
        if any(c <= cost and s >= share for c, s in others):
            continue
        low = max(((s - share) / Fraction(c - cost) for c, s in others if c > cost), default=0)
        high = min((Fraction(share - s) / (cost - c) for c, s in others if c < cost), default=None)
        if high is None or low < high:
            keep.append((share, cost))
    return keep


def test_frontier_has_every_corner_and_prices_between_them(form):
    rng = np.random.default_rng(3)
    corners = 0
    for _ in range(60):
        hits, layout = small_case(rng)
        opening = int(rng.choice([0, 40]))
        strategy = Priced(segment_tokens=opening)
        frontier = strategy.frontier(hits, layout)
        costs = [cost_of(one.segments, layout, opening) for one in frontier]
        wanted = _corners({(s, c) for s, c, _, _ in all_sets(hits, layout, opening)})
        assert costs == sorted((cost for _, cost in wanted), reverse=True)
        prices = [one.price for one in frontier]
        assert prices == sorted(prices)
        for one, cost in zip(frontier[:-1], costs, strict=False):
            if 0 < one.price < 1:
                at = Priced(token_price=one.price * (1 - 1e-6), segment_tokens=opening)
                assert cost_of(at.select(hits, layout), layout, opening) == cost
        corners += len(frontier)
    assert corners > 150


@given(st.integers(0, 2**32 - 1), st.integers(0, 200), st.lists(st.floats(0, 0.02), min_size=2))
def test_cost_never_rises_with_the_price(seed, opening, prices):
    rng = np.random.default_rng(seed)
    hits, layout = small_case(rng, documents=5, chunks=12, grid=rng.choice([None, 1 / 32]))
    costs = [
        cost_of(
            Priced(token_price=price, segment_tokens=opening).select(hits, layout), layout, opening
        )
        for price in sorted(prices)
    ]
    assert costs == sorted(costs, reverse=True)


def test_gaps_are_bridged_where_opening_again_costs_more():
    layout = Layout([0, 3], [1, 1, 1], tokens=[100, 50, 100])
    hits = [Hits([0, 2], [0.4, 0.4])]
    apart = Priced(token_price=0.001, segment_tokens=40).select(hits, layout)
    joined = Priced(token_price=0.001, segment_tokens=60).select(hits, layout)
    assert [(s.first, s.last) for s in apart] == [(0, 1), (2, 3)]
    assert [(s.first, s.last) for s in joined] == [(0, 3)]
    assert joined[0].score == pytest.approx(0.8 - 0.001 * (250 + 60))


def test_several_queries_count_the_larger_share_once():
    layout = Layout([0, 1], [1], tokens=[100])
    found = Priced(token_price=0, segment_tokens=0).solve(
        [Hits([0], [0.2]), Hits([0], [0.3])], layout
    )
    assert found.total == pytest.approx(0.3)


def test_nothing_hit_and_no_tokens_and_wrong_values():
    layout = Layout([0, 1], [1], tokens=[100])
    for strategy in (Priced(), Priced(token_budget=100), Optimal(value="share", token_budget=9)):
        assert strategy.select([], layout) == []
        assert strategy.select([Hits([], [])], layout) == []
        assert strategy.select([Hits([0], [0.0])], layout) == []
        with pytest.raises(ValueError, match="needs a layout with tokens"):
            strategy.select([Hits([0], [0.5])], Layout([0, 1], [1]))
    assert len(Priced().frontier([], layout)) == 1
    with pytest.raises(ValueError, match=r"token_price must be a number from 0 to 1, got 2"):
        Priced(token_price=2)
    with pytest.raises(ValueError, match="value=share needs a token_budget"):
        Optimal(value="share")


@pytest.mark.parametrize("grid", [None, 1 / 64], ids=["ties rare", "ties common"])
def test_share_optimum_equals_trying_everything(form, grid):
    rng = np.random.default_rng(5)
    for _ in range(100):
        hits, layout = small_case(rng, grid=grid)
        opening, budget = int(rng.choice([0, 40])), int(rng.integers(1, 300))
        fee = float(rng.choice([0, 1 / 64, 1 / 16]))
        strategy = Optimal(
            value="share", token_budget=budget, segment_tokens=opening, segment_cost=fee
        )
        ours = strategy.solve(hits, layout)
        best = max(
            (share - units(fee) * len(chosen), -chunks, -len(chosen))
            for share, cost, chunks, chosen in all_sets(hits, layout, opening)
            if cost <= budget
        )
        chunks = sum(s.last - s.first for s in ours.segments)
        assert (Fraction(round(ours.total / UNIT)), -chunks, -len(ours.segments)) == best
        assert cost_of(ours.segments, layout, opening) <= budget


@pytest.mark.outside
def test_share_optimum_equals_milp_on_whole_questions():
    rng = np.random.default_rng(6)
    for _ in range(30):
        total = 40
        layout = Layout([0, 18, 40], np.ones(total, int), tokens=rng.integers(20, 200, total))
        chosen = rng.permutation(total)[:15]
        hits = [Hits(chosen, np.sort(rng.dirichlet(np.ones(16)))[::-1][:15])]
        budget = int(rng.integers(100, 2500))
        ours = Optimal(value="share", token_budget=budget, segment_tokens=80).solve(hits, layout)
        runs = [
            (a, b + 1)
            for a, b in combinations_with_replacement(sorted(chosen.tolist()), 2)
            if layout.document(a) == layout.document(b)
        ]
        p = np.zeros(total)
        p[chosen] = hits[0].score
        share = [p[a:b].sum() for a, b in runs]
        cost = [layout.tokens[a:b].sum() + 80 for a, b in runs]
        assert ours.total == pytest.approx(best_total(runs, share, cost, total, budget), abs=1e-6)
        priced = Priced(token_budget=budget, segment_tokens=80).solve(hits, layout)
        assert priced.total <= ours.total + 1e-9 <= priced.bound + 2e-9

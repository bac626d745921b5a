"""The optimum against trying every set of legal segments, and against greedy."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from rse import RSE, Hits, Layout, Optimal
from rse.placed import fading, place
from rse.strategy import chunk_values
from tests.rse.cases import random_case, random_parameters


def legal_segments(hits, layout, strategy):
    """Every legal segment with its best value, found chunk by chunk in exact arithmetic."""
    placed = place(hits, layout, strategy.top_k_for_document_selection)
    penalty = Fraction(strategy.irrelevant_chunk_penalty)
    fades = fading(strategy.decay_rate, 100)
    values = chunk_values(
        placed, fades, strategy.chunk_length_adjustment, strategy.irrelevant_chunk_penalty
    )
    documents = dict(zip(placed.document.tolist(), layout.document(placed.chunk), strict=True))
    best = {}
    for q in range(len(hits)):
        mine = slice(placed.begin[q], placed.begin[q + 1])
        value = dict(
            zip(placed.chunk[mine].tolist(), map(Fraction, values[mine].tolist()), strict=True)
        )
        for at, d in sorted(documents.items()):
            run = range(layout.start[d], layout.start[d + 1])
            for first, last in combinations(range(run.start, run.stop + 1), 2):
                if last - first > strategy.max_length:
                    continue
                ends = value.get(first, -penalty), value.get(last - 1, -penalty)
                total = sum(value.get(c, -penalty) for c in range(first, last))
                if min(ends) >= 0 and total >= strategy.minimum_value:
                    key = (at, first, last)
                    best[key] = max(best.get(key, total), total)
    return best


def best_set(legal, budget, cost):
    """The best set by worth, fewer chunks, fewer segments, earlier; found by trying them all."""
    keys = sorted(legal)

    def extend(at, free, place, room):
        result = (Fraction(0), 0, 0, ())
        for i in range(at, len(keys)):
            p, first, last = keys[i]
            if last - first > room or (p == place and first < free):
                continue
            worth, chunks, count, rest = extend(i + 1, last, p, room - (last - first))
            found = (
                worth + legal[keys[i]] - cost,
                chunks - (last - first),
                count - 1,
                (keys[i], *rest),
            )
            if found[:3] > result[:3] or (found[:3] == result[:3] and found[3] < result[3]):
                result = found
        return result

    return extend(0, -1, -1, budget)


@pytest.mark.parametrize("grid", [None, 0.125], ids=["ties rare", "ties common"])
def test_optimum_equals_trying_everything(form, grid):
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(150):
        hits, layout = random_case(rng, documents=3, queries=3, chunks=5, depth=6, grid=grid)
        parameters = random_parameters(rng)
        if grid:  # values that add up exactly, so that ties are ties
            layout = Layout(layout.start, np.full(len(layout), 100))
            parameters |= {"irrelevant_chunk_penalty": 0.125, "decay_rate": 1e300}
        strategy = Optimal(**parameters, segment_cost=float(rng.choice([0, 0.125, 0.5])))
        ours = strategy.select(hits, layout)
        worth, chunks, _, keys = best_set(
            legal_segments(hits, layout, strategy),
            strategy.chunk_budget(len(hits)),
            Fraction(strategy.segment_cost),
        )
        total = sum(s.score for s in ours) - strategy.segment_cost * len(ours)
        assert total == pytest.approx(float(worth), abs=1e-9)
        if grid:
            assert sum(s.last - s.first for s in ours) == -chunks
            assert sorted((s.first, s.last) for s in ours) == sorted(k[1:] for k in keys)
        found += len(ours)
    assert found > 50


def test_never_below_greedy(form):
    rng = np.random.default_rng(4)
    above = 0
    for _ in range(150):
        hits, layout = random_case(rng, documents=6, grid=rng.choice([None, 0.1]))
        parameters = random_parameters(rng)
        greedy = sum(s.score for s in RSE(**parameters).select(hits, layout))
        optimum = sum(s.score for s in Optimal(**parameters).select(hits, layout))
        assert optimum >= greedy - 1e-9
        above += optimum > greedy + 1e-9
    assert above > 5


def test_segment_cost_joins_what_the_optimum_would_split(form):
    layout = Layout([0, 6], [100] * 6)
    hits = [Hits([0, 1, 3, 4], [0.8, 0.8, 0.8, 0.8])]
    plain = {"decay_rate": 1e9, "minimum_value": 0.0}
    apart = Optimal(**plain).select(hits, layout)
    joined = Optimal(**plain, segment_cost=0.3).select(hits, layout)
    assert [(s.first, s.last) for s in apart] == [(0, 2), (3, 5)]
    assert [(s.first, s.last) for s in joined] == [(0, 5)]


def test_nothing_to_choose_from(form):
    assert Optimal().select([], Layout([0], [])) == []
    assert Optimal().select([Hits([0], [0.1])], Layout([0, 1], [5])) == []


def test_takes_every_parameter_of_rse_and_a_cost():
    with pytest.raises(ValueError, match="segment_cost must be a number of 0 or more, got -1"):
        Optimal(segment_cost=-1)
    with pytest.raises(
        ValueError, match=r"Optimal has no parameter 'cost'; there are: .*segment_cost"
    ):
        Optimal(cost=1)


def test_a_budget_beyond_all_chunks_costs_nothing():
    hits = [Hits([0, 1], [0.9, 0.8])]
    layout = Layout([0, 2], [100, 100])
    for strategy in (RSE, Optimal):
        assert len(strategy(overall_max_length=10**15).select(hits, layout)) == 1

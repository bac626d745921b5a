"""The optimum against trying every set of legal segments, and against greedy."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from rse import RSE, Hits, Layout, Optimal
from rse.batch import Batch
from rse.placed import fading, place
from rse.strategy import chunk_values
from tests.rse.cases import random_case, random_parameters
from tests.rse.packing import best_total


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


def test_optimum_equals_milp_on_questions_of_real_size():
    rng = np.random.default_rng(8)
    bound = 0
    for _ in range(200):
        hits, layout = random_case(rng, documents=4, queries=2, chunks=15, depth=25)
        tokens = rng.integers(20, 200, len(layout))
        layout = Layout(layout.start, layout.length, tokens=tokens)
        by_tokens = bool(rng.random() < 0.5)
        strategy = Optimal(
            **random_parameters(rng),
            segment_cost=float(rng.choice([0, 0.3])),
            token_budget=int(rng.integers(100, 2000)) if by_tokens else None,
            segment_tokens=int(rng.choice([0, 80])) if by_tokens else 0,
        )
        legal = legal_segments(hits, layout, strategy)
        runs = [(first, last) for _, first, last in legal]
        worth = [float(value) - strategy.segment_cost for value in legal.values()]
        cost = [last - first for first, last in runs]
        if by_tokens:
            cost = [int(tokens[a:b].sum()) + strategy.segment_tokens for a, b in runs]
        budget = strategy.token_budget or strategy.chunk_budget(len(hits))
        ours = strategy.solve(hits, layout)
        best = best_total(runs, worth, cost, len(layout), budget)
        assert ours.total == pytest.approx(best, abs=1e-6)
        chosen = [(s.first, s.last) for s in ours.segments]
        assert sum(cost[runs.index(run)] for run in chosen) <= budget
        bound += sum(cost) > budget
    assert bound > 80


def test_never_below_greedy(form):
    rng = np.random.default_rng(4)
    above = 0
    for _ in range(150):
        hits, layout = random_case(rng, documents=6, grid=rng.choice([None, 0.1]))
        parameters = random_parameters(rng)
        greedy = sum(s.score for s in RSE(**parameters).select(hits, layout))
        best = Optimal(**parameters, segment_cost=0).select(hits, layout)
        optimum = sum(s.score for s in best)
        assert optimum >= greedy - 1e-9
        above += optimum > greedy + 1e-9
    assert above > 5


def test_segment_cost_joins_what_the_optimum_would_split(form):
    layout = Layout([0, 6], [100] * 6)
    hits = [Hits([0, 1, 3, 4], [0.8, 0.8, 0.8, 0.8])]
    plain = {"decay_rate": 1e9, "minimum_value": 0.0}
    apart = Optimal(**plain, segment_cost=0).select(hits, layout)
    joined = Optimal(**plain, segment_cost=0.3).select(hits, layout)
    assert [(s.first, s.last) for s in apart] == [(0, 2), (3, 5)]
    assert [(s.first, s.last) for s in joined] == [(0, 5)]


def test_a_budget_of_tokens_replaces_that_of_chunks():
    layout = Layout([0, 4], [100] * 4, tokens=[50, 50, 400, 50])
    hits = [Hits([2, 0, 1, 3], [0.9, 0.8, 0.8, 0.8])]
    plain = {"decay_rate": 1e9, "minimum_value": 0.0}
    within = Optimal(**plain, token_budget=150, overall_max_length=1).select(hits, layout)
    assert [(s.first, s.last) for s in within] == [(3, 4), (0, 2)][::-1]
    opened = Optimal(**plain, token_budget=150, segment_tokens=25).select(hits, layout)
    assert [(s.first, s.last) for s in opened] == [(0, 2)]
    with pytest.raises(ValueError, match="needs a layout with tokens"):
        Optimal(token_budget=9).select(hits, Layout([0, 4], [100] * 4))
    with pytest.raises(ValueError, match="segment_tokens needs a token_budget"):
        Optimal(segment_tokens=9)


def test_limits_beyond_all_numbers_mean_no_limit():
    layout = Layout([0, 3], [10**8] * 3, tokens=[9, 9, 9])
    hits = [Hits([0, 2], [1, 0.9]), Hits([1], [0.5])]
    huge = {
        "max_length": 2**63,
        "overall_max_length": 2**70,
        "overall_max_length_extension": 2**63,
        "top_k_for_document_selection": 2**64,
    }
    for strategy in (RSE(**huge), Optimal(**huge), Optimal(**huge, segment_cost=1e300)):
        strategy.select(hits, layout)
    greedy = sum(s.score for s in RSE(**huge).select(hits, layout))
    assert Optimal(**huge, segment_cost=0).solve(hits, layout).total >= greedy - 1e-6
    assert Optimal(**huge, token_budget=2**70).select(hits, layout) == Optimal(**huge).select(
        hits, layout
    )


def test_a_budget_that_asks_for_gigabytes_is_refused_by_both_ways_to_run_it(form):
    layout = Layout([0, 400], [100] * 400, tokens=[3000] * 400)
    hits = [Hits(np.arange(0, 400, 2), np.full(200, 0.9))]
    hopeless = Optimal(token_budget=10**9, max_length=60)
    for select in (hopeless.select, Batch([hopeless]).select):
        with pytest.raises(ValueError, match="too much for an exact answer; use priced"):
            select(hits, layout)
    with pytest.raises(ValueError, match="too much for an exact answer; use priced"):
        Optimal(value="share", token_budget=10**9).select(hits, layout)


def test_the_usual_cost_of_a_segment_is_in_the_unit_of_what_it_is_taken_from():
    assert Optimal().segment_cost == 0.3
    assert Optimal(value="share", token_budget=9).segment_cost == 0
    assert Optimal() == Optimal(segment_cost=0.3) != Optimal(segment_cost=0)


def test_shares_refuse_parameters_they_do_not_look_at():
    with pytest.raises(ValueError, match="value=share does not look at max_length, got 3; it has"):
        Optimal(value="share", token_budget=9, max_length=3)


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

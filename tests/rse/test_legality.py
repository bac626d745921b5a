"""No strategy ever breaks a rule, whatever the input."""

from __future__ import annotations

import time

import numpy as np
import pytest

from rse import RSE, Hits, Layout, Optimal, Priced, Simple
from tests.rse.cases import random_parameters

SECONDS = 3
"""How long the usual run may take; `make outside` runs all."""


def odd_case(rng):
    """Questions from empty to absurd: no hits, no chunks, one chunk; scores all equal, 0 or 1."""
    sizes = rng.choice([0, 1, 2, 7, 40], rng.integers(0, 5))
    total = int(sizes.sum())
    layout = Layout(
        np.concatenate(([0], np.cumsum(sizes))),
        rng.choice([0, 1, 699, 700, 701, 5000], total),
        rng.choice([0, 1, 90, 3000], total),
    )
    hits = []
    for _ in range(rng.integers(0, 4)):
        count = int(rng.integers(0, total + 1))
        score = rng.choice(
            [rng.random(count), np.zeros(count), np.ones(count), np.full(count, 0.18)]
        )
        hits.append(Hits(rng.permutation(total)[:count], score))
    return hits, layout


def worth_of_hits(strategy, hits, layout):
    """Return what each hit is worth, query by query: only those worth 0 or more may be ends."""
    if isinstance(strategy, Priced) or getattr(strategy, "value", "rse") == "share":
        return [{int(chunk): 0.0 for one in hits for chunk in one.chunk}]
    found = []
    for one in hits:
        if isinstance(strategy, Simple):
            value = one.score - strategy.irrelevant_chunk_penalty
        else:
            fading = np.exp(-np.arange(len(one)) / strategy.decay_rate)
            value = fading * one.score - strategy.irrelevant_chunk_penalty
        found.append(dict(zip(one.chunk.tolist(), value.tolist(), strict=True)))
    return found


def check(strategy, hits, layout):
    """Assert every rule that a strategy has."""
    found = strategy.select(hits, layout)
    values = worth_of_hits(strategy, hits, layout)
    chunks = [chunk for s in found for chunk in range(s.first, s.last)]
    assert len(chunks) == len(set(chunks))
    for s in found:
        assert s.first < s.last
        assert layout.document(s.first) == layout.document(s.last - 1)
        assert any(worth.get(s.first, -1) >= 0 <= worth.get(s.last - 1, -1) for worth in values)
        assert np.isfinite(s.score)
    assert found == sorted(found, key=lambda s: (-s.score, s.first))
    tokens = int(layout.tokens[chunks].sum()) if chunks else 0
    if isinstance(strategy, RSE | Optimal) and getattr(strategy, "value", "rse") == "rse":
        assert all(s.last - s.first <= strategy.max_length for s in found)
        assert all(s.score >= strategy.minimum_value for s in found)
        if getattr(strategy, "token_budget", None) is None:
            assert len(chunks) <= strategy.chunk_budget(len(hits))
    if isinstance(strategy, Priced | Optimal) and strategy.token_budget is not None:
        assert tokens + strategy.segment_tokens * len(found) <= strategy.token_budget
    if isinstance(strategy, Simple):
        assert len(chunks) < strategy.overall_max_length + strategy.max_length
    return found


def strategies(rng):
    parameters = random_parameters(rng)
    budget, opening = int(rng.choice([1, 100, 5000])), int(rng.choice([0, 80]))
    cost = float(rng.choice([0, 0.3]))
    return [
        RSE(**parameters),
        Optimal(**parameters, segment_cost=cost),
        Optimal(**parameters, segment_cost=cost, token_budget=budget, segment_tokens=opening),
        Optimal(value="share", token_budget=budget, segment_tokens=opening),
        Priced(token_price=float(rng.choice([0, 1e-5, 1e-3, 1])), segment_tokens=opening),
        Priced(token_budget=budget, segment_tokens=opening),
        Simple(),
    ]


def run(inputs, seconds):
    """Check so many inputs, by all strategies, within a time; return how many were checked."""
    rng = np.random.default_rng(9)
    for strategy in strategies(rng):
        check(strategy, *odd_case(rng))  # compiles
    began, count, found = time.monotonic(), 0, 0
    while count < inputs and time.monotonic() - began < seconds:
        hits, layout = odd_case(rng)
        for strategy in strategies(rng):
            found += len(check(strategy, hits, layout))
        count += 1
    assert found > count
    return count


def test_rules_hold_for_as_many_inputs_as_there_is_time_for():
    assert run(100_000, SECONDS) > 50


@pytest.mark.long
def test_rules_hold_for_a_hundred_thousand_inputs():
    assert run(100_000, 600) >= 100_000

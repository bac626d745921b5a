"""A batch selects what each of its strategies selects by itself."""

from __future__ import annotations

import numpy as np
import pytest

from baselines import TopK
from rse import RSE, Layout, Optimal, Priced
from rse.batch import Batch
from tests.rse.cases import random_case, random_parameters


def settings(rng):
    """Settings of every kind, in mixed order."""
    found = []
    for _ in range(12):
        parameters = random_parameters(rng)
        budget = int(rng.integers(1, 2000)) if rng.random() < 0.5 else None
        opening = int(rng.choice([0, 80]))
        found += [
            RSE(**parameters),
            Optimal(
                **parameters,
                segment_cost=float(rng.choice([0, 0.3])),
                token_budget=budget,
                segment_tokens=opening if budget else 0,
            ),
            Priced(token_price=float(rng.random() / 100), segment_tokens=opening),
            Priced(token_budget=budget, segment_tokens=opening),
        ]
    return [found[i] for i in rng.permutation(len(found))]


def test_same_segments_as_one_by_one(form):
    rng = np.random.default_rng(1)
    chosen = settings(rng)
    batch = Batch(chosen)
    count = 0
    for _ in range(25 if form == "compiled" else 4):
        hits, layout = random_case(rng, documents=6, chunks=12, depth=25)
        layout = Layout(layout.start, layout.length, rng.integers(0, 200, len(layout)))
        found = batch.select(hits, layout)
        for number, strategy in enumerate(chosen):
            here = slice(found.begin[number], found.begin[number + 1])
            ours = sorted(zip(found.first[here].tolist(), found.last[here].tolist(), strict=True))
            assert ours == sorted((s.first, s.last) for s in strategy.select(hits, layout))
            count += len(ours)
    assert count > (800 if form == "compiled" else 100)


def test_no_hits_and_no_queries_select_nothing(form):
    batch = Batch([RSE(), Optimal(), Priced(), Priced(token_budget=9)])
    layout = Layout([0, 2], [5, 5], [1, 1])
    assert batch.select([], layout).begin.tolist() == [0, 0, 0, 0, 0]


def test_other_kinds_are_refused():
    with pytest.raises(ValueError, match="a batch runs RSE, Optimal and Priced, not TopK"):
        Batch([TopK()])
    with pytest.raises(ValueError, match="value=share has no batch form"):
        Batch([Optimal(value="share", token_budget=5)])
    with pytest.raises(
        ValueError, match=r"Batch takes a list of strategies: Batch\(\[strategy\]\)"
    ):
        Batch(RSE())
    with pytest.raises(ValueError, match="needs a layout with tokens"):
        Batch([Optimal(token_budget=5)]).select([], Layout([0, 1], [5]))

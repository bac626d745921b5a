"""Greedy selection against dsRAG's own code, and by its invariants."""

from __future__ import annotations

import numpy as np
import pytest

from rse import RSE, Hits, Layout, Segment
from tests.rse.cases import random_case, random_parameters
from tests.rse.reference import reference_segments


@pytest.mark.parametrize("grid", [None, 0.1], ids=["ties rare", "ties common"])
def test_same_segments_and_scores_as_dsrag(form, grid):
    rng = np.random.default_rng(1)
    found = 0
    for _ in range(600 if form == "compiled" else 150):
        hits, layout = random_case(rng, documents=int(rng.choice([1, 5, 50])), chunks=12, grid=grid)
        strategy = RSE(**random_parameters(rng))
        ours = strategy.select(hits, layout)
        theirs = reference_segments(hits, layout, strategy)
        assert sorted(ours) == sorted(theirs)
        assert ours == sorted(ours, key=lambda s: (-s.score, s.first))
        found += len(ours)
    assert found > 300


@pytest.mark.outside
@pytest.mark.parametrize("grid", [None, 0.1], ids=["ties rare", "ties common"])
def test_same_segments_as_dsrag_on_ten_thousand_inputs(grid):
    rng = np.random.default_rng(11)
    for _ in range(5000):
        hits, layout = random_case(rng, documents=int(rng.choice([1, 5, 50])), chunks=12, grid=grid)
        strategy = RSE(**random_parameters(rng))
        ours = strategy.select(hits, layout)
        assert sorted(ours) == sorted(reference_segments(hits, layout, strategy))


LAYOUT = Layout([0, 4, 8], [100] * 8)
PLAIN = {"minimum_value": 0.0, "irrelevant_chunk_penalty": 0.25, "decay_rate": 1e300}


def select(chunks, scores, layout=LAYOUT, **parameters):
    found = RSE(**{**PLAIN, **parameters}).select([Hits(chunks, scores)], layout)
    return [(s.first, s.last, pytest.approx(s.score)) for s in found]


def test_no_hits(form):
    assert RSE().select([], LAYOUT) == []
    assert RSE().select([Hits([], []), Hits([], [])], LAYOUT) == []
    assert RSE().select([Hits([], [])], Layout([0], [])) == []


def test_one_chunk(form):
    assert select([3], [1.0]) == [(3, 4, 0.75)]


def test_all_negative(form):
    assert select([0, 1], [0.2, 0.1]) == []


def test_a_value_of_exactly_zero_may_end_a_segment(form):
    assert select([0], [0.25]) == [(0, 1, 0.0)]
    assert select([0], [0.25], minimum_value=0.1) == []


def test_minimum_is_inclusive(form):
    assert select([0], [0.75], minimum_value=0.5) == [(0, 1, 0.5)]


def test_budget_exactly_used(form):
    chunks, scores = [0, 1, 4, 5], [1, 0.9, 0.8, 0.7]
    assert select(chunks, scores, overall_max_length=4) == [(0, 2, 1.4), (4, 6, 1.0)]
    # One chunk is left: the pair no longer fits, its better half does.
    assert select(chunks, scores, overall_max_length=3) == [(0, 2, 1.4), (4, 5, 0.55)]


def test_a_gap_costs_its_chunks(form):
    assert select([0, 3], [1, 1]) == [(0, 4, 1.0)]
    assert select([0, 3], [1, 0.7]) == [(0, 1, 0.75), (3, 4, 0.45)]


def test_ties_go_to_the_earliest_then_the_shortest(form):
    assert select([1, 0], [0.5, 0.5], max_length=1, overall_max_length=1) == [(0, 1, 0.25)]
    # Bridging the gap gives exactly what the first hit gives alone: the shorter one is taken.
    tie = select([0, 2], [0.5, 0.5], overall_max_length=1)
    assert tie == [(0, 1, 0.25)]


def test_document_borders_are_never_crossed(form):
    # Two documents of two chunks, relevance A: -, +; B: +, -.
    found = select([1, 2], [0.9, 0.9], Layout([0, 2, 4], [100] * 4))
    assert found == [(1, 2, 0.65), (2, 3, 0.65)]


def test_documents_stand_in_order_of_first_appearance():
    layout = Layout([0, 1, 2], [100, 100])
    found = RSE(**PLAIN, overall_max_length=1).select([Hits([1, 0], [0.9, 0.9])], layout)
    assert found == [Segment(1, 2, pytest.approx(0.65))]


def test_queries_take_turns(form):
    a, b = Hits([0, 1], [1.0, 0.9]), Hits([4], [0.5])
    found = RSE(**PLAIN, max_length=1, overall_max_length=2, overall_max_length_extension=0).select(
        [a, b], LAYOUT
    )
    assert [(s.first, s.last) for s in found] == [(0, 1), (4, 5)]


def test_logits_are_refused_and_sigmoids_join():
    with pytest.raises(
        ValueError, match=r"cross-encoder: scores must lie in \[0, 1\], found -2 to 2"
    ):
        Hits([0, 2, 1], [2.0, 1.9, -2.0], scorer="cross-encoder")
    logits = np.array([2.0, 1.9, -2.0])
    hits = Hits([0, 2, 1], 1 / (1 + np.exp(-logits)))
    assert RSE().select([hits], Layout([0, 3], [100] * 3)) == [
        Segment(0, 3, pytest.approx(1.29, abs=0.005))
    ]

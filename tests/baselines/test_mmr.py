"""Maximal marginal relevance against its definition, written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baselines import MMR, TopK
from rse import Hits, Layout

LAYOUT = Layout([0, 4, 10], [100] * 10)
EAST, NORTH, WEST = [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]


def hits(chunks, scores, vectors):
    return Hits(chunks, scores, {"vectors": np.array(vectors, float)})


def pairs(segments):
    assert all(s.last == s.first + 1 for s in segments)
    return [(s.first, s.score) for s in segments]


def test_a_repeat_falls_behind_something_new():
    given = hits([3, 5, 1], [0.75, 0.75, 0.5], [EAST, EAST, NORTH])
    # 0.375; then 0.5 * 0.75 - 0.5 * 1 = -0.125 against 0.25 - 0 = 0.25; then -0.125.
    assert pairs(MMR().select([given], LAYOUT)) == [(3, 0.375), (1, 0.25), (5, -0.125)]
    assert pairs(MMR(k=2).select([given], LAYOUT)) == [(3, 0.375), (1, 0.25)]
    # The new chunk is beyond the depth.
    assert [c for c, _ in pairs(MMR(k=2, depth=2).select([given], LAYOUT))] == [3, 5]


def test_the_ends_of_lambda():
    given = hits([3, 5, 1], [0.75, 0.75, 0.5], [EAST, EAST, NORTH])
    assert pairs(MMR(lambda_mult=1).select([given], LAYOUT)) == pairs(
        TopK().select([given], LAYOUT)
    )
    # Nothing but difference: all are alike at first, so the best-ranked one.
    assert pairs(MMR(lambda_mult=0).select([given], LAYOUT)) == [(3, 0.0), (1, 0.0), (5, -1.0)]


def test_the_opposite_is_no_better_than_what_is_merely_different():
    given = hits([0, 1, 2], [0.5, 0.5, 0.5], [EAST, NORTH, WEST])
    assert pairs(MMR().select([given], LAYOUT)) == [(0, 0.25), (1, 0.25), (2, 0.25)]


def test_vectors_follow_their_chunks_through_several_queries():
    one = hits([3, 5], [0.5, 0.25], [EAST, EAST])
    other = hits([1, 3, 7], [0.75, 0.5, 0.25], [NORTH, EAST, NORTH])
    # Turns: 3, 1, 5, 7 with 0.5, 0.75, 0.25, 0.25. First 1; then 3; then both others repeat.
    assert pairs(MMR().select([one, Hits([], []), other], LAYOUT)) == [
        (1, 0.375),
        (3, 0.25),
        (5, -0.375),
        (7, -0.375),
    ]


def test_no_hits():
    assert MMR().select([], LAYOUT) == []
    assert MMR().select([Hits([], [])], LAYOUT) == []


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ({}, r"no features\['vectors'\]; they have: none. A dense retriever"),
        ({"bm25": [1.0, 2.0]}, "they have: bm25"),
        ({"vectors": [1.0, 1.0]}, r"one row a hit, got shape \(2,\)"),
        ({"vectors": [[3.0, 4.0], [0.6, 0.8]]}, "length 1, found one of length 5"),
        ({"vectors": [[0.6, 0.8], [np.nan, 1.0]]}, "length 1, found one of length nan"),
    ],
)
def test_says_what_is_missing(features, message):
    with pytest.raises(ValueError, match=message):
        MMR().select([Hits([1, 2], [0.5, 0.4], features)], LAYOUT)
    with pytest.raises(ValueError, match=message):
        MMR().select([hits([3], [1.0], [EAST]), Hits([1, 2], [0.5, 0.4], features)], LAYOUT)


def test_queries_of_different_models_are_refused():
    two = [hits([1], [0.5], [EAST]), hits([2], [0.5], [[1.0, 0.0, 0.0]])]
    with pytest.raises(ValueError, match=r"vectors of \[2, 3\] dimensions"):
        MMR().select(two, LAYOUT)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"k": 0}, "k must be a whole number of 1 or more"),
        ({"lambda_mult": 1.5}, r"lambda_mult must be a number in \[0, 1\], got 1.5"),
        ({"depth": 0}, "depth must be"),
        ({"diversity": 0.5}, "no parameter 'diversity'; there are: k, lambda_mult, depth"),
    ],
)
def test_refuses_what_cannot_be(parameters, message):
    with pytest.raises(ValueError, match=message):
        MMR(**parameters)


# Few directions and scores in quarters, so that ties are many and sums exact.
DIRECTIONS = np.array([[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, 0, 1]], float)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), max_size=10),
    st.integers(1, 11),
    st.integers(1, 11),
    st.sampled_from([0, 0.25, 0.5, 1]),
    st.randoms(use_true_random=False),
)
def test_each_chunk_is_the_best_of_those_left(rows, k, depth, weight, random):
    chunks = list(range(10))[: len(rows)]
    random.shuffle(chunks)
    scores = sorted((level / 4 for _, level in rows), reverse=True)
    vectors = DIRECTIONS[[place for place, _ in rows]]
    found = MMR(k=k, lambda_mult=weight, depth=depth).select(
        [hits(chunks, scores, vectors)], LAYOUT
    )
    taken, values = [], []
    while len(taken) < min(k, depth, len(rows)):
        worth = {
            rank: weight * scores[rank]
            - (1 - weight) * max([0.0, *(float(vectors[rank] @ vectors[t]) for t in taken)])
            for rank in range(min(depth, len(rows)))
            if rank not in taken
        }
        taken.append(max(worth, key=lambda rank: (worth[rank], -rank)))
        values.append(worth[taken[-1]])
    assert pairs(found) == [
        (chunks[rank], value) for rank, value in zip(taken, values, strict=True)
    ]
    assert values == sorted(values, reverse=True)

"""Smoothing by hand and by a loop that looks at one neighbour at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rse import Hits, ParameterError
from rse.calibration import Smooth

NAN = math.nan


def hits(score, neighbours, **features):
    table = {"neighbours": np.array(neighbours, float).reshape(len(score), -1)}
    return Hits(range(len(score)), score, table | features, scorer="tiny")


def test_by_hand_and_sorted_again():
    before = hits([0.9, 0.5], [[NAN, 0.1, 0.2, 0.3], [0.9, 0.9, 0.9, NAN]], bm25=np.array([7, 3]))
    after = Smooth(window=2, own=0.5).apply(before)
    assert after.chunk.tolist() == [1, 0]
    assert after.score.tolist() == pytest.approx([0.7, 0.55])
    assert after.features["bm25"].tolist() == [3, 7]
    assert after.features["neighbours"][0].tolist()[:3] == [0.9, 0.9, 0.9]
    assert after.scorer == "tiny"


def test_window_takes_the_middle_columns():
    before = hits([0.8], [[0.0, 0.4, 0.6, 1.0]])
    assert Smooth(window=1, own=0).apply(before).score.tolist() == [0.5]


def test_without_neighbours_the_score_stays():
    before = hits([0.8, 0.3], [[NAN, NAN], [NAN, 0.1]])
    assert Smooth(window=1, own=0.5).apply(before).score.tolist() == pytest.approx([0.8, 0.2])


def test_ties_go_to_the_lower_chunk():
    before = Hits([5, 2, 9], [0.5, 0.5, 0.5], {"neighbours": np.full((3, 4), NAN)})
    assert Smooth().apply(before).chunk.tolist() == [2, 5, 9]


def test_no_hits_need_no_feature():
    assert len(Smooth().apply(Hits([], []))) == 0
    assert Smooth().fit([]) == Smooth()


@pytest.mark.parametrize("own", [0, 0.3, 1])
@given(data=st.data())
def test_agrees_with_a_plain_loop(own, data):
    count, window = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 3))
    reach = data.draw(st.integers(window, 4))
    level = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
    score = data.draw(st.lists(level, min_size=count, max_size=count))
    row = st.lists(level | st.just(NAN), min_size=2 * reach, max_size=2 * reach)
    table = data.draw(st.lists(row, min_size=count, max_size=count))
    offsets = [*range(-reach, 0), *range(1, reach + 1)]
    expected = []
    for chunk in range(count):
        near = [
            value
            for offset, value in zip(offsets, table[chunk], strict=True)
            if abs(offset) <= window and not math.isnan(value)
        ]
        mean = sum(near) / len(near) if near else score[chunk]
        expected.append((-round(own * score[chunk] + (1 - own) * mean, 9), chunk))
    found = Smooth(window=window, own=own).apply(hits(score, table))
    assert found.score.tolist() == pytest.approx([-value for value, _ in sorted(expected)])
    assert sorted(found.chunk.tolist()) == list(range(count))
    assert (np.diff(found.score) <= 0).all()


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ({}, r"no features\['neighbours'\]; they have: none"),
        ({"bm25": [1.0]}, "they have: bm25"),
        ({"neighbours": [[0.1, 0.2]]}, r"4 columns or more, got an array of shape \(1, 2\)"),
        ({"neighbours": [[0.1] * 5]}, r"got an array of shape \(1, 5\)"),
        ({"neighbours": [0.1]}, r"got an array of shape \(1,\)"),
    ],
)
def test_says_what_is_missing(features, message):
    with pytest.raises(ValueError, match=message):
        Smooth(window=2).apply(Hits([0], [0.5], features))


@pytest.mark.parametrize("wrong", [{"window": 0}, {"own": 1.5}, {"own": -0.1}, {"width": 1}])
def test_parameters_out_of_range(wrong):
    with pytest.raises(ParameterError):
        Smooth(**wrong)


def test_a_window_wider_than_any_document_needs_is_refused():
    with pytest.raises(ValueError, match="window must be at most 1000 chunks, got 1001"):
        Smooth(window=1001)

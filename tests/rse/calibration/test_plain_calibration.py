"""Calibrations keep the ranking and end in [0, 1]; their edge values are fixed by DESIGN."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rse import RSE, Hits, Layout, ParameterError, Segment
from rse.calibration import Beta, Max, MinMax, Rank, Raw, Sigmoid

PLAIN = [
    Raw(),
    MinMax(),
    Max(),
    Beta(),
    Beta(a=0.5, b=1.8),
    Sigmoid(),
    Sigmoid(slope=20, center=0.4),
    Rank(),
]
scores = st.lists(st.floats(0, 1), max_size=20).map(lambda s: sorted(s, reverse=True))
logits = st.lists(st.floats(-1e6, 1e6), max_size=20).map(lambda s: sorted(s, reverse=True))


@given(scores, st.sampled_from(PLAIN))
def test_ranking_is_kept_and_scores_stay_in_bounds(score, calibration):
    hits = Hits(range(len(score)), score, {"bm25": np.arange(len(score))}, scorer="tiny")
    found = calibration.apply(hits)
    assert found.chunk.tolist() == hits.chunk.tolist()
    assert (np.diff(found.score) <= 1e-15).all()
    assert found.scorer == hits.scorer
    assert found.features.keys() == {"bm25"}
    assert np.array_equal(found.features["bm25"], hits.features["bm25"])
    assert calibration.values(score).tolist() == found.score.tolist()


@given(logits, st.sampled_from([MinMax(), Sigmoid(), Sigmoid(slope=1e300), Rank()]))
def test_logits_end_in_bounds_in_their_order(score, calibration):
    found = Hits(range(len(score)), calibration.values(score)).score
    assert (np.diff(found) <= 1e-15).all()


@pytest.mark.parametrize("calibration", PLAIN)
@pytest.mark.parametrize("score", [[], [0.3], [0.3, 0.3, 0.3], [0, 0], [1], [0.9, 0.5, 0.5, 0]])
def test_equal_scores_stay_equal_and_nothing_is_fitted(calibration, score):
    found = apply(calibration, score)
    assert len(found) == len(score)
    for first, second in zip(range(len(score)), range(1, len(score)), strict=False):
        assert score[first] != score[second] or found[first] == found[second]
    assert calibration.fit([]) is calibration


def apply(calibration, score):
    return calibration.apply(Hits(range(len(score)), score)).score.tolist()


def test_minmax():
    assert apply(MinMax(), [0.7, 0.45, 0.2]) == pytest.approx([1, 0.5, 0])
    assert apply(MinMax(), [0.3]) == [1]
    assert apply(MinMax(), [0.3, 0.3]) == [1, 1]
    assert apply(MinMax(), []) == []
    assert MinMax().values([6, -4, 1]).tolist() == [1, 0, 0.5]


def test_max():
    assert apply(Max(), [0.8, 0.2]) == [1, 0.25]
    assert apply(Max(), [0, 0]) == [0, 0]
    assert apply(Max(), []) == []
    with pytest.raises(ValueError, match="Max takes scores of 0 or more, found -1; use MinMax"):
        Max().values([2, -1])


def test_beta_is_the_cumulative_distribution_of_scipy():
    from scipy.stats import beta

    score = np.linspace(1, 0, 11)
    assert apply(Beta(a=0.5, b=1.8), score) == pytest.approx(beta.cdf(score, 0.5, 1.8))
    with pytest.raises(ValueError, match="a must be a number above 0"):
        Beta(a=0)
    with pytest.raises(ValueError, match=r"scores in \[0, 1\], found -2 to 7"):
        Beta().values([7, -2])


def test_sigmoid():
    assert Sigmoid().values([0, 1000, -1000]).tolist() == [0.5, 1, 0]
    assert Sigmoid(slope=2, center=1).values([3])[0] == pytest.approx(1 / (1 + math.exp(-4)))
    with pytest.raises(ParameterError, match="slope must be a number above 0"):
        Sigmoid(slope=-1)
    with pytest.raises(ParameterError, match="no parameter 'centre'; there are: slope, center"):
        Sigmoid(centre=0.3)


def test_logits_through_a_sigmoid_join_what_raw_logits_would_split():
    layout = Layout([0, 3], [500] * 3)
    with pytest.raises(ValueError, match=r"reranker: scores must lie in \[0, 1\], found -2 to 2"):
        Hits([0, 2, 1], [2.0, 1.9, -2.0], scorer="reranker")
    hits = Hits([0, 2, 1], Sigmoid().values([2.0, 1.9, -2.0]))
    assert RSE().select([hits], layout) == [Segment(0, 3, pytest.approx(1.29, abs=0.005))]


def test_rank():
    assert apply(Rank(), [0.9, 0.1]) == [0.8, 0.8]
    assert apply(Rank(constant=0), [0.9]) == [0]
    with pytest.raises(ParameterError, match=r"constant must be a number in \[0, 1\]"):
        Rank(constant=1.1)


@pytest.mark.parametrize("calibration", PLAIN)
@pytest.mark.parametrize("score", [[math.nan], [math.inf], [[0.5]], 0.5])
def test_bare_numbers_must_be_a_list_of_finite_ones(calibration, score):
    with pytest.raises(ValueError, match="takes a list of finite scores"):
        calibration.values(score)

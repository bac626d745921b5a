"""Calibrations keep the ranking and end in [0, 1]; their edge values are fixed by DESIGN."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rse import Hits
from rse.calibration import Beta, Max, MinMax, Raw

scores = st.lists(st.floats(0, 1), max_size=20).map(lambda s: sorted(s, reverse=True))


@given(scores, st.sampled_from([Raw(), MinMax(), Max(), Beta(), Beta(a=0.5, b=1.8)]))
def test_ranking_is_kept_and_scores_stay_in_bounds(score, calibration):
    found = calibration.apply(Hits(range(len(score)), score)).score
    assert len(found) == len(score)
    assert (np.diff(found) <= 1e-15).all()


def apply(calibration, score):
    return calibration.apply(Hits(range(len(score)), score)).score.tolist()


def test_minmax():
    assert apply(MinMax(), [0.7, 0.45, 0.2]) == pytest.approx([1, 0.5, 0])
    assert apply(MinMax(), [0.3]) == [1]
    assert apply(MinMax(), [0.3, 0.3]) == [1, 1]
    assert apply(MinMax(), []) == []


def test_max():
    assert apply(Max(), [0.8, 0.2]) == [1, 0.25]
    assert apply(Max(), [0, 0]) == [0, 0]
    assert apply(Max(), []) == []


def test_beta_is_the_cumulative_distribution_of_scipy():
    from scipy.stats import beta

    score = np.linspace(1, 0, 11)
    assert apply(Beta(a=0.5, b=1.8), score) == pytest.approx(beta.cdf(score, 0.5, 1.8))
    with pytest.raises(ValueError, match="a must be a number above 0"):
        Beta(a=0)

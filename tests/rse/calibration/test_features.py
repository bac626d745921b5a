"""What fitted calibrations see, by hand, and what they say when it is not there."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rse import Hits, Layout, ParameterError
from rse.calibration import Share
from rse.calibration.features import FEATURES, feature_rows


def test_by_hand():
    layout = Layout([0, 3], [500] * 3, tokens=[0, 120, 240])
    near = np.array([[0.9, 0.2, 0.4, 0.9], [math.nan] * 4])
    hits = Hits([2, 0], [0.9, 0.5], {"bm25": np.array([7.0, 0.0]), "neighbours": near})
    rows = dict(zip(FEATURES, feature_rows(hits, layout, FEATURES).tolist(), strict=True))
    assert rows["score"] == [0.9, 0.5]
    assert rows["rank"] == pytest.approx([0, math.log(2)])
    assert rows["tokens"] == pytest.approx([math.log(2), math.log(1 / 120)])
    assert rows["bm25"] == [7, 0]
    assert rows["neighbours"] == pytest.approx([0.6, 0.5])
    assert feature_rows(Hits([], []), layout, ("score", "tokens")).shape == (2, 0)


@pytest.mark.parametrize(
    ("name", "features", "message"),
    [
        ("tokens", {}, "needs a layout that counts tokens"),
        ("bm25", {}, r"no features\['bm25'\]; they have: none"),
        ("bm25", {"bm25": [math.nan]}, r"features\['bm25'\] must hold one finite number"),
        ("bm25", {"bm25": [[1.0]]}, "one finite number for each hit"),
        ("neighbours", {"bm25": [1.0]}, r"no features\['neighbours'\]; they have: bm25"),
        ("neighbours", {"neighbours": [[0.1, 0.2]]}, "4 columns or more"),
    ],
)
@pytest.mark.parametrize("layout", [None, Layout([0, 1], [500])])
def test_says_what_is_missing(name, features, message, layout):
    with pytest.raises(ValueError, match=message):
        feature_rows(Hits([0], [0.5], features), layout, (name,))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("bm52",), "no feature 'bm52'; there are: score, rank, tokens, bm25, neighbours"),
        ((), "features must be a tuple of some of: score"),
        ("score", "got 'score'"),
        (("score", "score"), "each feature once"),
    ],
)
def test_names_are_checked(names, message):
    with pytest.raises(ParameterError, match=message):
        Share(features=names)

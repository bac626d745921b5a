"""Holm's correction: by hand, by a loop that follows its definition, and what must always hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.stats.holm import holm

SHARES = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.05, 1.0, float("nan")]))
FAMILY = st.lists(SHARES, max_size=25)


def rejected(family, level):
    """Step down as Holm does: the smallest against level / m, the next against level / (m - 1)."""
    known = sorted((p, place) for place, p in enumerate(family) if not np.isnan(p))
    found = set()
    for step, (p, place) in enumerate(known):
        if p * (len(known) - step) > level:
            break
        found.add(place)
    return found


@pytest.mark.parametrize(
    ("family", "corrected"),
    [
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.05], [0.05]),
        ([0.6, 0.7], [1, 1]),
        ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
        ([0.0, 1.0], [0, 1]),
        ([np.nan, 0.04, np.nan, 0.01], [np.nan, 0.04, np.nan, 0.02]),
        ([np.nan], [np.nan]),
        ([], []),
    ],
)
def test_by_hand(family, corrected):
    assert holm(family).tolist() == pytest.approx(corrected, nan_ok=True)


@given(FAMILY, st.floats(0.001, 0.999))
def test_rejects_what_stepping_down_rejects(family, level):
    assert set(np.flatnonzero(holm(family) <= level).tolist()) == rejected(family, level)


@given(FAMILY)
def test_what_must_hold(family):
    found, given = holm(family), np.array(family)
    known = ~np.isnan(given)
    assert (np.isnan(found) == ~known).all()
    assert (found[known] >= given[known]).all()
    assert (found[known] <= np.minimum(1, known.sum() * given[known])).all()
    order = np.argsort(given[known], kind="stable")
    assert (np.diff(found[known][order]) >= 0).all()


@given(FAMILY, st.randoms())
def test_order_does_not_matter(family, random):
    order = list(range(len(family)))
    random.shuffle(order)
    mixed = holm([family[place] for place in order])
    np.testing.assert_array_equal(mixed, holm(family)[order])


@pytest.mark.parametrize("wrong", [-0.01, 1.01, np.inf])
def test_no_p_outside_0_and_1(wrong):
    with pytest.raises(ValueError, match=r"p must lie in \[0, 1\]"):
        holm([0.5, wrong, np.nan])

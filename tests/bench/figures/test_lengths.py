from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from bench.figures.lengths import DOCUMENTED, LOOSE, MadeUp, at_penalties, measure
from bench.figures.real import real
from rse import RSE, Hits, Layout

LAYOUT = Layout([0, 6, 8], [700] * 8)


def test_the_mean_is_over_segments_and_empty_answers_are_counted():
    long = [Hits([1, 2, 4], [1, 0.9, 0.9])]
    two = [Hits([0, 7], [1, 1])]
    none = [Hits([3], [0.3])]
    asked = [(hits, LAYOUT) for hits in (long, two, none)]
    (row,) = measure("real", "x", asked, [RSE(irrelevant_chunk_penalty=0.2)])
    assert row.segments == 3
    assert row.mean_chunks == pytest.approx((4 + 1 + 1) / 3, abs=0.005)
    assert (row.questions, row.empty) == (3, 1)
    assert (row.documented_low, row.documented_high, row.within) == (4, 10, False)


def test_nothing_returned_has_no_mean():
    (row,) = measure(
        "real", "x", [([Hits([3], [0.1])], LAYOUT)], [RSE(irrelevant_chunk_penalty=0.2)]
    )
    assert isnan(row.mean_chunks)
    assert not row.within


def test_there_is_a_row_for_each_documented_penalty():
    made = MadeUp(chunks=40, hits=20, documents=3)
    rows = measure("holds", "x", made.draw(), at_penalties(LOOSE))
    assert [row.penalty for row in rows] == list(DOCUMENTED)
    assert rows == measure("holds", "x", made.draw(), at_penalties(LOOSE))


@pytest.mark.parametrize("scores", ["high", "uniform", "cosine"])
def test_made_up_hits_are_distinct_and_ranked(scores):
    for (hits,), layout in MadeUp(chunks=30, hits=20, documents=4, scores=scores).draw():
        assert len(hits) == len(set(hits.chunk.tolist())) == 20
        assert (np.diff(hits.score) < 0).all()
        assert len(layout) == 30


def test_made_up_relevance_drifts_as_told():
    relevance = MadeUp(chunks=400, documents=50, correlation=0.9)._relevance()
    assert np.corrcoef(relevance[:, :-1].ravel(), relevance[:, 1:].ravel())[0, 1] == pytest.approx(
        0.9, abs=0.02
    )
    assert relevance.std() == pytest.approx(1, abs=0.1)


def test_longer_segments_at_lower_penalties():
    rows = measure("holds", "x", MadeUp(documents=20).draw(), at_penalties(LOOSE))
    assert sorted(rows, key=lambda row: -row.mean_chunks) == rows


def test_every_preset_is_measured_on_raw_and_on_calibrated_scores():
    rows = real(LAYOUT, [Hits([1, 2, 4], [0.6, 0.5, 0.4]), Hits([7, 6], [0.5, 0.3])])
    curves = list(dict.fromkeys(row.curve for row in rows))
    assert len(rows) == len(curves) * len(DOCUMENTED)
    assert curves == [
        f"{preset} / {scores}"
        for scores in ("raw cosine", "min-max")
        for preset in ("balanced", "precision", "find_all")
    ]

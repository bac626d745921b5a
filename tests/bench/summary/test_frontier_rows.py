"""Whole curves: top-k, arms that differ in a knob, the oracle."""

from __future__ import annotations

import doctest
from math import isnan, nan

import numpy as np
import pytest

from bench.summary import frontiers as module
from bench.summary.frontiers import ORACLE, TOPK, frontier_rows
from bench.summary.resampling import Resampling
from bench.types import Context, Record

N = 24
RESAMPLING = Resampling({"data": {f"q{i}": i for i in range(N)}}, 0)


def records(arm, tokens, recall, n=N):
    return [
        Record(
            "data", f"{arm} / c / r", f"q{i}", Context((), tokens), (), 0, {}, {"recall": recall}
        )
        for i in range(n)
    ]


def kept(recall=(0.0, 0.5, 0.5), n=N):
    """Top-k spends 1,000 tokens a chunk; the oracle has all gold in 100."""
    return [
        {
            **{"dataset": "data", "family": "c / r", "question": f"q{i}"},
            **{"tokens": [0, 1000, 2000], "recall": list(recall)},
            **{"oracle_steps": [0, 100], "oracle_tokens": [0, 100], "oracle_recall": [0.0, 1.0]},
        }
        for i in range(n)
    ]


def by_curve(rows):
    return {row["curve"]: row for row in rows}


def test_examples():
    assert doctest.testmod(module).failed == 0


def test_areas_by_hand():
    arms = [
        *records("priced[token_price=0.1] / share", 500, 0.5),
        *records("priced[token_price=0.01] / share", 1000, 1.0),
        *records("rse / none", 900, 0.9),
    ]
    found = by_curve(frontier_rows(arms, kept(), RESAMPLING))
    assert list(found) == [TOPK, "priced[token_price=*] / share", ORACLE]
    topk = (1000 * 0.25 + 3000 * 0.5) / 4000
    assert found[TOPK]["area_4000"] == pytest.approx(topk)
    priced = (1000 * 0.5 + 3000) / 4000
    row = found["priced[token_price=*] / share"]
    assert row["area_4000"] == pytest.approx(priced)
    assert row["area_margin"] == pytest.approx(priced - topk)
    assert row["oracle_share"] == pytest.approx(priced / found[ORACLE]["area_4000"])
    assert found[ORACLE]["area_4000"] == pytest.approx(1 - 50 / 4000, abs=0.002)
    assert found[ORACLE]["oracle_share"] == 1


def test_recall_at_mean_tokens_is_that_of_the_range():
    arms = [
        *records("rse[irrelevant_chunk_penalty=0.2] / none", 500, 0.5),
        *records("rse[irrelevant_chunk_penalty=0.1] / none", 1500, 1.0),
    ]
    found = by_curve(frontier_rows(arms, kept(), RESAMPLING))
    row = found["rse[irrelevant_chunk_penalty=*] / none"]
    values = [row[f"recall_at_mean_tokens_{budget}"] for budget in (250, 500, 1000, 2000)]
    assert values[1:3] == pytest.approx([0.5, 0.75])
    assert isnan(values[0])
    assert isnan(values[3])
    assert found[ORACLE]["recall_at_mean_tokens_2000"] == pytest.approx(1)


def test_one_setting_is_no_curve_and_other_parameters_part_curves():
    arms = [
        *records("priced[token_price=0.1] / share", 500, 0.5),
        *records("priced[token_price=0.01,segment_tokens=160] / share", 1000, 1.0),
    ]
    assert list(by_curve(frontier_rows(arms, kept(), RESAMPLING))) == [TOPK, ORACLE]


def test_questions_without_gold_are_counted_and_left_out():
    curves = kept()
    curves[0] |= {"recall": [None] * 3, "oracle_steps": [0], "oracle_tokens": [0]}
    curves[0] |= {"oracle_recall": [None]}
    row = by_curve(frontier_rows(records("rse / none", 9, nan), curves, RESAMPLING))[TOPK]
    assert (row["questions"], row["undefined"]) == (N, 1)
    assert row["area_4000"] == pytest.approx((250 + 1500) / 4000)


def test_the_interval_is_paired():
    rng = np.random.default_rng(0)
    level = rng.random(N)
    curves = [row | {"recall": [0.0, x, x]} for row, x in zip(kept(), level.tolist(), strict=True)]
    arms = [
        Record(
            "data", f"mmr[k={k}] / none / c / r", f"q{i}", Context((), t), (), 0, {}, {"recall": x}
        )
        for k, t in ((1, 1000), (2, 2000))
        for i, x in enumerate(level.tolist())
    ]
    row = by_curve(frontier_rows(arms, curves, RESAMPLING))["mmr[k=*] / none"]
    assert row["high_area_4000"] - row["low_area_4000"] > 0.05
    assert (row["low_area_margin"], row["high_area_margin"]) == pytest.approx((0, 0), abs=1e-12)

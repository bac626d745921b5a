"""Percentiles of stages: shared ones once, arms' own each, with intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bench.summary.latency import STAGES, latency_columns, latency_rows, milliseconds
from bench.summary.resampling import Resampling
from bench.types import Context, Record

RNG = np.random.default_rng(5)


def record(arm, number, **seconds):
    times = dict.fromkeys(STAGES, (0.0, 0.0, 0.0)) | seconds
    name = f"{arm} / none / c / r"
    return Record("data", name, f"q{number}", Context((), 0), (), 0, times, {})


def clusters(n):
    return Resampling({"data": {f"q{i}": i for i in range(n)}}, 0)


def test_one_slow_call_in_sixty_shows_in_the_tail_only():
    records = [record("topk", i, search=(0.005, 0.005, 0.005)) for i in range(20)]
    records[3] = record("topk", 3, search=(0.005, 0.2, 0.005))
    row = latency_columns(records)
    assert (row["p50_search_ms"], row["p95_search_ms"], row["p99_search_ms"]) == (5, 5, 200)
    assert row["p50_total_ms"] == 5


def test_all_repetitions_count():
    times = RNG.random((10, 3))
    records = [record("topk", i, select=tuple(row)) for i, row in enumerate(times.tolist())]
    row = latency_columns(records)
    for percent in (50, 95, 99):
        expected = np.percentile(1000 * times, percent, method="inverted_cdf")
        assert row[f"p{percent}_select_ms"] == pytest.approx(expected, abs=1e-4)
    assert milliseconds(records, "select").shape == (10, 3)


def test_the_total_is_that_of_each_repetition():
    one = record("topk", 0, search=(0.001, 0.01, 0.001), select=(0.01, 0.001, 0.001))
    assert milliseconds([one], "total")[0].tolist() == pytest.approx([11, 11, 2])


def test_stages_that_are_shared_stand_once():
    records = [record(arm, i, embed=(0.1,) * 3) for arm in ("topk", "rse") for i in range(4)]
    rows = latency_rows(records, clusters(4))
    shared = [row["stage"] for row in rows if row["arm"] == "(all)"]
    assert shared == ["queries", "embed", "search", "rerank"]
    own = [(row["arm"], row["stage"]) for row in rows if row["arm"] != "(all)"]
    assert own == [
        (f"{arm} / none", stage)
        for arm in ("topk", "rse")
        for stage in ("select", "render", "total")
    ]
    assert {(row["questions"], row["timings"]) for row in rows} == {(4, 12)}


def test_intervals_hold_the_percentile_and_are_those_of_a_plain_bootstrap():
    times = RNG.exponential(1, (60, 3)) / 1000
    records = [record("topk", i, select=tuple(row)) for i, row in enumerate(times.tolist())]
    resampling = clusters(60)
    row = next(r for r in latency_rows(records, resampling) if r["stage"] == "select")
    weight = resampling.draws("data", [r.question for r in records]).weight[:500].astype(int)
    drawn = [
        np.percentile(np.repeat(1000 * times, w, axis=0), 95, method="inverted_cdf") for w in weight
    ]
    low, high = np.percentile(drawn, [2.5, 97.5])
    assert (row["low_p95_ms"], row["high_p95_ms"]) == pytest.approx((low, high))
    assert row["low_p50_ms"] < row["p50_ms"] < row["high_p50_ms"]


def test_times_nobody_took_are_undefined():
    nothing = Record("data", "topk / none / c / r", "q0", Context((), 0), (), 0, {}, {})
    assert math.isnan(latency_columns([nothing])["p50_select_ms"])
    rows = latency_rows([nothing], clusters(1))
    assert all(math.isnan(row["p99_ms"]) and row["timings"] == 0 for row in rows)

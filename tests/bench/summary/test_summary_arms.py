"""One row per arm: costs and recall are means over the same questions."""

from __future__ import annotations

from dataclasses import replace
from math import isnan, nan

import numpy as np
import pytest

from bench.costs.prices import Price, Prices
from bench.metrics.spans import NAMES
from bench.metrics.tokens import BUDGETS
from bench.summary.arms import added_columns, summarise
from bench.summary.curves import mean_curve
from bench.summary.latency import STAGES
from bench.summary.resampling import Resampling
from bench.types import Context, Record, Span


def record(question, recall, tokens, spans=1, failed=False):
    metrics = dict.fromkeys([*NAMES, *(f"recall_at_{b}" for b in BUDGETS), "ceiling"], recall)
    found = tuple(Span("d", place, place + 1) for place in range(spans))
    seconds = dict.fromkeys(STAGES, (0.001,))
    return Record(
        *("data", "topk / none / c / minilm", question, Context(found, tokens), (0.5,) * spans),
        *(tokens + 9, seconds, metrics, failed),
    )


def row(*records):
    """Summarise with top-k's curve through (0, 0) and (200, 1) for each question."""
    curves = [
        {
            **{"dataset": "data", "family": "c / minilm", "question": one.question},
            "tokens": [0, 200],
            "recall": [None, None] if isnan(one.metrics["recall"]) else [0.0, 1.0],
        }
        for one in records
    ]
    cluster = {"data": {one.question: place for place, one in enumerate(records)}}
    (found,) = summarise(records, curves, Resampling(cluster, 0))
    return found, mean_curve(curves, "data", "c / minilm")


ASKED = [record("a", 0.5, 50), record("b", 1.0, 150, spans=3), record("c", 0.0, 10, spans=0)]
UNANSWERABLE = [record("x", nan, 900, spans=2), record("y", nan, 0, spans=0)]


def test_costs_are_those_of_the_questions_with_gold():
    found, _ = row(*ASKED, *UNANSWERABLE)
    assert (found["questions"], found["undefined"]) == (5, 2)
    assert found["mean_recall"] == pytest.approx(0.5)
    assert found["mean_tokens"] == pytest.approx(70)
    assert found["mean_prompt_tokens"] == pytest.approx(79)
    assert found["p95_tokens"] == pytest.approx(np.percentile([50, 150, 10], 95))
    assert found["empty_rate"] == pytest.approx(1 / 3)
    assert found["mean_segments"] == pytest.approx(4 / 3)
    assert found["mean_tokens_without_gold"] == 450
    assert found["empty_rate_without_gold"] == 0.5


def test_unanswerable_questions_change_nothing_else():
    alone, with_others = row(*ASKED)[0], row(*ASKED, *UNANSWERABLE)[0]
    for name in ("mean_tokens", "p95_tokens", "empty_rate", "mean_segments", "margin"):
        assert with_others[name] == pytest.approx(alone[name]), name
    assert isnan(alone["mean_tokens_without_gold"])


def test_table_curve_and_margin_agree():
    found, (tokens, recall) = row(*ASKED, *UNANSWERABLE)
    at = float(np.interp(found["mean_tokens"], tokens, recall))
    assert found["margin"] == pytest.approx(found["mean_recall"] - at)


def kept(*records):
    """Top-k through (0, 0) and (200, 1); the oracle has half in 40 tokens, all in 80."""
    return [
        {
            **{"dataset": "data", "family": "c / minilm", "question": one.question},
            **{"tokens": [0, 200], "recall": [0.0, 1.0], "queries": ["a", "b"]},
            **{"oracle_steps": [0, 40, 80], "oracle_tokens": [0, 40, 80]},
            "oracle_recall": [0.0, 0.5, 1.0],
            **{"query_tokens": 12, "rerank_tokens": []},
        }
        for one in records
    ]


def test_share_of_the_oracle_at_the_same_mean_tokens():
    resampling = Resampling({"data": {one.question: i for i, one in enumerate(ASKED)}}, 0)
    (found,) = summarise(ASKED, kept(*ASKED), resampling)
    assert found["mean_tokens"] == pytest.approx(70)
    assert found["oracle_share"] == pytest.approx(0.5 / (0.5 + 0.5 * 30 / 40), rel=0.01)
    assert found["low_oracle_share"] < found["oracle_share"] < found["high_oracle_share"]


def test_dollars_are_those_of_the_prompt():
    resampling = Resampling({"data": {one.question: i for i, one in enumerate(ASKED)}}, 0)
    prices = Prices(reader="mine", models={"mine": Price(input=2.0)})
    (found,) = summarise(ASKED, kept(*ASKED), resampling, prices)
    assert found["dollars"] == found["dollars_reading"] == pytest.approx(1000 * 79 * 2 / 1e6)
    assert isnan(row(*ASKED)[0]["oracle_share"])


def test_metrics_of_somebody_elses_have_columns():
    some = [replace(one, metrics={**one.metrics, "longest": n}) for n, one in enumerate(ASKED)]
    found, _ = row(*some)
    assert (found["mean_longest"], added_columns(found)) == (1, ["longest"])
    assert added_columns(row(*ASKED)[0]) == []


def test_without_any_gold_costs_are_those_of_all():
    found, _ = row(*UNANSWERABLE)
    assert (found["questions"], found["undefined"]) == (2, 2)
    assert isnan(found["mean_recall"])
    assert (found["mean_tokens"], found["p95_tokens"], found["empty_rate"]) == (450, 855, 0.5)


def test_a_failure_is_no_empty_answer():
    found, _ = row(*ASKED, record("z", 0.0, 0, spans=0, failed=True))
    assert (found["empty_rate"], found["failed"]) == (0.25, 1)
    assert found["mean_recall"] == pytest.approx(1.5 / 4)


def pictures(one, count):
    return replace(one, metrics={**one.metrics, "images": count})


def test_images_are_counted_where_some_are_shown():
    shown = [pictures(one, count) for one, count in zip(ASKED, (3, 0, 1), strict=True)]
    found, _ = row(*shown, *(pictures(one, 9) for one in UNANSWERABLE))
    assert found["mean_images"] == pytest.approx(4 / 3)
    assert row(*(pictures(one, 9) for one in UNANSWERABLE))[0]["mean_images"] == 9


def test_no_column_of_images_where_none_are_shown():
    assert "mean_images" not in row(*ASKED)[0]
    assert "mean_images" not in row(*(pictures(one, 0) for one in ASKED))[0]


def test_every_row_has_the_same_columns():
    none = replace(pictures(ASKED[0], 0), arm="rse / none / c / minilm")
    rows = summarise([pictures(ASKED[0], 2), none], [], Resampling({"data": {"a": 0}}, 0))
    assert [r["mean_images"] for r in rows] == [2, 0]
    assert list(rows[0]) == list(rows[1])

"""500 questions x 200 arms: all intervals, tests and curves in seconds."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

from bench.summary.arms import MEANS, summarise
from bench.summary.comparisons import comparisons
from bench.summary.frontiers import frontier_rows
from bench.summary.resampling import Resampling
from bench.types import Context, Record

QUESTIONS, ARMS = 500, 200


def made():
    rng = np.random.default_rng(0)
    for arm in range(ARMS):
        name = f"rse[irrelevant_chunk_penalty={0.001 * (arm + 1):g}] / none / c / minilm"
        values = rng.random((QUESTIONS, len(MEANS))).tolist()
        tokens = rng.integers(100, 3000, QUESTIONS).tolist()
        for number, (row, spent) in enumerate(zip(values, tokens, strict=True)):
            metrics = dict(zip(MEANS, row, strict=True))
            context = Context((), spent)
            yield Record("data", name, f"q{number}", context, (), 9, {}, metrics)


def kept(number):
    return {
        **{"dataset": "data", "family": "c / minilm", "question": f"q{number}", "queries": ["?"]},
        **{"tokens": list(range(0, 20_100, 100)), "recall": np.linspace(0, 1, 201).tolist()},
        **{"oracle_steps": [0, 100, 200], "oracle_tokens": [0, 100, 200]},
        "oracle_recall": [0.0, 0.5, 1.0],
        **{"query_tokens": 9, "rerank_tokens": []},
    }


@pytest.mark.outside
def test_the_bootstrap_of_a_large_table():
    records = list(made())
    curves = [kept(number) for number in range(QUESTIONS)]
    resampling = Resampling({"data": {f"q{number}": number for number in range(QUESTIONS)}}, 0)
    began = perf_counter()
    rows = summarise(records, curves, resampling)
    compared = comparisons(records, resampling)
    curve = frontier_rows(records, curves, resampling)
    assert perf_counter() - began < 10
    assert (len(rows), len(curve)) == (ARMS, 3)
    assert len(compared) == 4 * (ARMS - 1)
    assert all(row["low_recall"] < row["mean_recall"] < row["high_recall"] for row in rows)

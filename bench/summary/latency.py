"""How long answers take: warm times of each stage, with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from bench.stats.bootstrap import percentiles
from bench.summary.resampling import Resampling
from bench.summary.row import Row
from bench.types import Record

STAGES = ("queries", "embed", "search", "rerank", "select", "render")
"""What an answer's time is made of, in order."""
OWN = ("select", "render")
"""Stages of an arm itself; the others are shared by all arms of a family."""
PERCENTS = (50, 95, 99)
RESAMPLES = 500
"""Of the intervals of percentiles: each costs a sum over all timings."""
EVERY_ARM = "(all)"


def milliseconds(group: Sequence[Record], stage: str) -> NDArray[np.float64]:
    """Return what a stage, or the `total` of all, took each time; shape (questions, repetitions).

    Where questions were repeated differently often, times are missing at the end: nan.
    """
    if stage == "total":
        rows = [
            [1000 * sum(times) for times in zip(*record.seconds.values(), strict=True)]
            for record in group
        ]
    else:
        rows = [[1000 * time for time in record.seconds.get(stage, ())] for record in group]
    longest = max((len(row) for row in rows), default=0)
    return np.array([row + [np.nan] * (longest - len(row)) for row in rows], float)


def latency_columns(group: Sequence[Record]) -> Row:
    """Return percentiles of each stage and of their total, over all questions and repetitions."""
    row: Row = {}
    for stage in (*STAGES, "total"):
        times = milliseconds(group, stage)
        known = times[~np.isnan(times)]
        for percent in PERCENTS:
            value = _percentile(known, percent)
            row[f"p{percent}_{stage}_ms"] = round(value, 4)
    return row


def latency_rows(records: Sequence[Record], resampling: Resampling) -> list[Row]:
    """Return percentiles with 95 % intervals: each family's shared stages, each arm's own.

    Args:
        records: All records of a run.
        resampling: Draws of the questions, which are drawn with all their repetitions.
    """
    rows: list[Row] = []
    families: set[tuple[str, str]] = set()
    for (dataset, arm), group in grouped(records).items():
        drawn = resampling.draws(dataset, [record.question for record in group])
        weight = drawn.weight[:RESAMPLES]
        strategy, scores, family = arm.split(" / ", maxsplit=2)
        named = {"dataset": dataset, "family": family}
        if (dataset, family) not in families:
            families.add((dataset, family))
            shared = [stage for stage in STAGES if stage not in OWN]
            rows += [named | {"arm": EVERY_ARM} | one for one in _stages(group, shared, weight)]
        short = {"arm": f"{strategy} / {scores}"}
        rows += [named | short | one for one in _stages(group, [*OWN, "total"], weight)]
    return rows


def grouped(records: Sequence[Record]) -> dict[tuple[str, str], list[Record]]:
    """Group records by dataset and arm, in the order they come in."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        groups.setdefault((record.dataset, record.arm), []).append(record)
    return groups


def _percentile(known: NDArray[np.float64], percent: float) -> float:
    """Return the least time that so many percent do not exceed: one that was measured."""
    return float(np.percentile(known, percent, method="inverted_cdf")) if len(known) else np.nan


def _stages(
    group: Sequence[Record], stages: Sequence[str], weight: NDArray[np.float64]
) -> Iterator[Row]:
    for stage in stages:
        times = milliseconds(group, stage)
        known = times[~np.isnan(times)]
        row: Row = {"stage": stage, "questions": len(group), "timings": len(known)}
        intervals = _intervals(times, weight)
        for percent, (low, high) in zip(PERCENTS, intervals, strict=True):
            value = _percentile(known, percent)
            row[f"p{percent}_ms"] = value
            row |= {f"low_p{percent}_ms": low, f"high_p{percent}_ms": high}
        yield row


def _intervals(
    times: NDArray[np.float64], weight: NDArray[np.float64]
) -> list[tuple[float, float]]:
    """Return the interval of each percentile, drawing questions with all their timings."""
    question = np.repeat(np.arange(len(times)), times.shape[1] if times.ndim == 2 else 0)
    flat = times.ravel()
    order = np.argsort(flat, kind="stable")
    order = order[~np.isnan(flat[order])]
    if not len(order):
        return [(np.nan, np.nan)] * len(PERCENTS)
    reached = np.cumsum(weight[:, question[order]], axis=1)
    whole = reached[:, -1:]
    found = []
    for percent in PERCENTS:
        place = (reached >= whole * percent / 100).argmax(axis=1)
        drawn = np.where(whole[:, 0] > 0, flat[order][place], np.nan)
        found.append(percentiles(drawn))
    return found

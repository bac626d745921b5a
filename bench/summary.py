"""From records to one row per dataset and arm: means with intervals, costs, latencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.metrics.spans import NAMES
from bench.metrics.tokens import BUDGETS
from bench.stats.bootstrap import Draws, Interval
from bench.stats.margin import Frontier
from bench.stats.paired import renumbered
from bench.types import Record

MEANS = (*NAMES, "tokens", "prompt_tokens", *(f"recall_at_{budget}" for budget in BUDGETS))
STAGES = ("queries", "embed", "search", "rerank", "select", "render")

Row = dict[str, Any]


def summarise(
    records: Sequence[Record],
    curves: Sequence[Mapping[str, Any]],
    cluster: Mapping[str, Mapping[str, int]],
    seed: int,
) -> list[Row]:
    """Return one row per dataset and arm, in the order the records come in.

    Args:
        records: All records of a run.
        curves: Top-k's curve of each question and family (chunker / retriever).
        cluster: Cluster of each question, by dataset.
        seed: Seed of the bootstrap.
    """
    rows = []
    pictured = any(record.metrics.get("images") for record in records)
    draws: dict[tuple[str, ...], Draws] = {}
    frontiers: dict[tuple[str, ...], Frontier | None] = {}
    for (dataset, arm), group in _grouped(records).items():
        names = tuple(record.question for record in group)
        if (dataset, *names) not in draws:
            numbers = renumbered([cluster[dataset][name] for name in names])
            draws[dataset, *names] = Draws(numbers, seed)
        drawn = draws[dataset, *names]
        family = " / ".join(arm.split(" / ")[2:])
        if (family, dataset, *names) not in frontiers:
            curve = _curve(curves, dataset, family, names)
            frontiers[family, dataset, *names] = Frontier(*curve, drawn) if curve else None
        row = _row(dataset, arm, group, drawn) | (_images(group) if pictured else {})
        rows.append(row | _margin(group, frontiers[family, dataset, *names]))
    return rows


def _row(dataset: str, arm: str, group: Sequence[Record], draws: Draws) -> Row:
    row: Row = dict(
        zip(("strategy", "scores", "chunker", "retriever"), arm.split(" / "), strict=True)
    )
    row = {"dataset": dataset, "arm": arm, **row, "questions": len(group)}
    row["resampled_by"] = "cluster" if draws.by_cluster else "question"
    asked = ~np.isnan(_values(group, "recall"))
    row["undefined"] = int((~asked).sum())
    for name in MEANS:
        row |= _named(name, draws.interval(_comparable(_values(group, name), asked)))
    row["failed"] = sum(record.failed for record in group)
    row |= _costs(group, asked if asked.any() else ~asked)
    row |= _gap(_values(group, "value_gap"), draws)
    row["mean_ceiling"] = draws.interval(_values(group, "ceiling")).value
    return row | _latency(group)


def _comparable(values: NDArray[np.float64], asked: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Leave out what was paid for questions without gold, unless there are no others.

    Recall is a mean over questions with gold, so what it cost must be one, too.
    """
    return np.where(asked, values, np.nan) if asked.any() else values


def _costs(group: Sequence[Record], asked: NDArray[np.bool_]) -> Row:
    """Describe the answers to questions with gold; those to the others apart."""
    tokens = _values(group, "tokens")
    # A failure is counted by itself: it says nothing about when the arm returns nothing.
    empty = np.array([not r.context.spans and not r.failed for r in group], float)
    segments = np.array([len(record.context.spans) for record in group], float)
    return {
        "p95_tokens": _percentile(tokens[asked], 95),
        "empty_rate": _mean(empty[asked]),
        "mean_segments": _mean(segments[asked]),
        "mean_tokens_without_gold": _mean(tokens[~asked]),
        "empty_rate_without_gold": _mean(empty[~asked]),
    }


def _images(group: Sequence[Record]) -> Row:
    """Say how many pictures an answer to a question with gold shows."""
    asked = ~np.isnan(_values(group, "recall"))
    return {"mean_images": _mean(_values(group, "images")[asked if asked.any() else ~asked])}


def _gap(gap: NDArray[np.float64], draws: Draws) -> Row:
    """Say how much of the optimum's value greedy missed, on all questions and at worst."""
    known = gap[~np.isnan(gap)]
    return {
        **_named("value_gap", draws.interval(gap)),
        "max_value_gap": float(known.max()) if len(known) else np.nan,
        "missed_optimum_rate": _mean((known > 0).astype(float)),
    }


def _latency(group: Sequence[Record]) -> Row:
    row: Row = {}
    stages = {
        stage: 1000 * np.array([record.seconds.get(stage, 0.0) for record in group])
        for stage in STAGES
    }
    stages["total"] = np.sum([stages[stage] for stage in STAGES], axis=0)
    for stage, milliseconds in stages.items():
        for percent in (50, 95):
            row[f"p{percent}_{stage}_ms"] = round(_percentile(milliseconds, percent), 4)
    return row


def _margin(group: Sequence[Record], frontier: Frontier | None) -> Row:
    found = Interval(np.nan, np.nan, np.nan)
    if frontier is not None:
        found = frontier.margin(_values(group, "tokens"), _values(group, "recall"))
    return {"margin": found.value, "low_margin": found.low, "high_margin": found.high}


def _curve(
    curves: Sequence[Mapping[str, Any]], dataset: str, family: str, names: Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return tokens and recall of top-k for every k; shape (questions, most hits + 1)."""
    found = {
        row["question"]: row
        for row in curves
        if row["dataset"] == dataset and row["family"] == family
    }
    if any(name not in found for name in names):
        return None
    longest = max(len(found[name]["tokens"]) for name in names)
    # Where the search found fewer, a larger k returns the same.
    tokens = [_padded(found[name]["tokens"], longest) for name in names]
    recall = [_padded(found[name]["recall"], longest) for name in names]
    return np.array(tokens, float), np.array(recall, float)


def mean_curve(
    curves: Sequence[Mapping[str, Any]], dataset: str, family: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return mean tokens and mean recall of top-k for k = 0, 1, 2...; empty where unknown."""
    names = [r["question"] for r in curves if r["dataset"] == dataset and r["family"] == family]
    found = _curve(curves, dataset, family, names) if names else None
    if found is None or np.isnan(found[1]).all():
        return np.empty(0), np.empty(0)
    tokens, recall = found
    defined = ~np.isnan(recall).any(axis=1)
    return tokens[defined].mean(axis=0), recall[defined].mean(axis=0)


def _padded(values: Sequence[float | None], length: int) -> list[float]:
    numbers = [np.nan if value is None else float(value) for value in values]
    return numbers + [numbers[-1]] * (length - len(numbers))


def _values(group: Sequence[Record], name: str) -> NDArray[np.float64]:
    if name == "tokens":
        return np.array([record.context.tokens for record in group], float)
    if name == "prompt_tokens":
        return np.array([record.prompt_tokens for record in group], float)
    return np.array([record.metrics.get(name, np.nan) for record in group], float)


def _named(name: str, interval: Interval) -> Row:
    return {
        f"mean_{name}": interval.value,
        f"low_{name}": interval.low,
        f"high_{name}": interval.high,
    }


def _mean(values: NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else np.nan


def _percentile(values: NDArray[np.float64], percent: float) -> float:
    return float(np.percentile(values, percent)) if len(values) else np.nan


def _grouped(records: Sequence[Record]) -> dict[tuple[str, str], list[Record]]:
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        groups.setdefault((record.dataset, record.arm), []).append(record)
    return groups

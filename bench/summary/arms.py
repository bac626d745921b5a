"""One row per dataset and arm: means with intervals, costs, margins, latencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.costs.dollars import Usage, dollars, usage
from bench.costs.prices import DEFAULT, Prices
from bench.metrics.spans import NAMES
from bench.metrics.tokens import BUDGETS
from bench.stats.bootstrap import Draws, Interval
from bench.stats.frontier import ORACLE_BUDGETS, WholeCurve, share
from bench.stats.margin import Frontier
from bench.stats.traced import mean
from bench.store.records import OWN
from bench.summary.curves import oracle, rows_of, topk
from bench.summary.latency import grouped, latency_columns
from bench.summary.resampling import Resampling
from bench.summary.row import Row
from bench.types import Record

MEANS = (
    *(*NAMES, "precision_omega", "tokens", "prompt_tokens"),
    *(f"recall_at_{budget}" for budget in BUDGETS),
)
APART = ("ceiling", "value_gap", "images")
"""Metrics of records that have columns of their own."""
TAKEN = frozenset({*MEANS, *APART, *OWN, "segments", "tokens_without_gold"})
"""Names that no other metric can have; nor can one begin with `seconds_`."""


def summarise(
    records: Sequence[Record],
    curves: Sequence[Mapping[str, Any]],
    resampling: Resampling,
    prices: Prices = DEFAULT,
) -> list[Row]:
    """Return one row per dataset and arm, in the order the records come in.

    Args:
        records: All records of a run.
        curves: What was kept of each question and family (chunker / retriever).
        resampling: Draws of the questions.
        prices: What tokens cost.
    """
    rows = []
    added = added_metrics(records)
    pictured = any(record.metrics.get("images") for record in records)
    beside: dict[tuple[str, ...], Beside] = {}
    for (dataset, arm), group in grouped(records).items():
        names = tuple(record.question for record in group)
        drawn = resampling.draws(dataset, names)
        family = " / ".join(arm.split(" / ")[2:])
        key = (family, dataset, *names)
        if key not in beside:
            beside[key] = _others(rows_of(curves, dataset, family), names, drawn)
        row = _row(dataset, arm, group, drawn, added) | (_images(group) if pictured else {})
        row |= _beside(group, beside[key], drawn)
        rows.append(row | _dollars(row, beside[key], prices) | latency_columns(group))
    return rows


class Beside(NamedTuple):
    """What all arms of a family are held against on the same questions; None: not known."""

    topk: Frontier | None
    oracle: WholeCurve | None
    usage: Usage


def _others(found: Mapping[str, Mapping[str, Any]], names: Sequence[str], draws: Draws) -> Beside:
    top, best = topk(found, names), oracle(found, names, ORACLE_BUDGETS)
    return Beside(
        Frontier(*top, draws) if top else None,
        WholeCurve(*best, draws) if best else None,
        usage([found.get(name, {}) for name in _with_gold(found, names)]),
    )


def _with_gold(found: Mapping[str, Mapping[str, Any]], names: Sequence[str]) -> Sequence[str]:
    """Return the questions that costs are means over: those with gold, if there are any."""
    asked = [name for name in names if found.get(name, {}).get("recall", [None])[0] is not None]
    return asked or names


def added_metrics(records: Sequence[Record]) -> list[str]:
    """Return the metrics of records that are none of ours, in the order they come in."""
    names = dict.fromkeys(name for record in records for name in record.metrics)
    return [name for name in names if name not in TAKEN]


def added_columns(row: Row) -> list[str]:
    """Return the metrics of a summary's row that are none of ours."""
    means = (name.removeprefix("mean_") for name in row if name.startswith("mean_"))
    return [name for name in means if name not in TAKEN]


def _row(
    dataset: str, arm: str, group: Sequence[Record], draws: Draws, added: Sequence[str]
) -> Row:
    row: Row = dict(
        zip(("strategy", "scores", "chunker", "retriever"), arm.split(" / "), strict=True)
    )
    row = {"dataset": dataset, "arm": arm, **row, "questions": len(group)}
    row["resampled_by"] = "cluster" if draws.by_cluster else "question"
    asked = ~np.isnan(_values(group, "recall"))
    row["undefined"] = int((~asked).sum())
    means = [*MEANS, *added]
    columns = [_comparable(_values(group, name), asked) for name in means]
    intervals = draws.intervals(np.column_stack([*columns, _values(group, "value_gap")]))
    for name, interval in zip(means, intervals, strict=False):
        row |= _named(name, interval)
    row["failed"] = sum(record.failed for record in group)
    row |= _costs(group, asked if asked.any() else ~asked)
    row |= _gap(_values(group, "value_gap"), intervals[-1])
    ceiling = _values(group, "ceiling")
    return row | {"mean_ceiling": _mean(ceiling[~np.isnan(ceiling)])}


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


def _gap(gap: NDArray[np.float64], mean: Interval) -> Row:
    """Say how much of the optimum's value greedy missed, on all questions and at worst."""
    known = gap[~np.isnan(gap)]
    return {
        **_named("value_gap", mean),
        "max_value_gap": float(known.max()) if len(known) else np.nan,
        "missed_optimum_rate": _mean((known > 0).astype(float)),
    }


def _beside(group: Sequence[Record], others: Beside, draws: Draws) -> Row:
    """Hold recall against what top-k and the oracle have at the same mean tokens."""
    tokens, recall = _values(group, "tokens"), _values(group, "recall")
    margin = share_of_it = Interval(np.nan, np.nan, np.nan)
    if all(record.failed for record in group):  # no tokens, no recall: not as good as top-k there
        others = others._replace(topk=None, oracle=None)
    if others.topk is not None:
        margin = others.topk.margin(tokens, recall)
    if others.oracle is not None:
        asked = np.where(np.isnan(recall), np.nan, tokens)
        spent, found = mean(asked, draws), mean(recall, draws)
        share_of_it = share(found, others.oracle.beside(spent))
    return {
        **{"margin": margin.value, "low_margin": margin.low, "high_margin": margin.high},
        "oracle_share": share_of_it.value,
        "low_oracle_share": share_of_it.low,
        "high_oracle_share": share_of_it.high,
    }


def _dollars(row: Row, others: Beside, prices: Prices) -> Row:
    """Say what a thousand answers cost, part by part; what is not known of a part is nan."""
    return dollars(prices, row["retriever"], row["mean_prompt_tokens"], others.usage)


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

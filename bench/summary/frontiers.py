"""Whole curves of recall against tokens: top-k, every family with a knob, and the oracle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from bench.arms import parse
from bench.metrics.tokens import BUDGETS
from bench.stats.bootstrap import Draws, Interval
from bench.stats.frontier import LIMIT, ORACLE_BUDGETS, WholeCurve, share
from bench.stats.traced import difference, interval
from bench.summary.curves import Curves, oracle, rows_of, topk
from bench.summary.latency import grouped
from bench.summary.resampling import Resampling
from bench.summary.row import Row
from bench.types import Record

KNOBS: Mapping[str, str] = {
    "rse": "irrelevant_chunk_penalty",
    "optimal": "irrelevant_chunk_penalty",
    "simple": "irrelevant_chunk_penalty",
    "priced": "token_price",
    "window": "k",
    "parent": "k",
    "merge": "k",
    "mmr": "k",
    "document": "k",
    "random": "k",
}
"""The parameter by which a strategy spends more or fewer tokens."""
TOPK, ORACLE = "topk, every k", "oracle"


def frontier_rows(
    records: Sequence[Record], curves: Sequence[Mapping[str, Any]], resampling: Resampling
) -> list[Row]:
    """Return a row for each dataset, family (chunker / retriever) and curve over its chunks.

    Arms that differ in their strategy's knob alone are one curve, if there are at least two.

    Args:
        records: All records of a run.
        curves: What was kept of each question and family.
        resampling: Draws of the questions.
    """
    rows: list[Row] = []
    for (dataset, family), arms in _families(records).items():
        names = [record.question for record in next(iter(arms.values()))]
        draws = resampling.draws(dataset, names)
        found = _curves(rows_of(curves, dataset, family), names, arms)
        made = {name: (n, WholeCurve(*curve, draws)) for name, (n, curve) in found.items()}
        rows += [
            {"dataset": dataset, "family": family, **row} for row in _rows(made, draws, len(names))
        ]
    return rows


def knob_of(arm: str) -> str | None:
    """Name the curve an arm is a point of, `priced[token_price=*] / share`; None: of none.

    >>> knob_of("priced[token_price=0.0001,segment_tokens=160] / share / c / r")
    'priced[token_price=*,segment_tokens=160] / share'
    >>> knob_of("rse / minmax / c / r"), knob_of("topk[k=3] / none / c / r")
    ('rse[irrelevant_chunk_penalty=*] / minmax', None)
    """
    strategy, scores, *_ = arm.split(" / ")
    name, parameters = parse(strategy)
    if name not in KNOBS:
        return None
    others = [f"{key}={value}" for key, value in parameters.items() if key != KNOBS[name]]
    return f"{name}[{','.join([f'{KNOBS[name]}=*', *others])}] / {scores}"


def _families(records: Sequence[Record]) -> dict[tuple[str, str], dict[str, list[Record]]]:
    found: dict[tuple[str, str], dict[str, list[Record]]] = {}
    for (dataset, arm), group in grouped(records).items():
        found.setdefault((dataset, " / ".join(arm.split(" / ")[2:])), {})[arm] = group
    return found


def _curves(
    kept: Mapping[str, Mapping[str, Any]],
    names: Sequence[str],
    arms: Mapping[str, Sequence[Record]],
) -> dict[str, tuple[int, Curves]]:
    """Return each curve and the number of its settings, by name."""
    found: dict[str, tuple[int, Curves]] = {}
    if every_k := topk(kept, names):
        found[TOPK] = every_k.tokens.shape[1], every_k
    groups: dict[str, list[Sequence[Record]]] = {}
    for arm, group in arms.items():
        name = knob_of(arm)
        if name is not None and [record.question for record in group] == list(names):
            groups.setdefault(name, []).append(group)
    for name, settings in groups.items():
        if len(settings) > 1:
            found[name] = len(settings), _traced(settings)
    if best := oracle(kept, names, ORACLE_BUDGETS):
        found[ORACLE] = len(ORACLE_BUDGETS), best
    return found


def _traced(settings: Sequence[Sequence[Record]]) -> Curves:
    tokens = [[record.context.tokens for record in group] for group in settings]
    recall = [[record.metrics["recall"] for record in group] for group in settings]
    return Curves(np.array(tokens, float).T, np.array(recall, float).T)


def _rows(
    made: Mapping[str, tuple[int, WholeCurve]], draws: Draws, questions: int
) -> Iterator[Row]:
    nothing = Interval(np.nan, np.nan, np.nan)
    bound = made[ORACLE][1].area() if ORACLE in made else None
    base = made[TOPK][1].area() if TOPK in made else None
    for name, (settings, curve) in made.items():
        area = curve.area()
        row: Row = {"curve": name, "settings": settings, "questions": questions}
        row["undefined"] = questions - curve.n
        row["resampled_by"] = "cluster" if draws.by_cluster else "question"
        row |= _named(f"area_{LIMIT}", interval(area))
        row |= _named("area_margin", difference(area, base) if base else nothing)
        row |= _named("oracle_share", share(area, bound) if bound else nothing)
        for budget in BUDGETS:
            # The oracle stops where it has all gold: more tokens buy nothing.
            found = curve.within(budget) if name == ORACLE else curve.spent(budget)
            row |= _named(f"recall_at_mean_tokens_{budget}", interval(found))
        yield row


def _named(name: str, found: Interval) -> Row:
    return {name: found.value, f"low_{name}": found.low, f"high_{name}": found.high}

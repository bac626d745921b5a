"""Ranked metrics of each family: how well chunks, and documents, are found at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bench.metrics.ranked import CUTOFFS
from bench.summary.resampling import Resampling
from bench.summary.row import Row

KINDS = ("chunks", "documents")
JUDGED = {"ranked": "items", "answers": "answers"}
"""How relevance is counted: every item with gold by itself, as TREC's tools do, or by answers."""
NAMES = (
    *(f"{metric}@{k}" for metric in ("recall", "precision", "ndcg") for k in CUTOFFS),
    *("mrr", "map", "set_precision"),
)
"""As `bench.metrics.ranked.ranked` calls them."""


def ranking_rows(curves: Sequence[Mapping[str, Any]], resampling: Resampling) -> list[Row]:
    """Return rows for each dataset and family: chunks and documents, by items and by answers.

    Args:
        curves: What was kept of each question and family.
        resampling: Draws of the questions.
    """
    families: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in curves:
        families.setdefault((row["dataset"], row["family"]), []).append(row)
    return [
        {"dataset": dataset, "family": family} | _row(dataset, (kind, judged), group, resampling)
        for (dataset, family), group in families.items()
        for kind in KINDS
        for judged in JUDGED
    ]


def _row(
    dataset: str,
    which: tuple[str, str],
    group: Sequence[Mapping[str, Any]],
    resampling: Resampling,
) -> Row:
    draws = resampling.draws(dataset, [row["question"] for row in group])
    kind, judged = which
    rows = [row[f"{judged}_{kind}"] for row in group]
    values = np.array([[_number(row[name]) for name in NAMES] for row in rows])
    found: Row = {
        "of": kind,
        "judged_by": JUDGED[judged],
        # precision@k is over as many where there are fewer than k.
        "searched": float(np.mean([row[f"searched_{kind}"] for row in group])),
        "questions": len(group),
        # None of what answers them is searched, or nothing does.
        "undefined": int(np.isnan(values).all(axis=1).sum()),
    }
    for name, interval in zip(NAMES, draws.intervals(values), strict=True):
        found |= {
            f"mean_{name}": interval.value,
            f"low_{name}": interval.low,
            f"high_{name}": interval.high,
        }
    return found


def _number(value: float | None) -> float:
    return np.nan if value is None else float(value)

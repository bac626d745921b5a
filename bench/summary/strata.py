"""The arms of a family by kind of question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from bench.stats.columns import Answers, answers_by_arm, columns
from bench.stats.strata import TAG, Drawing, Figures, Stratum, by_stratum, strata
from bench.summary.baseline import by_baseline, of_family
from bench.summary.resampling import Resampling
from bench.summary.row import Row
from bench.types import Question, Record

MOST = 12
"""A tag with more values than this is a name rather than a kind, and makes no strata."""
MEASURE = "recall"

Strata = Sequence[Mapping[str, Any]]


def to_keep(questions: Sequence[Question]) -> list[dict[str, Any]]:
    """Return the strata of a dataset as its manifest keeps them, with the places of questions.

    What tells no questions apart is left out.
    """
    found: dict[str, list[Stratum]] = {}
    for stratum in strata(questions):
        found.setdefault(stratum.by, []).append(stratum)
    return [
        {"by": by, "name": one.name, "questions": one.members.tolist()}
        for by, group in found.items()
        if len(group) > 1 and not (by.startswith(TAG) and len(group) > MOST)
        for one in group
    ]


def strata_rows(
    records: Sequence[Record], kept: Mapping[str, Strata], resampling: Resampling
) -> list[Row]:
    """Return recall of every arm in every stratum, and how it differs from its family's baseline.

    Args:
        records: All records of a run.
        kept: The strata of each dataset, as `to_keep` returns them.
        resampling: Seed and clusters; each stratum is drawn by itself.
    """
    rows: list[Row] = []
    for dataset, arms in answers_by_arm(records).items():
        found = [
            Stratum(one["by"], one["name"], np.array(one["questions"], np.int64))
            for one in kept.get(dataset, ())
        ]
        if found:
            rows += _dataset(dataset, arms, found, resampling)
    return rows


def _dataset(
    dataset: str, arms: Mapping[str, Answers], found: Sequence[Stratum], resampling: Resampling
) -> Iterator[Row]:
    names = list(next(iter(arms.values())))
    cluster = resampling.numbers(dataset, names)
    values = columns(arms, MEASURE)
    for baseline, others in by_baseline(dataset, list(arms), None).items():
        table = {arm: values[arm] for arm in (baseline, *others)}
        for one in by_stratum(table, baseline, found, cluster, Drawing(resampling.seed)):
            yield {"dataset": dataset, "family": of_family(one.arm), **_row(one, baseline)}


def _row(one: Figures, baseline: str) -> Row:
    compared = one.comparison
    return {
        "by": one.by,
        "stratum": one.stratum,
        "arm": one.arm,
        "measure": MEASURE,
        "n": compared.n,
        "mean": one.mean.value,
        "low": one.mean.low,
        "high": one.mean.high,
        "baseline": baseline,
        "difference": compared.difference.value,
        "low_difference": compared.difference.low,
        "high_difference": compared.difference.high,
        "p": compared.p,
        "p_holm": one.p_holm,
        "verdict": one.verdict,
        "wins": compared.wins,
        "ties": compared.ties,
        "losses": compared.losses,
        "resampled_by": "cluster" if one.by_cluster else "question",
    }

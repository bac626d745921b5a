"""Every arm against a baseline on the same questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.stats.bootstrap import Draws
from bench.stats.columns import answers_by_arm, columns
from bench.stats.holm import holm
from bench.stats.paired import compare, verdict
from bench.stats.signs import Signs
from bench.summary.baseline import by_baseline
from bench.summary.resampling import Resampling
from bench.summary.row import Row
from bench.types import Record


class Measure(NamedTuple):
    """What arms are compared by."""

    name: str
    title: str
    higher_is_better: bool = True


MEASURES = (
    Measure("recall", "Recall, points"),
    Measure("recall_at_1000", "Recall at 1,000 tokens, points"),
    Measure("precision", "Precision, points"),
    Measure("tokens", "Tokens; fewer is better", higher_is_better=False),
)


def comparisons(
    records: Sequence[Record], resampling: Resampling, baseline: str | None = None
) -> list[Row]:
    """Return one row per dataset, baseline, measure and arm.

    Holm's correction is over the arms of one table: those held against the same baseline on the
    same dataset by the same measure.

    Args:
        records: All records of a run.
        resampling: Draws and sign patterns of the questions.
        baseline: Name of the arm that all others of a dataset are held against. None: in every
            family (chunker / retriever) its first top-k, else its first arm.

    Raises:
        UserError: There is no such baseline, or arms have not answered the same questions.
    """
    rows: list[Row] = []
    for dataset, arms in answers_by_arm(records).items():
        names = list(next(iter(arms.values())))
        drawn = resampling.draws(dataset, names), resampling.signs(dataset, names)
        values = {measure: columns(arms, measure.name) for measure in MEASURES}
        for chosen, others in by_baseline(dataset, list(arms), baseline).items():
            for measure, of_arm in values.items():
                table = {arm: of_arm[arm] for arm in others}
                found = _compared(measure, table, of_arm[chosen], drawn)
                rows += [{"dataset": dataset, "baseline": chosen, **row} for row in found]
    return rows


def _compared(
    measure: Measure,
    arms: Mapping[str, NDArray[np.float64]],
    baseline: NDArray[np.float64],
    resampling: tuple[Draws, Signs],
) -> Iterator[Row]:
    good = measure.higher_is_better
    found = compare(np.column_stack([*arms.values()]), baseline, *resampling, higher_is_better=good)
    corrected = holm([one.p for one in found]).tolist()
    for (arm, values), one, p in zip(arms.items(), found, corrected, strict=True):
        both = ~np.isnan(values - baseline)
        yield {
            "measure": measure.name,
            "arm": arm,
            **parts_of(arm),
            "mean": float(values[both].mean()) if one.n else np.nan,
            "mean_baseline": float(baseline[both].mean()) if one.n else np.nan,
            "difference": one.difference.value,
            "low_difference": one.difference.low,
            "high_difference": one.difference.high,
            "p": one.p,
            "p_holm": p,
            "verdict": verdict(one.n, one.difference.value, p, higher_is_better=good),
            "wins": one.wins,
            "ties": one.ties,
            "losses": one.losses,
            "effect_size": one.effect_size,
            "n": one.n,
            "left_out": one.left_out,
            "resampled_by": "cluster" if resampling[0].by_cluster else "question",
        }


def parts_of(arm: str) -> Row:
    """Name the four parts of an arm."""
    names = ("strategy", "scores", "chunker", "retriever")
    return dict(zip(names, arm.split(" / "), strict=True))

"""A sweep's choices beside RSE re-tuned by its penalty alone, each dataset judged by the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.stats.holm import holm
from bench.stats.paired import verdict
from bench.stats.traced import At, difference, interval
from bench.summary.row import Row
from bench.sweep.choices import margin_of, p_of
from bench.sweep.choose import Choice, Rule, choose
from bench.sweep.pool import RECALL, TOKENS, Pool
from bench.sweep.results import Results
from bench.sweep.settings import Setting
from bench.sweep.spec import SweepSpec

OURS, RETUNED = "chosen", "rse, penalty re-tuned"
ONE_KNOB = {"strategy": "rse", "scores": "minmax", "minimum_value": 0.1}
"""What settings of RSE have in common that differ in their penalty alone."""


class Judged(NamedTuple):
    """One method on one dataset for one goal."""

    method: str
    pool: Pool
    choice: Choice
    margin: At
    """Over top-k at the same mean tokens, held out."""


def judged(spec: SweepSpec, found: Results) -> list[Judged]:
    """Choose by every goal, once among all settings and once by RSE's penalty alone."""
    knob = np.array([_is_one_knob(one) for one in found.settings], bool)
    rows = []
    for method, allowed in ((OURS, np.ones(len(knob), bool)), (RETUNED, knob)):
        for goal in spec.goals:
            for pool, choice in _choices(spec, found, goal, allowed):
                margin = margin_of(pool, choice, found.settings)
                rows.append(Judged(method, pool, choice, margin))
    return rows


def judged_rows(
    retriever: str, held: Sequence[Judged], settings: Sequence[Setting]
) -> Iterator[Row]:
    """Yield a row for each of them; `p` is corrected later, over the whole table."""
    retuned = {
        (one.pool.dataset, one.choice.goal): one.margin for one in held if one.method == RETUNED
    }
    for one in held:
        shown, other = interval(one.margin), retuned[one.pool.dataset, one.choice.goal]
        over = difference(one.margin, other)
        yield {
            "retriever": retriever,
            "goal": one.choice.goal,
            "dataset": one.pool.dataset,
            "method": one.method,
            "arm": " / ".join(str(settings[one.choice.parts[0].setting].arm).split(" / ")[:2]),
            "questions": len(one.choice.held_out),
            "recall": float(one.choice.held_out[:, RECALL].mean()),
            "tokens": float(one.choice.held_out[:, TOKENS].mean()),
            "p95_tokens": float(np.percentile(one.choice.held_out[:, TOKENS], 95)),
            "optimism": one.choice.optimism,
            "margin": shown.value,
            "low_margin": shown.low,
            "high_margin": shown.high,
            "p": p_of(one.margin.drawn),
            "margin_over_retuned": over.value if one.method == OURS else np.nan,
            "low_over_retuned": over.low if one.method == OURS else np.nan,
            "high_over_retuned": over.high if one.method == OURS else np.nan,
            "p_over_retuned": (
                p_of(one.margin.drawn - other.drawn) if one.method == OURS else np.nan
            ),
        }


def corrected(rows: Sequence[Row]) -> list[Row]:
    """Correct for all comparisons of the table (Holm), and say what is shown."""
    found = [dict(row) for row in rows]
    for name, margin in (("p", "margin"), ("p_over_retuned", "margin_over_retuned")):
        for row, p in zip(found, holm([row[name] for row in found]).tolist(), strict=True):
            row[f"{name}_holm"] = p
            known = row["questions"] if row[margin] == row[margin] else 0
            row[f"{name}_verdict"] = verdict(known, row[margin], p)
    return found


def _choices(
    spec: SweepSpec, found: Results, goal: str | int, allowed: NDArray[np.bool_]
) -> Iterator[tuple[Pool, Choice]]:
    parts = 1 if spec.split == "datasets" else spec.folds
    may = {pool.dataset: [allowed] * (parts + 1) for pool in found.pools}
    return choose(found.pools, Rule(goal, spec.objective), spec.split, may)


def _is_one_knob(one: Setting) -> bool:
    known = {**one.chosen}
    same = all(known.get(key) == value for key, value in ONE_KNOB.items())
    free = {*ONE_KNOB, "irrelevant_chunk_penalty", "chunker", "retriever"}
    return same and set(known) <= free

"""What was chosen for each goal: in sample, held out, and against dsRAG's presets and top-k."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import erfc, sqrt
from typing import NamedTuple

import numpy as np

from bench.stats.bootstrap import percentiles
from bench.stats.holm import holm
from bench.stats.margin import Frontier
from bench.stats.paired import verdict
from bench.stats.traced import At, difference, interval, mean
from bench.summary.row import Row
from bench.sweep.choose import Choice
from bench.sweep.pool import PRECISION, RECALL, TOKENS, Floats, Pool
from bench.sweep.settings import Setting
from bench.sweep.spec import GOALS, SweepSpec


class Beside(NamedTuple):
    """Margins over top-k at equal tokens, of what was chosen and of dsRAG's preset."""

    chosen: At
    preset: At


def choice_rows(
    chosen: Sequence[tuple[Pool, Choice]], settings: Sequence[Setting], spec: SweepSpec
) -> list[Row]:
    """Return a row for each goal and dataset.

    `p_topk` and `p_preset` are two-sided, from the resampled margins (normal approximation);
    `p_holm_*` are corrected for all rows of the table.
    """
    rows = [_row(pool, choice, settings) for pool, choice in chosen]
    for name in ("topk", "preset"):
        corrected = holm([row[f"p_{name}"] for row in rows]).tolist()
        for row, p in zip(rows, corrected, strict=True):
            over = row["margin" if name == "topk" else "margin_over_preset"]
            row[f"p_holm_{name}"] = p
            row[f"verdict_{name}"] = verdict(row["questions"], over, p)
    return [{**row, "split": spec.split} for row in rows]


def _row(pool: Pool, choice: Choice, settings: Sequence[Setting]) -> Row:
    final = choice.final
    same = [part.setting == final.setting for part in choice.parts]
    recall = mean(choice.held_out[:, RECALL], pool.split.draws)
    beside = _beside(pool, choice, settings)
    row: Row = {
        "dataset": pool.dataset,
        "goal": choice.goal,
        "arm": str(settings[final.setting].arm),
        "limit_tokens": final.limit,
        "fits": final.fits and all(part.fits for part in choice.parts),
        "in_sample_recall": choice.in_sample,
        **_named("held_out_recall", recall),
        "optimism": choice.optimism,
        "held_out_precision": float(choice.held_out[:, PRECISION].mean()),
        "in_sample_tokens": float(np.mean([part.tokens for part in choice.parts])),
        "held_out_tokens": float(choice.held_out[:, TOKENS].mean()),
        "held_out_p95_tokens": float(np.percentile(choice.held_out[:, TOKENS], 95)),
        **_named("margin", beside.chosen),
        "p_topk": p_of(beside.chosen.drawn),
        "preset": choice.goal if choice.goal in GOALS else "",
        **_preset(pool, choice),
        **_named("margin_of_preset", beside.preset),
    }
    over = difference(beside.chosen, beside.preset)
    row |= {"margin_over_preset": over.value}
    row |= {"low_margin_over_preset": over.low, "high_margin_over_preset": over.high}
    row["p_preset"] = p_of(beside.chosen.drawn - beside.preset.drawn)
    return row | {
        "parts": len(choice.parts),
        "parts_that_agree": sum(same),
        "settings_chosen": len({part.setting for part in choice.parts}),
        "questions": len(choice.held_out),
        "resampled_by": "cluster" if pool.split.draws.by_cluster else "question",
    }


def margin_of(pool: Pool, choice: Choice, settings: Sequence[Setting]) -> At:
    """Return what was chosen over top-k at the same mean tokens, held out.

    Top-k has the same chunks and hits: those of the setting that each question is judged by.
    """
    families = [settings[place].family for place in choice.setting.tolist()]
    longest = max(curve.tokens.shape[1] for curve in pool.topk.values())
    tokens, recall = (
        np.array(
            [_padded(pool.topk[name][part][row], longest) for row, name in enumerate(families)]
        )
        for part in (0, 1)
    )
    held = choice.held_out
    return Frontier(tokens, recall, pool.split.draws).beside(held[:, TOKENS], held[:, RECALL])


def _beside(pool: Pool, choice: Choice, settings: Sequence[Setting]) -> Beside:
    preset = _preset_values(pool, choice)
    first = next(iter(pool.topk.values()))
    return Beside(
        margin_of(pool, choice, settings),
        Frontier(*first, pool.split.draws).beside(preset[:, TOKENS], preset[:, RECALL]),
    )


def _padded(values: Floats, length: int) -> Floats:
    return np.pad(values, (0, length - len(values)), mode="edge")


def _preset(pool: Pool, choice: Choice) -> Row:
    values = _preset_values(pool, choice)
    return {
        "preset_recall": float(values[:, RECALL].mean()),
        "preset_tokens": float(values[:, TOKENS].mean()),
    }


def _preset_values(pool: Pool, choice: Choice) -> Floats:
    """Return dsRAG's preset that the goal is called after; all nan for a goal in tokens."""
    if choice.goal in GOALS:
        return pool.presets[str(choice.goal)]
    return np.full(choice.held_out.shape, np.nan)


def p_of(drawn: Floats) -> float:
    """Return the two-sided p of a difference from its resamples; nan where too many are undefined.

    By the normal approximation: counting resamples beyond 0 cannot tell values of p apart that are
    as small as a correction for a whole table needs.
    """
    if np.isnan(percentiles(drawn)).any():
        return np.nan
    known = drawn[~np.isnan(drawn)]
    spread = float(known.std())
    if spread == 0:
        return float(known[0] == 0)
    return erfc(abs(float(known.mean())) / spread / sqrt(2))


def _named(name: str, found: At) -> Row:
    shown = interval(found)
    return {name: shown.value, f"low_{name}": shown.low, f"high_{name}": shown.high}


def rows_by_goal(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Yield the rows of each goal, in order."""
    for goal in dict.fromkeys(row["goal"] for row in rows):
        yield str(goal), [row for row in rows if row["goal"] == goal]

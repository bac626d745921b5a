"""A preset card for each goal and retriever, with what it was worth on every dataset held out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bench.arms import parse
from bench.preset_names import resolved, steps
from bench.presets.judged import OURS
from bench.summary.row import Row
from bench.sweep.choose import Goal
from bench.sweep.results import Results
from bench.sweep.spec import SweepSpec
from bench.types import Dataset
from rse.card import FORMAT, KINDS

DIGITS = 4


def goal_name(goal: Goal) -> str:
    """Return what a preset for a goal is called."""
    return goal if isinstance(goal, str) else f"{goal}_tokens"


def preset_cards(
    spec: SweepSpec, found: Results, rows: Sequence[Row], datasets: Sequence[Dataset]
) -> dict[str, dict[str, Any]]:
    """Return a card for each goal of a sweep over one retriever, where a strategy of `rse` is best.

    Args:
        spec: The sweep; datasets are held out in turn.
        found: What it has found.
        rows: What `bench.presets.judged` says of it, corrected.
        datasets: What it ran on.
    """
    cards = {}
    for goal in spec.goals:
        choices = [choice for _, choice in found.chosen if choice.goal == goal]
        arm = found.settings[choices[0].final.setting].arm
        if parse(arm.strategy)[0] not in KINDS:
            continue  # so few tokens that single chunks are best
        own = [row for row in rows if row["goal"] == goal and row["method"] == OURS]
        same = sum(c.parts[0].setting == choices[0].final.setting for c in choices)
        cards[goal_name(goal)] = {
            "format": FORMAT,
            "name": goal_name(goal),
            "goal": goal if isinstance(goal, str) else f"most recall within {goal} mean tokens",
            "strategy": {"name": parse(arm.strategy)[0], "parameters": resolved(arm.strategy)},
            "scores": steps(arm.scores),
            "chunker": arm.chunker,
            "retriever": arm.retriever,
            "chosen_on": {one.name: one.revision for one in datasets},
            "held_out": {row["dataset"]: _worth(row) for row in own},
            "stability": {"datasets": len(choices), "agree_when_held_out": same},
        }
    return cards


def _worth(row: Row) -> dict[str, Any]:
    margin = [row["margin"], row["low_margin"], row["high_margin"]]
    return {
        "recall": round(row["recall"], DIGITS),
        "tokens": round(row["tokens"]),
        "p95_tokens": round(row["p95_tokens"]),
        "margin_over_topk": [None if v != v else round(v, DIGITS) for v in margin],  # noqa: PLR0124
        "questions": row["questions"],
    }

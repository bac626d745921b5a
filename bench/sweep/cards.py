"""Preset cards: what was chosen for a goal, as a file that `rse-bench run` and `rse` take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.arms import Arm, parse
from bench.preset_names import resolved, steps
from bench.store.atomic import write_text
from bench.summary.row import Row
from bench.types import Dataset
from rse.card import FORMAT

DIGITS = 4


def card(name: str, row: Row, dataset: Dataset, seed: int) -> dict[str, Any]:
    """Return a card's content.

    Args:
        name: Of the preset.
        row: What was chosen, see `bench.sweep.choices`.
        dataset: What it was chosen on.
        seed: Of folds and bootstrap.
    """
    arm = Arm(*row["arm"].split(" / "))
    return {
        "format": FORMAT,
        "name": name,
        "goal": row["goal"] if isinstance(row["goal"], str) else f"{row['goal']} tokens",
        "strategy": {"name": parse(arm.strategy)[0], "parameters": resolved(arm.strategy)},
        "scores": steps(arm.scores),
        "chunker": arm.chunker,
        "retriever": arm.retriever,
        "chosen_on": {
            "dataset": dataset.name,
            "revision": dataset.revision,
            "questions": row["questions"],
            "split": row["split"],
            "parts": row["parts"],
            "seed": seed,
        },
        "held_out": {
            "recall": _interval(row, "held_out_recall"),
            "precision": round(row["held_out_precision"], DIGITS),
            "tokens": round(row["held_out_tokens"], 1),
            "p95_tokens": round(row["held_out_p95_tokens"], 1),
            "optimism": round(row["optimism"], DIGITS),
            "margin_over_topk": _interval(row, "margin"),
            **_over_preset(row),
        },
        "stability": {
            "parts_that_agree": row["parts_that_agree"],
            "settings_chosen": row["settings_chosen"],
        },
    }


def write_cards(folder: Path, cards: Mapping[str, Mapping[str, Any]]) -> list[Path]:
    """Write each card under its name; return the files."""
    import yaml

    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, content in cards.items():
        text = yaml.safe_dump(dict(content), sort_keys=False, allow_unicode=True, width=100)
        paths.append(folder / f"{name}.yaml")
        write_text(paths[-1], text)
    return paths


def _over_preset(row: Row) -> dict[str, Any]:
    if not row["preset"]:
        return {}
    return {"margin_over_dsrag": {"preset": row["preset"], **_interval(row, "margin_over_preset")}}


def _interval(row: Row, name: str) -> dict[str, float | None]:
    values: Sequence[float] = [row[name], row[f"low_{name}"], row[f"high_{name}"]]
    shown = [None if value != value else round(value, DIGITS) for value in values]  # noqa: PLR0124
    return dict(zip(("value", "low", "high"), shown, strict=True))

"""Every setting measured on one dataset, beside dsRAG's presets and top-k."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.arms import Arm
from bench.progress import Progress
from bench.retrieval.embedders.encoder import Encoder
from bench.retrieval.recipe import Embedder
from bench.sweep.curves import topk_curve
from bench.sweep.measure import COLUMNS, measure
from bench.sweep.pool import Curve, Pool, Split
from bench.sweep.prepare import Held, held, wanted
from bench.sweep.settings import Setting
from bench.sweep.spec import GOALS
from bench.sweep.units import Local, Runner, run_units, units
from bench.types import Dataset

PRESETS: Mapping[str, str] = {
    goal: "rse" if goal == "balanced" else f"rse[preset={goal}]" for goal in GOALS
}
"""dsRAG's presets: they give their tokens to goals, and a choice is held against them."""
PRESET_SCORES = "minmax"
"""They were written for scores that fill [0, 1]."""


@dataclass(frozen=True, slots=True)
class Options:
    """What changes how a sweep goes, but none of its numbers."""

    raw: Path | None = None
    """Folder of upstream's raw files."""
    threads: int | None = None
    """Threads of all libraries; None: what they choose."""
    runner: Runner = field(default_factory=Local)
    """Who does the work."""
    encoder: Callable[[Embedder], Encoder] | None = None
    """Makes embedding models; None: such as compute here."""


class Measuring(NamedTuple):
    """What a sweep measures with."""

    depth: int
    folder: Path
    """Where results of pieces of work are kept."""
    options: Options
    progress: Progress


def measured(
    dataset: Dataset, settings: Sequence[Setting], split: Split, by: Measuring
) -> tuple[Pool, dict[int, str]]:
    """Return what every setting does on every question with gold, and why some failed.

    Args:
        dataset: The data.
        settings: What to measure; those that cannot be built are nan.
        split: Which questions have gold, their folds and draws.
        by: How.

    Raises:
        UserError: Chunks overlap, or a model cannot be had.
    """
    values = np.full((len(settings), len(dataset.questions), len(COLUMNS)), np.nan)
    errors: dict[int, str] = {}
    presets: dict[str, np.ndarray] = {}
    topk: dict[str, Curve] = {}
    asked = split.asked
    for family, places in _families(settings).items():
        want = wanted([settings[place] for place in places], by.depth)
        options = by.options
        found = held(dataset, family, want, options.threads, by.progress, options.encoder)
        _fill(values, errors, settings, places, found, by)
        curve = topk_curve(found.searched, by.depth)
        topk[family] = Curve(curve.tokens[asked], curve.recall[asked])
        if not presets:
            rows = measure(found.searched, PRESET_SCORES, list(PRESETS.values())).values[:, asked]
            presets = dict(zip(PRESETS, rows, strict=True))
    families = [one.family for one in settings]
    return Pool(dataset.name, values[:, asked], presets, topk, split, families), errors


def _families(settings: Sequence[Setting]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, one in enumerate(settings):
        found.setdefault(one.family, []).append(place)
    return found


def _fill(
    values: np.ndarray,
    errors: dict[int, str],
    settings: Sequence[Setting],
    places: Sequence[int],
    found: Held,
    by: Measuring,
) -> None:
    """Measure the settings of a family; those that share scores share pieces of work."""
    groups: dict[str, list[int]] = {}
    for place in places:
        if settings[place].error:
            errors[place] = settings[place].error
        else:
            groups.setdefault(settings[place].arm.scores, []).append(place)
    works, order = [], []
    for scores, group in groups.items():
        names = [settings[place].arm.strategy for place in group]
        works += units(found.path, scores, names, len(found.searched.asked))
        order += group
    results = run_units(by.folder, works, by.options.runner, by.progress)
    row = 0
    for one in results:
        for place in range(len(one.values)):
            values[order[row]] = one.values[place]
            if place in one.errors:
                errors[order[row]] = one.errors[place]
            row += 1


def arm_of(goal: str, family: str) -> str:
    """Name dsRAG's preset that a goal is called after."""
    return str(Arm(PRESETS[goal], PRESET_SCORES, *family.split(" / ")))

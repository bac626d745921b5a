"""What a sweep has found: every setting, what was chosen, and which axes matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bench.summary.row import Row
from bench.sweep.axis_effects import Effect, sensitivity, without_effect
from bench.sweep.choices import choice_rows
from bench.sweep.choose import Allowed, Choice, Rule, choose
from bench.sweep.cv import cv_rows
from bench.sweep.pool import Pool
from bench.sweep.settings import Setting
from bench.sweep.spec import SweepSpec


class Results(NamedTuple):
    """All of it."""

    settings: Sequence[Setting]
    pools: Sequence[Pool]
    cv: list[Row]
    """A row for each dataset and setting: scikit-learn's `cv_results_` in spirit."""
    chosen: list[tuple[Pool, Choice]]
    """For each goal and dataset."""
    choices: list[Row]
    """The same as rows."""
    sensitivity: list[Row]
    """A row for each value of each axis."""
    no_effect: list[Effect]
    errors: Mapping[int, str]
    """Why settings failed, by place."""


class Tried(NamedTuple):
    """What was measured."""

    settings: Sequence[Setting]
    pools: Sequence[Pool]
    errors: Mapping[int, str]
    """Why settings failed, by place."""
    allowed: Allowed | None = None
    """What may be chosen, see `bench.sweep.choose`; None: everything."""


def results(spec: SweepSpec, tried: Tried) -> Results:
    """Compute everything that is derived from what was measured."""
    settings, pools, errors, allowed = tried
    chosen = [
        one
        for goal in spec.goals
        for one in choose(pools, Rule(goal, spec.objective), spec.split, allowed)
    ]
    return Results(
        settings,
        pools,
        [row for pool in pools for row in cv_rows(pool, settings, errors)],
        chosen,
        choice_rows(chosen, settings, spec),
        [row for pool in pools for row in sensitivity(pool, settings)],
        without_effect(pools, settings),
        errors,
    )

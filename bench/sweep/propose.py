"""A search by Optuna that never looks at the documents it is judged on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.errors import UserError
from bench.sweep.axes import Range
from bench.sweep.choose import Allowed, Masks, parts_of
from bench.sweep.dataset import Measuring, measured
from bench.sweep.pool import RECALL, TOKENS, Pool, Split
from bench.sweep.settings import Setting, families, made
from bench.sweep.spec import SweepSpec
from bench.types import Dataset

TOGETHER = 20
"""Settings proposed at a time: they share a pass over the questions."""

Data = Sequence[tuple[Dataset, Split]]


def propose(spec: SweepSpec, data: Data, by: Measuring) -> tuple[list[Setting], Allowed]:
    """Search for settings of much recall for few tokens, once for each part that is held out.

    The search is multi-objective (Optuna's TPE on mean tokens and mean recall) and sees only the
    questions it tunes on; one more search sees all, for the final choice. So a setting may be
    chosen for a part only if it was found without it.

    Returns:
        All settings that were tried, and which may be chosen for each part of each dataset.

    Raises:
        UserError: Optuna is not installed.
    """
    pools = _empty(data)
    tried: dict[str, Setting] = {}
    found: dict[str, list[set[str]]] = {}
    number = 0
    for pool in pools:
        masks = [mask for mask, _ in parts_of(pools, pool, spec.split)]
        whole = pools if spec.split == "datasets" else [pool]
        masks.append({one.dataset: np.ones(len(one.split.fold), bool) for one in whole})
        for mask in masks:
            number += 1
            used = [(one, split) for one, split in data if one.name in mask]
            names = _study(spec, used, mask, by, (tried, spec.seed + number))
            found.setdefault(pool.dataset, []).append(names)
    order = list(tried)
    allowed = {
        dataset: [np.array([name in names for name in order], bool) for names in parts]
        for dataset, parts in found.items()
    }
    return list(tried.values()), allowed


def _study(
    spec: SweepSpec,
    data: Data,
    masks: Masks,
    by: Measuring,
    state: tuple[dict[str, Setting], int],
) -> set[str]:
    """Run one search; return the names of what it tried."""
    optuna = _optuna()
    tried, seed = state
    sampler = optuna.samplers.TPESampler(seed=seed)
    study = optuna.create_study(directions=["minimize", "maximize"], sampler=sampler)
    names: set[str] = set()
    for begin in range(0, spec.trials, TOGETHER):
        trials = [study.ask() for _ in range(min(TOGETHER, spec.trials - begin))]
        batch = [_setting(spec, trial) for trial in trials]
        values = _values(batch, data, masks, by)
        for trial, one, (tokens, recall) in zip(trials, batch, values, strict=True):
            tried.setdefault(str(one.arm), one)
            names.add(str(one.arm))
            if np.isnan(recall):
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
            else:
                study.tell(trial, [float(tokens), float(recall)])
    return names


def _values(
    batch: Sequence[Setting], data: Data, masks: Masks, by: Measuring
) -> NDArray[np.float64]:
    """Return mean tokens and recall of each setting, over the datasets' means."""
    means = []
    for dataset, split in data:
        pool, _ = measured(dataset, batch, split, by)
        own = pool.values[:, masks[dataset.name]]
        means.append(own[:, :, [TOKENS, RECALL]].mean(axis=1))
    found: NDArray[np.float64] = np.mean(means, axis=0)
    return found


def _setting(spec: SweepSpec, trial: Any) -> Setting:  # noqa: ANN401
    """Let a trial choose grid, family and every value."""
    place = trial.suggest_categorical("grid", list(range(len(spec.grids))))
    grid, pairs = spec.grids[place], families(spec)
    pair = pairs[trial.suggest_categorical("family", list(range(len(pairs))))]
    values = {"strategy": grid.strategy}
    for name, axis in grid.params.items():
        values[name] = _value(trial, f"{place} {name}", axis)
    scores = trial.suggest_categorical(f"{place} scores", list(range(len(grid.scores))))
    return made({**values, "scores": grid.scores[scores]}, pair)


def _value(trial: Any, name: str, axis: list[Any] | Range) -> Any:  # noqa: ANN401
    if isinstance(axis, list):
        return axis[trial.suggest_categorical(name, list(range(len(axis))))]
    if axis.whole:
        return trial.suggest_int(name, int(axis.low), int(axis.high), log=axis.log)
    return axis.rounded(trial.suggest_float(name, axis.low, axis.high, log=axis.log))


def _empty(data: Data) -> list[Pool]:
    """Return pools that nothing is measured of: enough to know the parts."""
    return [
        Pool(dataset.name, np.empty((0, len(split.fold), 0)), {}, {}, split)
        for dataset, split in data
    ]


def _optuna() -> Any:  # noqa: ANN401
    try:
        import optuna
    except ImportError as error:
        raise UserError(
            f"search: optuna needs Optuna, which cannot be imported ({error}); "
            f"pip install 'rse-bench[optuna]', or take search: random"
        ) from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna

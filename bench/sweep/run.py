"""A sweep, top to bottom: load, search, measure every setting, choose, report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from bench.data.load_all import load_all
from bench.progress import Progress
from bench.store.folder import writing
from bench.sweep.dataset import Measuring, Options, measured
from bench.sweep.finish import finish
from bench.sweep.pool import Pool, split_of
from bench.sweep.propose import propose
from bench.sweep.results import Results, Tried, results
from bench.sweep.settings import all_settings
from bench.sweep.spec import SweepSpec
from bench.types import Dataset


class Outcome(NamedTuple):
    """What a sweep has done."""

    folder: Path
    results: Results
    failed: Mapping[str, str]
    """Why settings failed, by arm."""
    missing: tuple[str, ...]
    """Why datasets were left out whose files are not here."""
    datasets: tuple[Dataset, ...]


def sweep(spec: SweepSpec, folder: Path, options: Options, progress: Progress) -> Outcome:
    """Measure every setting on every dataset and choose for each goal.

    Pieces of work are kept as they are done; a sweep that was killed goes on where it stopped.

    Raises:
        ResultsError: The folder cannot be written, or another sweep writes to it.
        UserError: Data that is not here, too few documents for the folds, chunks that overlap.
    """
    with writing(folder):
        datasets, missing = load_all(spec.datasets, options.raw, spec.limit)
        folds = 1 if spec.split == "datasets" else spec.folds
        splits = [split_of(one.name, one.questions, folds, spec.seed) for one in datasets]
        by = Measuring(spec.depth, folder, options, progress)
        if spec.search == "optuna":
            settings, allowed = propose(spec, list(zip(datasets, splits, strict=True)), by)
        else:
            settings, allowed = all_settings(spec), None
        pools: list[Pool] = []
        errors: dict[int, str] = {}
        for dataset, split in zip(datasets, splits, strict=True):
            pool, failed = measured(dataset, settings, split, by)
            pools.append(pool)
            errors |= failed
        found = results(spec, Tried(settings, pools, errors, allowed))
        finish(folder, spec, datasets, found)
    why = {str(settings[place].arm): text for place, text in errors.items()}
    return Outcome(folder, found, why, missing, tuple(datasets))

"""The end of a sweep: tables, cards, pictures and a page to read."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench import identity
from bench.machine import machine
from bench.report.cells import csv_of
from bench.report.write import file_names
from bench.store.atomic import write_text
from bench.store.plain import dumps
from bench.sweep.cards import card, write_cards
from bench.sweep.page import page
from bench.sweep.pictures import draw
from bench.sweep.results import Results
from bench.sweep.spec import SweepSpec
from bench.types import Dataset

FORMAT = 1
CARDS = "cards"


def finish(folder: Path, spec: SweepSpec, datasets: Sequence[Dataset], found: Results) -> None:
    """Write `cv_results.csv`, `choices.csv`, `sensitivity.csv`, cards, figures, `sweep.md`."""
    manifest = _manifest(spec, datasets, found)
    write_text(folder / "manifest.json", dumps(manifest, indent=2) + "\n")
    write_text(folder / "cv_results.csv", csv_of(found.cv))
    write_text(folder / "choices.csv", csv_of(found.choices))
    write_text(folder / "sensitivity.csv", csv_of(found.sensitivity))
    cards = _cards(spec, datasets, found)
    write_cards(folder / CARDS, cards)
    figures = draw(folder / "figures", found)
    write_text(folder / "sweep.md", page(spec, datasets, found, manifest, figures))


def _cards(
    spec: SweepSpec, datasets: Sequence[Dataset], found: Results
) -> dict[str, dict[str, Any]]:
    """Return a card for each goal; of several datasets, each its own."""
    by_name = {dataset.name: dataset for dataset in datasets}
    files = file_names(list(by_name))
    cards = {}
    for row in found.choices:
        goal = row["goal"] if isinstance(row["goal"], str) else f"{row['goal']}_tokens"
        name = goal if len(datasets) == 1 else f"{files[row['dataset']]}_{goal}"
        cards[name] = card(name, row, by_name[row["dataset"]], spec.seed)
    return cards


def _manifest(spec: SweepSpec, datasets: Sequence[Dataset], found: Results) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "spec": spec.model_dump(mode="json"),
        "settings": len(found.settings),
        "failed": {str(found.settings[place].arm): why for place, why in found.errors.items()},
        "no_effect": [one._asdict() for one in found.no_effect],
        "datasets": [
            {
                "name": dataset.name,
                "revision": dataset.revision,
                "questions": len(dataset.questions),
                "excluded": dict(dataset.excluded),
                "folds": dict(zip(pool.split.questions, pool.split.fold.tolist(), strict=True)),
            }
            for dataset, pool in zip(datasets, found.pools, strict=True)
        ],
        "versions": identity.versions(),
        "code": identity.code("bench/sweep/")[:16],
        "python": platform.python_version(),
        "machine": machine(),
    }

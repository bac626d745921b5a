"""The end of a run: what was earned becomes the files people read."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench import identity
from bench.costs.dollars import remote_models
from bench.costs.prices import Price
from bench.effect import without_effect
from bench.machine import machine
from bench.report.write import FORMAT, MANIFEST, write_report
from bench.spec import Spec
from bench.stats.clusters import clusters
from bench.store.added import added_to
from bench.store.atomic import write_text
from bench.store.journal import Journal
from bench.store.plain import dumps
from bench.store.records import CURVES, RECORDS, record_of, save
from bench.summary.row import Row
from bench.summary.strata import to_keep
from bench.summary.tables import tables
from bench.types import Dataset


def finish(
    folder: Path,
    spec: Spec,
    datasets: Sequence[Dataset],
    journal: Journal,
    wanted: Mapping[str, Sequence[str]],
    threads: int | None,
) -> list[Row]:
    """Write records, curves, manifest, summary and report; return the summary.

    Args:
        folder: The run's folder.
        spec: What was run.
        datasets: The data it ran on.
        journal: All rows; those of other specs stay in it and are not shown.
        wanted: Keys of the rows that belong to this run, by dataset, in order.
        threads: What the caller asked for.
    """
    rows = [journal.rows[key] for keys in wanted.values() for key in keys]
    scored = added_to(folder)
    stored = [
        {**scored.values.get(row["key"], {}), **_without(row)}
        for row in rows
        if row["kind"] == "record"
    ]
    curves = [_without(row) for row in rows if row["kind"] == "curve"]
    save(folder / RECORDS, stored)
    save(folder / CURVES, curves)
    records = [record_of(row) for row in stored]
    manifest = {
        "format": FORMAT,
        "spec": spec.model_dump(mode="json"),
        "datasets": [_dataset(dataset) for dataset in datasets],
        "families": [_without(row) for row in rows if row["kind"] == "facts"],
        "no_effect": without_effect(spec, [dataset.name for dataset in datasets], records),
        "prices": {name: one.model_dump(mode="json") for name, one in _prices(spec).items()},
        "scores_clipped": sum(row["clipped"] for row in curves),
        "versions": identity.versions(),
        "code": identity.code()[:16],
        "python": platform.python_version(),
        "machine": machine(),
        "threads_asked": threads,
        **({"scored": scored.origin} if scored.values else {}),
    }
    write_text(folder / MANIFEST, dumps(manifest, indent=2) + "\n")
    made = tables(records, curves, manifest)
    write_report(folder, made, manifest, curves)
    return made.summary


def _dataset(dataset: Dataset) -> dict[str, Any]:
    return {
        "name": dataset.name,
        "revision": dataset.revision,
        "documents": len(dataset.documents),
        "characters": sum(len(document.text) for document in dataset.documents.values()),
        "questions": len(dataset.questions),
        "excluded": dict(dataset.excluded),
        "notes": list(dataset.notes),
        "clusters": _clusters(dataset),
        "strata": to_keep(dataset.questions),
    }


def _prices(spec: Spec) -> dict[str, Price]:
    """Return the prices that this run's dollars are made of."""
    models = [model for _, name in spec.families() for model in remote_models(name)]
    return spec.prices.used([spec.prices.reader, *models])


def _clusters(dataset: Dataset) -> dict[str, int]:
    numbers = clusters(dataset.questions)
    return {q.id: number for q, number in zip(dataset.questions, numbers, strict=True)}


def _without(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "kind"}

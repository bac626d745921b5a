"""Write summary.csv, report.md and the figure of a run; rebuild them from its stored records."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Any

from bench.report.figure import draw
from bench.report.markdown import markdown
from bench.store.atomic import write_text
from bench.store.folder import ResultsError, writing
from bench.store.records import CURVES, RECORDS, read, record_of
from bench.summary import Row, summarise

SUMMARY = "summary.csv"
DIGITS = 6


def write_report(folder: Path, summary: Sequence[Row], manifest: Mapping[str, Any]) -> None:
    """Write everything that is derived from the records."""
    write_text(folder / SUMMARY, _csv(summary))
    curves = read(folder / CURVES)
    names = [dataset["name"] for dataset in manifest["datasets"]]
    figures = {name: draw(folder / "figures", name, summary, curves) for name in names}
    write_text(folder / "report.md", markdown(summary, manifest, figures))


def rebuild(folder: Path) -> list[Row]:
    """Make summary, report and figures anew from the records of an earlier run.

    Raises:
        ResultsError: The folder holds no results.
    """
    if not (folder / "manifest.json").is_file() or not (folder / RECORDS).is_file():
        raise ResultsError(
            f"{folder} holds no results (manifest.json and {RECORDS} expected); "
            f"`rse-bench run SPEC --results {folder.parent}` makes them"
        )
    with writing(folder):
        try:
            manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        except ValueError:
            raise ResultsError(f"{folder / 'manifest.json'} is damaged; run again") from None
        rows = read(folder / RECORDS)
        if not rows:
            raise ResultsError(f"{folder / RECORDS} is empty or damaged; run again")
        cluster = {dataset["name"]: dataset["clusters"] for dataset in manifest["datasets"]}
        records = [record_of(row) for row in rows]
        summary = summarise(records, read(folder / CURVES), cluster, manifest["spec"]["seed"])
        write_report(folder, summary, manifest)
    return summary


def _csv(summary: Sequence[Row]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(summary[0]) if summary else ["dataset"], lineterminator="\n")
    writer.writeheader()
    for row in summary:
        writer.writerow({name: _cell(value) for name, value in row.items()})
    return out.getvalue()


def _cell(value: object) -> object:
    """Round; an undefined number is an empty cell."""
    if isinstance(value, float):
        return "" if isnan(value) else round(value, DIGITS) + 0.0  # never -0.0
    return value

"""Write tables, report.md and the figures of a run; rebuild them from its stored records."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

from bench.report import throughput
from bench.report.cells import csv_of
from bench.report.figure import draw
from bench.report.markdown import markdown
from bench.store.atomic import write_text
from bench.store.folder import ResultsError, writing
from bench.store.records import CURVES, RECORDS, is_whole, read, record_of
from bench.summary.row import Row
from bench.summary.tables import Tables, tables
from bench.types import Record

MANIFEST = "manifest.json"
SUMMARY = "summary.csv"
"""The table of arms; the others are called as in `Tables`, too."""
FORMAT = 3
"""Of the manifest; raised when its keys change."""


def write_report(
    folder: Path,
    made: Tables,
    manifest: Mapping[str, Any],
    curves: Sequence[Mapping[str, Any]],
) -> None:
    """Write everything that is derived from the records."""
    for name, rows in made._asdict().items():
        write_text(folder / f"{name}.csv", csv_of(rows))
    figures = {
        name: draw(folder / "figures" / f"recall_tokens_{file}.svg", name, made, curves)
        for name, file in file_names([d["name"] for d in manifest["datasets"]]).items()
    }
    text = markdown(made, manifest, figures)
    write_text(folder / "report.md", "\n".join([text, *throughput.section(folder)]))


def is_run(folder: Path) -> bool:
    """Tell whether a folder holds the results of a run."""
    return (folder / MANIFEST).is_file() and (folder / RECORDS).is_file()


def rebuild(folder: Path) -> list[Row]:
    """Make summary, report and figures anew from the records of an earlier run.

    Raises:
        ResultsError: The folder holds no results, or not all of them.
    """
    if not is_run(folder):
        raise no_results(folder)
    with writing(folder):
        manifest = read_manifest(folder)
        records = [record_of(row) for row in rows_of_kind(folder / RECORDS, "record")]
        curves = rows_of_kind(folder / CURVES, "curve")
        _check_curves(folder / CURVES, curves, records)
        made = tables(records, curves, manifest)
        write_report(folder, made, manifest, curves)
    return made.summary


def no_results(folder: Path) -> ResultsError:
    """Say that a folder holds no results, and what makes some."""
    return ResultsError(
        f"{folder} holds no results ({MANIFEST} and {RECORDS} expected); "
        f"`rse-bench run SPEC --results {folder.parent}` makes them"
    )


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read what a run says of itself.

    Raises:
        ResultsError: The folder holds no results, or damaged ones, or those of another version.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise no_results(folder)
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise ResultsError(f"{path} is damaged; run again") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ResultsError(f"{path} is of another version of rse-bench; run again")
    return manifest


def rows_of_kind(path: Path, kind: str) -> list[dict[str, Any]]:
    """Read stored rows of one kind, see `bench.store.records.is_whole`.

    Raises:
        ResultsError: They are missing or damaged, or another version wrote them.
    """
    rows = read(path)
    if not rows:
        raise ResultsError(f"{path} is missing, empty or damaged; run again")
    for number, row in enumerate(rows):
        if not is_whole({**row, "kind": kind}):
            raise ResultsError(
                f"{path}: row {number} is damaged, or of another version of rse-bench; run again"
            )
    return rows


def _check_curves(
    path: Path, curves: Sequence[Mapping[str, Any]], records: Sequence[Record]
) -> None:
    """Refuse curves without which margins would be missing."""
    there = {(row["dataset"], row["family"], row["question"]) for row in curves}
    for record in records:
        family = " / ".join(record.arm.split(" / ")[2:])
        if (record.dataset, family, record.question) not in there:
            raise ResultsError(
                f"{path} lacks the question {record.question} of {record.dataset}; run again"
            )


def file_names(names: Sequence[str]) -> dict[str, str]:
    """Give each dataset a name that files and links can have anywhere, no two of them the same."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-.") or "dataset"
        numbered = (f"{plain}-{number}" for number in count(2))
        # Some file systems do not tell capitals from small letters.
        found[name] = next(one for one in chain([plain], numbered) if one.casefold() not in taken)
        taken.add(found[name].casefold())
    return found

"""Write summary.csv, report.md and the figure of a run; rebuild them from its stored records."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from itertools import chain, count
from math import isnan, nan
from pathlib import Path
from typing import Any

from bench.report.compared import comparisons, comparisons_csv, comparisons_markdown
from bench.report.figure import draw
from bench.report.markdown import markdown
from bench.store.atomic import write_text
from bench.store.folder import ResultsError, writing
from bench.store.records import CURVES, RECORDS, read, record_of
from bench.summary import Row, summarise
from bench.types import Record

SUMMARY = "summary.csv"
COMPARISONS = "comparisons.csv"
BOUNDS = ("oracle", "random")
"""Strategies nobody can choose: to differ from them is no finding, and Holm counts findings."""
MANIFEST = "manifest.json"
FORMAT = 2
"""Of the manifest; raised when its keys change."""
DIGITS = 6


def write_report(
    folder: Path,
    summary: Sequence[Row],
    manifest: Mapping[str, Any],
    curves: Sequence[Mapping[str, Any]],
    records: Sequence[Record],
) -> None:
    """Write everything that is derived from the records."""
    write_text(folder / SUMMARY, _csv(summary))
    compared = _compared(manifest, records)
    write_text(folder / COMPARISONS, comparisons_csv(compared))
    figures = {
        name: draw(folder / "figures" / f"recall_tokens_{file}.svg", name, summary, curves)
        for name, file in file_names([d["name"] for d in manifest["datasets"]]).items()
    }
    text = markdown(summary, manifest, figures)
    if compared:
        text += f"\n## Comparisons\n\n{comparisons_markdown(compared)}"
    write_text(folder / "report.md", text)


def _compared(manifest: Mapping[str, Any], records: Sequence[Record]) -> list[Row]:
    cluster = {dataset["name"]: dataset["clusters"] for dataset in manifest["datasets"]}
    choices = [record for record in records if not record.arm.startswith(BOUNDS)]
    return comparisons(choices, cluster, manifest["spec"]["seed"])


def mark(summary: Sequence[Row], manifest: Mapping[str, Any]) -> None:
    """Add to each row what share of the tokens its encoder does not know; nan: nobody counted."""
    shares = {(f["dataset"], f["family"]): f.get("unknown_share") for f in manifest["families"]}
    for row in summary:
        share = shares.get((row["dataset"], f"{row['chunker']} / {row['retriever']}"))
        row["unknown_token_share"] = nan if share is None else share


def rebuild(folder: Path) -> list[Row]:
    """Make summary, report and figures anew from the records of an earlier run.

    Raises:
        ResultsError: The folder holds no results, or not all of them.
    """
    if not (folder / MANIFEST).is_file() or not (folder / RECORDS).is_file():
        raise ResultsError(
            f"{folder} holds no results ({MANIFEST} and {RECORDS} expected); "
            f"`rse-bench run SPEC --results {folder.parent}` makes them"
        )
    with writing(folder):
        manifest = _manifest(folder / MANIFEST)
        records = [record_of(row) for row in _rows(folder / RECORDS)]
        curves = _rows(folder / CURVES)
        _check_curves(folder / CURVES, curves, records)
        cluster = {dataset["name"]: dataset["clusters"] for dataset in manifest["datasets"]}
        summary = summarise(records, curves, cluster, manifest["spec"]["seed"])
        mark(summary, manifest)
        write_report(folder, summary, manifest, curves, records)
    return summary


def _manifest(path: Path) -> dict[str, Any]:
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise ResultsError(f"{path} is damaged; run again") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ResultsError(f"{path} is of another version of rse-bench; run again")
    return manifest


def _rows(path: Path) -> list[dict[str, Any]]:
    rows = read(path)
    if not rows:
        raise ResultsError(f"{path} is missing, empty or damaged; run again")
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

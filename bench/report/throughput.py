"""Throughput as a table: on a terminal and in the report."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from bench.report.cells import Columns, table
from bench.summary.row import Row

FILE = "throughput.csv"


def show(rows: Sequence[Row]) -> None:
    """Print the rows."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    shown.add_column("dataset: arm", overflow="fold")
    for name in ("at once", "a second", "slowest", "fastest", "ratio"):
        shown.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        name = f"{row['dataset']}: {row['arm']} / {row['family']}"
        shown.add_row(name, *(column(row) for column in _NUMBERS.values()))
    console = Console(markup=False, highlight=False)
    console.print(shown)
    console.print(
        "questions answered in a second: median, slowest and fastest repetition; ratio: over one "
        "at a time, measured in turn with it"
    )


def section(folder: Path) -> list[str]:
    """Return the part of a report; nothing where throughput was never measured."""
    if not (folder / FILE).is_file():
        return []
    head = ["## Throughput\n"]
    try:
        with (folder / FILE).open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        shown = table(_COLUMNS, rows) if rows else ""
    except (OSError, UnicodeDecodeError, csv.Error, KeyError, TypeError, ValueError):
        shown = ""
    if not shown:
        return [*head, f"{FILE} is damaged; `rse-bench throughput` measures again.\n"]
    return [
        *head,
        "Questions answered in a second (search, selection and rendering), so many under way at a "
        "time: median, slowest and fastest repetition; ratio: over one at a time, measured in turn "
        "with it.\n",
        shown,
    ]


def _rate(name: str) -> str:
    return f"{float(name):.1f}"


_NUMBERS: Columns = {
    "at once": lambda row: str(row["concurrency"]),
    "a second": lambda row: _rate(row["questions_per_second"]),
    "slowest": lambda row: _rate(row["slowest"]),
    "fastest": lambda row: _rate(row["fastest"]),
    "ratio": lambda row: f"{float(row['ratio']):.2f}",
}

_COLUMNS: Columns = {
    "arm": lambda row: f"{row['dataset']}: {row['arm']} / {row['family']}",
    **_NUMBERS,
    "questions": lambda row: row["questions"],
    "repetitions": lambda row: row["repetitions"],
    "cores": lambda row: row["cores"],
}

"""The result table of a README, made from a run: `python -m bench.report.readme RUN README`."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Sequence
from math import isnan
from pathlib import Path
from typing import Any

from bench.errors import UserError
from bench.report.cells import escape
from bench.report.table import family, interval, is_sure, percent, short, signed
from bench.report.write import MANIFEST, SUMMARY, file_names
from bench.store.atomic import write_bytes, write_text
from bench.summary.row import Row

BEGIN, END = "<!-- results: `make readme` writes what follows -->", "<!-- end of results -->"
COLUMNS = ("arm", "recall %", "tokens", "p95 tokens", "margin over top-k, points", "empty %")


NUMBERS = (
    r"(mean|low|high|max|p\d+)_|dollars|oracle_share|margin|empty_rate|missed_|unknown_|questions"
    r"|undefined|failed"
)
"""Columns of a summary that hold numbers."""


def update(run: Path, readme: Path) -> None:
    """Put a run's table between the two marks of a README, and its figure beside it.

    Raises:
        UserError: The README has no marks, or the run more than one dataset and family.
    """
    text = readme.read_text(encoding="utf-8")
    begin, end = text.find(BEGIN), text.find(END)
    if not 0 <= begin < end:
        raise UserError(f"{readme} needs the lines {BEGIN!r} and {END!r}: the table goes between")
    manifest = json.loads((run / MANIFEST).read_text(encoding="utf-8"))
    rows = read_summary(run / SUMMARY)
    if len({(row["dataset"], family(row)) for row in rows}) != 1:
        raise UserError(f"{run} must hold one dataset, chunker and retriever")
    name = f"recall_tokens_{file_names([rows[0]['dataset']])[rows[0]['dataset']]}.svg"
    figures = readme.parent / "docs" / "figures"
    figures.mkdir(parents=True, exist_ok=True)
    write_bytes(figures / name, (run / "figures" / name).read_bytes())
    parts = [BEGIN, "", introduction(manifest, rows[0]), "", table(rows), ""]
    parts += [f"![Recall against tokens, every arm and top-k's curve](docs/figures/{name})", "", ""]
    write_text(readme, text[:begin] + "\n".join(parts) + text[end:])


def read_summary(path: Path) -> list[Row]:
    """Read a summary back: numbers as numbers, an empty cell as nan."""
    with path.open(encoding="utf-8", newline="") as lines:
        return [
            {name: _value(name, cell) for name, cell in row.items()}
            for row in csv.DictReader(lines)
        ]


def introduction(manifest: dict[str, Any], row: Row) -> str:
    """Say what was measured."""
    data, facts = manifest["datasets"][0], manifest["families"][0]
    drawn = (
        "questions about the same page together"
        if row["resampled_by"] == "cluster"
        else "questions"
    )
    return (
        f"`{data['name']}`: {data['questions']} questions, {data['documents']} documents "
        f"({data['characters']:,} characters), {facts['chunks']:,} chunks by "
        f"`{row['chunker']}`, {facts['model']}, exact search, "
        f"{manifest['spec']['depth']} hits.\nBrackets: 95 % bootstrap intervals, drawing {drawn}."
    )


def table(rows: Sequence[Row]) -> str:
    """Return the table; a margin is bold where its interval excludes 0."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "|---" + "|--:" * (len(COLUMNS) - 1) + "|"]
    for row in rows:
        cells = [
            escape(short(row)),
            interval(row, "recall"),
            f"{row['mean_tokens']:.0f}",
            f"{row['p95_tokens']:.0f}",
            _margin(row),
            percent(row["empty_rate"]),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _margin(row: Row) -> str:
    value, low, high = row["margin"], row["low_margin"], row["high_margin"]
    if isnan(value):
        return "-"
    if isnan(low) or isnan(high) or row["strategy"].startswith("topk"):
        return signed(value)
    shown = f"**{signed(value)}**" if is_sure(row) else signed(value)
    return f"{shown} ({signed(low)} to {signed(high)})"


def _value(name: str, cell: str) -> Any:  # noqa: ANN401
    if cell == "":
        return float("nan")
    return float(cell) if re.match(NUMBERS, name) else cell


if __name__ == "__main__":
    try:
        update(Path(sys.argv[1]), Path(sys.argv[2]))
    except (UserError, OSError) as error:
        sys.exit(f"readme: {error}")

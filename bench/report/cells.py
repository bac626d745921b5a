"""Cells of tables: Markdown that data cannot break, and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from math import isnan

from bench.summary.row import Row

DIGITS = 6
"""Of numbers in CSV files."""

Columns = Mapping[str, Callable[[Row], str]]
"""What stands in each column, by its heading."""


def table(columns: Columns, rows: Sequence[Row]) -> str:
    """Lay rows out as a Markdown table; the first column is a name, the others are numbers."""
    lines = ["| " + " | ".join(columns) + " |", "|---" + "|--:" * (len(columns) - 1) + "|"]
    lines += [
        "| " + " | ".join(escape(column(row)) for column in columns.values()) + " |" for row in rows
    ]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Keep names and data from being read as Markdown or HTML."""
    for sign in ("\\", "|", "*", "_", "`", "[", "]", "<", ">"):
        text = text.replace(sign, f"&#{ord(sign)};" if sign in "<>|" else f"\\{sign}")
    return text.replace("\n", " ")


def csv_of(rows: Sequence[Row], digits: int = DIGITS) -> str:
    """Return rows as CSV; an undefined number is an empty cell."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]) if rows else ["dataset"], lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _cell(value, digits) for name, value in row.items()})
    return out.getvalue()


def _cell(value: object, digits: int) -> object:
    if isinstance(value, float):
        return "" if isnan(value) else round(value, digits) + 0.0  # never -0.0
    return value

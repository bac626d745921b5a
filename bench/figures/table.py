"""Rows of plain values as a CSV file, and as a table inside a page."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO
from math import isnan
from pathlib import Path

from bench.store.atomic import write_text


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Iterable[object]]) -> None:
    """Write rows of cells; numbers to six digits, nothing for what is undefined."""
    out = StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(header)
    lines.writerows([_plain(cell) for cell in row] for row in rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, out.getvalue())


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; columns after the first are set to the right."""
    rule = ["---", *["--:"] * (len(header) - 1)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [header, rule, *rows])


def percent(share: float) -> str:
    """Show a share in percent; a dash where it is undefined."""
    return "-" if isnan(share) else f"{100 * share:.1f}"


def margin_text(value: float, low: float, high: float, *, bare: bool = False) -> str:
    """Show a difference in points, with a star where its interval excludes 0.

    Args:
        value: The difference, as a share; nan gives a dash.
        low: Where its interval begins; nan where there is none.
        high: Where it ends.
        bare: Leave out the interval itself.
    """
    if isnan(value):
        return "-"
    shown = f"{100 * value:+.1f}" + ("*" if low > 0 or high < 0 else "")
    return shown if bare or isnan(low) else f"{shown}: {100 * low:+.1f} to {100 * high:+.1f}"


def put(page: Path, name: str, table: str) -> None:
    """Replace what stands between `<!-- table: name -->` and `<!-- end of table -->`.

    Raises:
        ValueError: The page has no such place, or more than one.
    """
    text = page.read_text(encoding="utf-8")
    begin, end = f"<!-- table: {name} -->\n", "<!-- end of table -->"
    place = re.compile(f"({re.escape(begin)}).*?({end})", re.DOTALL)
    if len(place.findall(text)) != 1:
        raise ValueError(f"{page} needs one place {begin.strip()} ... {end}")
    write_text(page, place.sub(lambda found: f"{found[1]}{table}\n{found[2]}", text))


def _plain(cell: object) -> object:
    if isinstance(cell, float):
        return "" if isnan(cell) else f"{cell:.6g}"
    return cell

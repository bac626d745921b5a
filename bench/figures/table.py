"""Rows of plain values as a CSV file, and as a table inside a page."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple, TypeVar

from bench.store.atomic import write_text

T = TypeVar("T", bound=NamedTuple)


def write_csv(path: Path, rows: Sequence[NamedTuple]) -> None:
    """Write rows of one kind, their fields as the header."""
    out = StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(rows[0]._fields)
    lines.writerows(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, out.getvalue())


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; columns after the first are set to the right."""
    rule = ["---", *["--:"] * (len(header) - 1)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [header, rule, *rows])


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

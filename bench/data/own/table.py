"""CSV as spreadsheets write it: any of three separators, UTF-8 or UTF-16."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

from bench.data.errors import DatasetError
from bench.data.own.encoding import decode

NEEDED = "question"
"""The column by which the separator is known."""
SEPARATORS = ",;\t"


def table(path: Path, columns: Sequence[str], prefix: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the rows that say anything, cells by column without blanks around, and their places.

    Args:
        path: The file.
        columns: The columns there may be.
        prefix: How the names of further columns begin.

    Raises:
        DatasetError: It cannot be read, or has other columns, or a row has more cells than columns.
    """
    try:
        text = decode(path.read_bytes())
    except OSError as error:
        raise DatasetError(f"cannot read {path}: {error.strerror}") from None
    except DatasetError as error:
        raise DatasetError(f"{path} {error}") from None
    header: list[str] | None = None
    for number, row in _rows(path, text):
        place = f"{path.name}, line {number}"
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        if header is None:
            header = _header(place, cells, columns, prefix)
        elif any(cells[len(header) :]):
            raise DatasetError(
                f"{place}: {len(cells)} cells for {len(header)} columns; a cell with the separator "
                f'in it stands in quotation marks, "like, this"'
            )
        else:
            yield place, dict(zip(header, cells, strict=False))


def _rows(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with the number of the line it begins in."""
    first = text.lstrip("\r\n").partition("\n")[0]
    reader = csv.reader(StringIO(text, newline=""), delimiter=_separator(first), strict=True)
    before = 0
    try:
        for row in reader:
            yield before + 1, row
            before = reader.line_num
    except csv.Error as error:
        raise DatasetError(
            f"{path.name}, the row that begins in line {before + 1}: {error}; a quotation mark in "
            f"a cell is written twice, and the cell stands in quotation marks"
        ) from None


def _separator(line: str) -> str:
    """Return the separator by which the line has the column that is needed; else a comma."""
    for separator in SEPARATORS:
        if NEEDED in (cell.strip(' "\r').lower() for cell in line.split(separator)):
            return separator
    return ","


def _header(place: str, cells: list[str], columns: Sequence[str], prefix: str) -> list[str]:
    header = [cell.lower() for cell in cells]
    while header and not header[-1]:
        header.pop()
    if wrong := _wrong(header, columns, prefix):
        raise DatasetError(
            f"{place}: {wrong}; the first row names the columns, of {', '.join(columns)}, and "
            f"{prefix}... for tags of your own"
        )
    return header


def _wrong(header: Sequence[str], columns: Sequence[str], prefix: str) -> str:
    for name in header:
        if name not in columns and not (name.startswith(prefix) and len(name) > len(prefix)):
            return f"no column {name[:60]!r} is known"
        if header.count(name) > 1:
            return f"the column {name!r} stands there twice"
    return "" if NEEDED in header else f"there is no column {NEEDED!r}"

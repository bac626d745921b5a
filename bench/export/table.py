"""Every value of a run in one long table: a row for each question, arm and metric."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from math import isnan
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.export.text import write_lines
from bench.types import Record

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A cell that begins so is a formula, or becomes one, in spreadsheets."""

QUOTE = '"'
SPECIAL = (QUOTE, ",", "\r", "\n")


class Cell(NamedTuple):
    """A row of the table."""

    dataset: str
    question: str
    arm: str
    metric: str
    value: float
    """nan: undefined, an empty cell."""


def write_table(rows: Iterable[Cell], path: Path) -> Path:
    """Write rows as CSV, UTF-8 with line feeds.

    Raises:
        UserError: The file cannot be written.
    """
    lines = (
        ",".join([*map(_quoted, map(shown, row[:4])), "" if isnan(row.value) else repr(row.value)])
        for row in rows
    )
    return write_lines(path, chain([",".join(Cell._fields)], lines))


def rows_of(records: Iterable[Record]) -> Iterator[Cell]:
    """Yield the metrics, tokens, failure and seconds (`seconds_search`...) of each answer.

    Of seconds that were measured several times it is the median.
    """
    for record in records:
        values = {
            **record.metrics,
            "tokens": record.context.tokens,
            "prompt_tokens": record.prompt_tokens,
            "failed": int(record.failed),
            **{f"seconds_{stage}": median(times) for stage, times in record.seconds.items()},
        }
        for metric, value in values.items():
            yield Cell(record.dataset, record.question, record.arm, metric, value)


def shown(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would compute.

    >>> shown("=1+1"), shown("topk[k=5]")
    ("'=1+1", 'topk[k=5]')
    """
    return f"'{text}" if text.startswith(FORMULA) else text


def _quoted(text: str) -> str:
    """Quote what would end a cell; `csv.writer` leaves a carriage return bare if lines end in LF.

    >>> _quoted('a "b", c'), _quoted("plain")
    ('"a ""b"", c"', 'plain')
    """
    return f'"{text.replace(QUOTE, QUOTE * 2)}"' if any(sign in text for sign in SPECIAL) else text

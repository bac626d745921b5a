"""Questions from a JSONL or CSV file, as people write them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import Field

from bench.data.errors import DatasetError
from bench.data.own.table import table
from bench.data.rows import Strict, rows

Text = Annotated[str, Field(min_length=1)]
TAG = "tag_"


class AskedRow(Strict):
    """A line of the file: a question, or one more passage of a question that stands above."""

    id: Text | None = None
    question: str = ""
    quote: Text | None = None
    quotes: list[Text] = Field(default_factory=list)
    doc: Text | None = None
    start: int | None = Field(None, ge=0)
    end: int | None = Field(None, ge=1)
    page: int | None = Field(None, ge=1)
    """Counted from 1."""
    answer: Text | list[Text] | None = None
    scope: Text | list[Text] | None = None
    tags: dict[str, str] = Field(default_factory=dict)


COLUMNS = tuple(name for name in AskedRow.model_fields if name not in {"quotes", "tags"})
"""Columns of a CSV file, besides those whose names begin with `TAG`."""
NUMBERS = {"start": 0, "end": 1, "page": 1}
"""Columns of whole numbers, each with the least it can be."""


class Wanted(NamedTuple):
    """A piece of gold that is still to be placed; a quote, offsets or a page."""

    quote: str | None
    doc: str | None
    start: int | None
    end: int | None
    page: int | None


@dataclass(slots=True)
class Asked:
    """A question as it stands in the file."""

    id: str
    text: str
    place: str
    """File and line, for messages."""
    scope: tuple[str, ...] | None = None
    tags: dict[str, str] = field(default_factory=dict)
    answers: list[str] = field(default_factory=list)
    gold: list[Wanted] = field(default_factory=list)


def read_questions(path: Path) -> list[Asked]:
    """Read a file of questions; rows of the same id are one question with several passages.

    Raises:
        DatasetError: It cannot be read, or a line is not what it should be; with file and line.
    """
    suffix = path.suffix.lower()
    if suffix == ".csv":
        found = [(place, _from_cells(place, cells)) for place, cells in table(path, COLUMNS, TAG)]
    elif suffix in {".jsonl", ".ndjson"}:
        lines = rows(path.resolve(), AskedRow)  # whose places name the folder: here it is known
        found = [(place.rpartition("/")[2], row) for place, row in lines]
    else:
        raise DatasetError(f"{path}: expected questions as .jsonl or .csv")
    return _gathered(found)


def _from_cells(place: str, cells: dict[str, str]) -> AskedRow:
    given = {name: cell for name, cell in cells.items() if cell}
    tags = {name: given.pop(name) for name in [*given] if name.startswith(TAG)}
    numbers = {name: _number(place, name, given.pop(name)) for name in NUMBERS if name in given}
    scope = [line.strip() for line in given.pop("scope", "").splitlines() if line.strip()]
    more = {name.removeprefix(TAG): tag for name, tag in tags.items()}
    return AskedRow(**given, **numbers, scope=scope or None, tags=more)  # type: ignore[arg-type]


def _number(place: str, name: str, cell: str) -> int:
    if not (re.fullmatch("[0-9]{1,15}", cell) and int(cell) >= NUMBERS[name]):
        raise DatasetError(
            f"{place}: {name}: found {cell[:40]!r}, expected a whole number from {NUMBERS[name]}"
        )
    return int(cell)


def _gathered(found: Iterable[tuple[str, AskedRow]]) -> list[Asked]:
    found = list(found)
    taken = {row.id for _, row in found}
    numbers = (f"q{number:03}" for number in range(1, len(found) + len(taken) + 1))
    free = (name for name in numbers if name not in taken)
    asked: dict[str, Asked] = {}
    for place, row in found:
        if row.id in asked:
            _check_same(place, row, asked[row.id])
        elif not row.question.strip():
            raise DatasetError(f"{place}: there is no question")
        id_ = row.id or next(free)
        question = asked.setdefault(id_, Asked(id_, row.question.strip(), place, _scope(row)))
        question.tags |= row.tags
        question.gold += _gold(place, row)
        question.answers += [text for text in _listed(row.answer) if text not in question.answers]
    return list(asked.values())


def _check_same(place: str, row: AskedRow, first: Asked) -> None:
    """Refuse a row that says of its question something else than the first one."""
    same = {
        "question": row.question.strip() in {"", first.text},
        "scope": _scope(row) in {None, first.scope},
        "tags": all(first.tags.get(name) == tag for name, tag in row.tags.items()),
    }
    for name, is_same in same.items():
        if not is_same:
            raise DatasetError(
                f"{place}: the id {first.id!r} stands at {first.place} with another {name}; a row "
                f"that adds a passage leaves it out, another question needs another id"
            )


def _gold(place: str, row: AskedRow) -> list[Wanted]:
    """Return the pieces of gold of a row; a document alone is one, of which nothing is known."""
    quotes = _listed(row.quote) + row.quotes
    where = (row.doc, row.start, row.end, row.page)
    if len(quotes) > 1 and (row.start is not None or row.end is not None):
        raise DatasetError(f"{place}: start and end go with one quote, found {len(quotes)}")
    if not quotes and all(value is None for value in where):
        return []
    return [Wanted(quote, *where) for quote in quotes] or [Wanted(None, *where)]


def _scope(row: AskedRow) -> tuple[str, ...] | None:
    return tuple(_listed(row.scope)) or None


def _listed(value: str | list[str] | None) -> list[str]:
    return [value] if isinstance(value, str) else value or []

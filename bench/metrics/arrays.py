"""Answers and gold as arrays: all documents stand on one line, one behind the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.errors import UserError
from bench.tokens import TokenMap
from bench.types import Passage, Span

Numbers = NDArray[np.int64]


class Answers(NamedTuple):
    """What was returned; one row for each span, answer by answer, best first."""

    question: Numbers
    """Number of the question of each answer, a place in `Golds.begin`."""
    begin: Numbers
    """Answer `i` has the spans `begin[i]` up to, not including, `begin[i + 1]`."""
    start: Numbers
    """First character, on the line."""
    end: Numbers
    """Character behind the last one."""


class Golds(NamedTuple):
    """The evidence of all questions; one row for each alternative, passage by passage."""

    begin: Numbers
    """Question `i` has the rows `begin[i]` up to, not including, `begin[i + 1]`."""
    passage: Numbers
    """Number of the passage in its question, rising from 0."""
    start: Numbers
    """First character, on the line."""
    end: Numbers
    """Character behind the last one."""
    order: Numbers
    """The rows of each question, counted from its first one, by where they start."""
    low: Numbers
    """Starts in that order."""
    high: Numbers
    """Largest end up to there, in that order."""


class Line(NamedTuple):
    """Where documents begin on the line, and the tokens of all, counted along it."""

    begin: Mapping[str, int]
    """First place of each document. A free place between two keeps them apart."""
    tokens: Numbers
    """Place at which each token begins, rising."""


class Table(NamedTuple):
    """Spans by columns; parallel."""

    doc: Sequence[str]
    start: Numbers
    end: Numbers


def columns(spans: Iterable[Span]) -> Table:
    """Turn spans into columns.

    Raises:
        UserError: A span begins before its document does.
    """
    rows = list(spans)
    doc, start, end = (map(itemgetter(place), rows) for place in range(3))
    found = Table(
        list(doc), np.fromiter(start, np.int64, len(rows)), np.fromiter(end, np.int64, len(rows))
    )
    if rows and found.start.min() < 0:
        worst = rows[int(found.start.argmin())]
        raise UserError(f"{worst.doc}: a span starts at {worst.start}; offsets count from 0")
    return found


def line(maps: Mapping[str, TokenMap], tables: Sequence[Table]) -> Line:
    """Lay the documents that spans speak of one behind the other.

    Args:
        maps: The tokens of each document, by id.
        tables: All spans that will be looked at; documents they do not name cost nothing.

    Raises:
        UserError: A span names a document that `maps` lacks.
    """
    named = dict.fromkeys(chain.from_iterable(table.doc for table in tables))
    if unknown := sorted(named.keys() - maps.keys()):
        raise UserError(
            f"no document {unknown[0]!r} ({len(unknown)} unknown); there are {len(maps)}, such as "
            f"{', '.join(map(repr, sorted(maps)[:3]))}"
        )
    number = {doc: place for place, doc in enumerate(named)}
    reach = np.zeros(len(number), np.int64)  # spans may end behind the last token
    for table in tables:
        np.maximum.at(reach, _numbers(table, number), table.end)
    begin: dict[str, int] = {}
    tokens = []
    at = 0
    for doc, end in zip(number, reach.tolist(), strict=True):
        starts = maps[doc].starts
        begin[doc] = at
        tokens.append(starts + at)
        at += max(end, int(starts[-1]) + 1 if len(starts) else 0) + 1
    return Line(begin, np.concatenate([np.empty(0, np.int64), *tokens]))


def answers(question: Sequence[int], counts: Sequence[int], spans: Table, where: Line) -> Answers:
    """Put answers on the line.

    Args:
        question: Number of the question of each answer.
        counts: Number of spans of each answer.
        spans: The spans of all answers.
        where: The line.
    """
    begin = np.cumsum([0, *counts], dtype=np.int64)
    return Answers(np.array(question, np.int64), begin, *_placed(spans, where))


def golds(of: Sequence[Sequence[Passage]], spans: Table, where: Line) -> Golds:
    """Put the evidence of all questions on the line; `spans` as `gold_spans` gives them."""
    rows = [sum(map(len, gold)) for gold in of]
    begin = np.cumsum([0, *rows], dtype=np.int64)
    passage = [number for gold in of for number, one in enumerate(gold) for _ in one]
    start, end = _placed(spans, where)
    question = np.repeat(np.arange(len(of)), rows)
    order = np.lexsort((start, question))
    high = end[order]
    for first, last in zip(begin[:-1].tolist(), begin[1:].tolist(), strict=True):
        np.maximum.accumulate(high[first:last], out=high[first:last])
    return Golds(
        begin,
        np.array(passage, np.int64),
        start,
        end,
        order - begin[question],
        start[order],
        high,
    )


def gold_spans(of: Iterable[Sequence[Passage]]) -> Table:
    """Return all alternatives of all questions, passage by passage."""
    return columns(chain.from_iterable(chain.from_iterable(of)))


def _placed(table: Table, where: Line) -> tuple[Numbers, Numbers]:
    begin = _numbers(table, where.begin)
    return table.start + begin, table.end + begin


def _numbers(table: Table, of: Mapping[str, int]) -> Numbers:
    return np.fromiter(map(of.__getitem__, table.doc), np.int64, len(table.doc))

"""The tables of docs/rse.md that are measured."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from bench.figures.lengths import DOCUMENTED, Length
from bench.figures.question import Choice
from bench.figures.table import markdown

WHERE = {"holds": "made up: ", "changed": "made up, changed: ", "real": "pydata-docs: "}


def length_table(rows: Sequence[Length]) -> str:
    """Return mean segment lengths, one line a curve; bold inside the documented range."""
    curves = list(dict.fromkeys((row.group, row.curve) for row in rows))
    documented = ["dsRAG documents", *(f"{low}-{high}" for low, high in DOCUMENTED.values())]
    lines = [
        [f"{WHERE[group]}{curve}", *(_cell(row) for row in rows if row[:2] == (group, curve))]
        for group, curve in curves
    ]
    header = ["mean chunks in a segment", *(f"{penalty:g}" for penalty in DOCUMENTED)]
    return markdown(header, [documented, *lines])


def _cell(row: Length) -> str:
    mean = "-" if isnan(row.mean_chunks) else f"{row.mean_chunks:.1f}"
    empty = f" ({row.empty} empty)" if row.empty else ""
    return f"**{mean}**{empty}" if row.within else f"{mean}{empty}"


def choice_table(choices: Sequence[Choice]) -> str:
    """Return what each strategy shows of the question's best document."""
    header = ["strategy", "segments", "chunks", "tokens", "recall %", "chunks of the best document"]
    rows = [
        [
            one.strategy,
            str(one.segments),
            str(one.chunks),
            str(one.tokens),
            f"{100 * one.recall:.1f}",
            one.runs,
        ]
        for one in choices
    ]
    return markdown(header, rows)

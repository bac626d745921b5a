"""Pictures of a sweep: heat maps over two axes, curves along one, the Pareto frontier."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from bench.figures.canvas import BLUE, GREEN, GREY, INK, ORANGE, canvas
from bench.report.write import file_names
from bench.summary.row import Row
from bench.sweep.results import Results

MOST = 12
"""Heat maps drawn of a dataset at most: the axes that matter most come first."""
CURVES = (
    ("recall", "recall", BLUE),
    ("precision", "precision", GREEN),
    ("tokens", "tokens", ORANGE),
    ("segment_length", "chunks a segment", INK),
)


def draw(folder: Path, found: Results) -> dict[str, list[str]]:
    """Draw everything of each dataset as SVG and PNG; return the files' names by dataset."""
    names = list(dict.fromkeys(row["dataset"] for row in found.cv))
    made: dict[str, list[str]] = {}
    for name, file in file_names(names).items():
        rows = [row for row in found.cv if row["dataset"] == name and not row["error"]]
        paths = [_frontier(folder / f"frontier_{file}.svg", name, rows)] if rows else []
        for axis, group in _lines(rows):
            paths.append(_curve(folder / f"{axis}_{file}.svg", name, axis, group))
        for one, other in _pairs(found, name):
            paths += _heat(folder / f"{one}_{other}_{file}.svg", name, (one, other), rows)
        made[name] = [path.name for path in paths]
    return made


def _frontier(path: Path, dataset: str, rows: Sequence[Row]) -> Path:
    with canvas(path, 6.4, 4.2) as figure:
        axes = figure.subplots()
        best = sorted((r["mean_tokens"], r["mean_recall"]) for r in rows if r["pareto"])
        x, y = ([row[f"mean_{name}"] for row in rows] for name in ("tokens", "recall"))
        axes.scatter(x, y, s=6, color=GREY, alpha=0.5, label="settings")
        axes.plot(*zip(*best, strict=True), color=BLUE, marker=".", lw=1, label="none is better")
        axes.set(xlabel="mean tokens", ylabel="mean recall", title=f"{dataset}: Pareto frontier")
        axes.legend(frameon=False)
        axes.grid(visible=True, alpha=0.25)
    return path


def _lines(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Yield axes of numbers with the settings that differ from the best one in them alone."""
    if not rows:
        return
    best = max(rows, key=lambda row: (row["margin"] == row["margin"], row["margin"]))
    axes = [name for name in best if name.startswith("param_")]
    for axis in axes:
        others = [name for name in axes if name != axis]
        group = [row for row in rows if all(row[name] == best[name] for name in others)]
        if len(group) > 2 and all(_is_number(row[axis]) for row in group):
            yield axis.removeprefix("param_"), sorted(group, key=lambda row: row[axis])


def _curve(path: Path, dataset: str, axis: str, rows: Sequence[Row]) -> Path:
    x = [row[f"param_{axis}"] for row in rows]
    with canvas(path, 7.2, 5.2) as figure:
        plots = figure.subplots(2, 2, sharex=True).ravel()
        for plot, (name, label, colour) in zip(plots, CURVES, strict=True):
            mean = "segment_length" if name == "segment_length" else f"mean_{name}"
            plot.plot(x, [row[mean] for row in rows], color=colour, marker=".")
            if f"low_{name}" in rows[0]:
                low, high = ([row[f"{end}_{name}"] for row in rows] for end in ("low", "high"))
                plot.fill_between(x, low, high, color=colour, alpha=0.15, lw=0)
            plot.set_ylabel(label)
            plot.grid(visible=True, alpha=0.25)
        for plot in plots[2:]:
            plot.set_xlabel(axis)
        figure.suptitle(f"{dataset}: along {axis}, all else as in the best setting; 95 % bands")
    return path


def _pairs(found: Results, dataset: str) -> list[tuple[str, str]]:
    """Return pairs of axes of numbers, those first whose values differ most in recall."""
    spread = {
        row["axis"]: row["range_recall"]
        for row in found.sensitivity
        if row["dataset"] == dataset and _is_number(row["value"])
    }
    axes = sorted(spread, key=lambda axis: -spread[axis])
    return list(combinations(axes, 2))[:MOST]


def _heat(path: Path, dataset: str, pair: tuple[str, str], rows: Sequence[Row]) -> list[Path]:
    """Draw recall and tokens over two axes, averaged over the others; nothing without a grid."""
    down, across = (f"param_{axis}" for axis in pair)
    cells: dict[tuple[Any, Any], list[Row]] = {}
    for row in rows:
        if _is_number(row[down]) and _is_number(row[across]):
            cells.setdefault((row[down], row[across]), []).append(row)
    ys, xs = (sorted({key[i] for key in cells}) for i in (0, 1))
    if len(cells) < 4 or len(cells) < len(ys) * len(xs):
        return []
    with canvas(path, 9.0, 0.9 + 0.32 * max(len(ys), 6)) as figure:
        for plot, name in zip(figure.subplots(1, 2), ("recall", "tokens"), strict=True):
            grid = [[_mean_of(cells[y, x], name) for x in xs] for y in ys]
            shown = plot.imshow(grid, aspect="auto", cmap="viridis")
            plot.set_xticks(range(len(xs)), [f"{x:g}" for x in xs], rotation=90)
            plot.set_yticks(range(len(ys)), [f"{y:g}" for y in ys])
            plot.set(xlabel=pair[1], ylabel=pair[0], title=f"{dataset}: mean {name}")
            figure.colorbar(shown, ax=plot)
    return [path]


def _mean_of(rows: Sequence[Row], name: str) -> float:
    return float(np.mean([row[f"mean_{name}"] for row in rows]))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)

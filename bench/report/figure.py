"""Recall against tokens: every arm as a point, top-k and the oracle as lines."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.metrics.tokens import BUDGETS
from bench.report.table import family, short
from bench.store.atomic import write
from bench.summary.curves import mean_curve
from bench.summary.frontiers import TOPK
from bench.summary.row import Row
from bench.summary.tables import Tables

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Okabe and Ito's palette, told apart by colour-blind eyes as well."""

MOST_NAMED = 40
"""With more arms than this the legend names kinds of arms only."""


def draw(path: Path, dataset: str, made: Tables, curves: Sequence[Mapping[str, Any]]) -> Path:
    """Draw one dataset as SVG at `path` and PNG beside it, the same bytes every time."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    rows = [row for row in made.summary if row["dataset"] == dataset]
    frontiers = [row for row in made.frontiers if row["dataset"] == dataset]
    # A fixed salt and no date: the same numbers must give the same file.
    settings: Any = {"svg.hashsalt": "rse-bench", "svg.fonttype": "path", "font.size": 9}
    settings["text.parse_math"] = False  # a dollar sign in a name is a dollar sign
    with mpl.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # names in scripts that the font lacks
        figure = Figure(layout="constrained")
        axes = figure.subplots()
        _lines(axes, dataset, rows, curves)
        _bands(axes, rows, frontiers)
        _points(axes, rows)
        axes.set(xlabel="mean tokens per question", ylabel="mean recall")
        if any(row["mean_tokens"] > 0 for row in rows):
            axes.set(xscale="log", xlabel="mean tokens per question (log scale)")
        axes.set_ylim(0, 1.02)
        axes.set_title(f"{dataset}: recall against tokens, {_asked(rows)}", loc="left")
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.grid(visible=True, alpha=0.25)
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=8)
        figure.set_size_inches(*_size(axes.get_legend_handles_labels()[1]))
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, lambda to: figure.savefig(to, metadata={"Date": None}))
        write(path.with_suffix(".png"), lambda to: figure.savefig(to, dpi=150))
    return path


def _size(labels: Sequence[str]) -> tuple[float, float]:
    """Return inches that leave room for the legend beside five inches of axes."""
    return max(8.0, 5.5 + 0.075 * max(map(len, labels))), max(5.0, 0.6 + 0.19 * len(labels))


def _lines(
    axes: Axes, dataset: str, rows: Sequence[Row], curves: Sequence[Mapping[str, Any]]
) -> None:
    families = dict.fromkeys(map(family, rows))
    for number, name in enumerate(families):
        x, y = mean_curve(curves, dataset, name)
        of = "" if len(families) == 1 else f", {name}"
        shade = f"{0.55 - 0.1 * (number % 4)}"
        axes.plot(x[1:], y[1:], color=shade, lw=1.5, label=f"top-k, every k{of}", zorder=1)
        oracle = sorted(
            (row["mean_tokens"], row["mean_recall"])
            for row in rows
            if row["strategy"].startswith("oracle") and family(row) == name
        )
        if oracle:
            label = f"oracle (knows the gold){of}"
            axes.plot(*zip(*oracle, strict=True), ":", color=shade, lw=1, marker=".", label=label)


def _bands(axes: Axes, rows: Sequence[Row], frontiers: Sequence[Row]) -> None:
    """Shade the 95 % interval of each family's top-k curve, at the budgets that tables have."""
    for number, name in enumerate(dict.fromkeys(map(family, rows))):
        for row in frontiers:
            if (row["family"], row["curve"]) != (name, TOPK):
                continue
            band = [
                (budget, *(row[f"{end}_recall_at_mean_tokens_{budget}"] for end in ("low", "high")))
                for budget in BUDGETS
            ]
            known = [one for one in band if not np.isnan(one).any()]
            if len(known) < 2:
                continue
            x, low, high = zip(*known, strict=True)
            shade = f"{0.55 - 0.1 * (number % 4)}"
            axes.fill_between(x, low, high, color=shade, alpha=0.15, lw=0, zorder=0)


def _points(axes: Axes, rows: Sequence[Row]) -> None:
    shown = [row for row in rows if not row["strategy"].startswith(("oracle", "topk"))]
    kinds = list(dict.fromkeys(map(_kind, shown)))
    markers = "osD^vP*X"
    named: set[str] = set()
    for number, row in enumerate(shown):
        value, low, high = row["mean_recall"], row["low_recall"], row["high_recall"]
        if np.isnan(value) or row["mean_tokens"] <= 0:
            continue
        label = _label(row, rows) if len(shown) <= MOST_NAMED else _kind(row)
        axes.errorbar(
            row["mean_tokens"],
            value,
            yerr=None if np.isnan(low) else [[value - low], [high - value]],
            fmt=markers[number % len(markers)],
            color=COLOURS[kinds.index(_kind(row)) % len(COLOURS)],
            ms=5,
            elinewidth=0.8,
            label="" if label in named else label,
        )
        named.add(label)


def _kind(row: Row) -> str:
    """Name what arms of one colour share: the strategy without parameters, and the scores."""
    return f"{row['strategy'].partition('[')[0]} / {row['scores']}"


def _asked(rows: Sequence[Row]) -> str:
    """Count the questions with gold, which all that is drawn is about."""
    return f"{int(rows[0]['questions'] - rows[0]['undefined']) if rows else 0} questions"


def _label(row: Row, rows: Sequence[Row]) -> str:
    several = len(set(map(family, rows))) > 1
    return f"{short(row)} / {family(row)}" if several else short(row)

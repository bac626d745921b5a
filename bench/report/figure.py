"""Recall against tokens: every arm as a point, top-k and the oracle as lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.report.table import short
from bench.store.atomic import write
from bench.summary import Row, mean_curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Okabe and Ito's palette, told apart by colour-blind eyes as well."""


def draw(
    folder: Path, dataset: str, summary: Sequence[Row], curves: Sequence[Mapping[str, Any]]
) -> Path:
    """Draw one dataset as SVG and PNG, the same bytes every time; return the SVG's path."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    rows = [row for row in summary if row["dataset"] == dataset]
    # A fixed salt and no date: the same numbers must give the same file.
    settings: Any = {"svg.hashsalt": "rse-bench", "svg.fonttype": "path", "font.size": 9}
    with mpl.rc_context(settings):
        figure = Figure(figsize=(8, 5), layout="constrained")
        axes = figure.subplots()
        _lines(axes, dataset, rows, curves)
        _points(axes, rows)
        axes.set(xscale="log", xlabel="mean tokens per question (log scale)", ylabel="mean recall")
        axes.set_ylim(0, 1.02)
        axes.set_title(f"{dataset}: recall against tokens, {_count(rows)} questions", loc="left")
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.grid(visible=True, alpha=0.25)
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=8)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"recall_tokens_{Path(dataset).name}.svg"
        write(path, lambda to: figure.savefig(to, metadata={"Date": None}))
        write(path.with_suffix(".png"), lambda to: figure.savefig(to, dpi=150))
    return path


def _lines(
    axes: Axes, dataset: str, rows: Sequence[Row], curves: Sequence[Mapping[str, Any]]
) -> None:
    families = dict.fromkeys(f"{row['chunker']} / {row['retriever']}" for row in rows)
    for family in families:
        x, y = mean_curve(curves, dataset, family)
        name = "top-k, every k" if len(families) == 1 else f"top-k, {family}"
        axes.plot(x[1:], y[1:], color="0.55", lw=1.5, label=name, zorder=1)
    oracle = sorted(
        (row["mean_tokens"], row["mean_recall"])
        for row in rows
        if row["strategy"].startswith("oracle")
    )
    if oracle:
        axes.plot(
            *zip(*oracle, strict=True), "k:", lw=1, marker=".", label="oracle (knows the gold)"
        )


def _points(axes: Axes, rows: Sequence[Row]) -> None:
    shown = [row for row in rows if not row["strategy"].startswith(("oracle", "topk"))]
    kinds = list(dict.fromkeys((row["strategy"].partition("[")[0], row["scores"]) for row in shown))
    markers = "osD^vP*X"
    for number, row in enumerate(shown):
        kind = kinds.index((row["strategy"].partition("[")[0], row["scores"]))
        value, low, high = row["mean_recall"], row["low_recall"], row["high_recall"]
        if np.isnan(value) or row["mean_tokens"] <= 0:
            continue
        error = None if np.isnan(low) else [[value - low], [high - value]]
        axes.errorbar(
            row["mean_tokens"],
            value,
            yerr=error,
            fmt=markers[number % len(markers)],
            color=COLOURS[kind % len(COLOURS)],
            ms=5,
            elinewidth=0.8,
            label=_label(row, rows),
        )


def _count(rows: Sequence[Row]) -> int:
    return int(rows[0]["questions"]) if rows else 0


def _label(row: Row, rows: Sequence[Row]) -> str:
    several = len({(other["chunker"], other["retriever"]) for other in rows}) > 1
    return f"{short(row)} / {row['chunker']} / {row['retriever']}" if several else short(row)

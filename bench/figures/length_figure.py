"""Segment length against the penalty: the documented ranges as bands, what is measured as lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bench.figures.canvas import BLUE, GREEN, GREY, INK, ORANGE, PALE, PINK, YELLOW, canvas
from bench.figures.lengths import DOCUMENTED, Length

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLES = {
    "holds": "Where it roughly holds (made up)",
    "changed": "One thing changed (made up)",
    "real": "Where it does not (pydata-docs)",
}
BELOW = {
    "holds": "one document of 300 chunks, decay_rate 20,\nminimum_value 0.1, no caps",
    "changed": "the same with high similarities, but for what\nthe legend names",
    "real": "66 questions, dsRAG's presets with their caps,\nraw and min-max scores",
}
COLOURS = (BLUE, ORANGE, GREEN, PINK, YELLOW)
SPREAD = 0.075
"""How far neighbouring curves stand apart, so that no marker hides another."""


def draw_lengths(path: Path, rows: Sequence[Length]) -> None:
    """Draw one panel for each group of curves; hollow markers lie outside the documented range."""
    groups = list(dict.fromkeys(row.group for row in rows))
    with canvas(path, 3.9 * len(groups), 4.9) as figure:
        every = figure.subplots(1, len(groups), sharey=True, squeeze=False)[0]
        for axes, group in zip(every, groups, strict=True):
            _panel(axes, [row for row in rows if row.group == group])
            axes.set_title(TITLES[group], loc="left", fontsize=10, weight="bold", pad=32)
            axes.text(0, 1.015, BELOW[group], transform=axes.transAxes, fontsize=8, va="bottom")
            axes.legend(loc="upper right", frameon=False, fontsize=8, handlelength=2.4)
        _explain(every[0])
        _empty(every[-1], [row for row in rows if row.group == groups[-1]])
        every[0].set_ylabel("mean chunks in a segment (log scale)")
        figure.supxlabel("irrelevant_chunk_penalty", fontsize=9)


def _panel(axes: Axes, rows: Sequence[Length]) -> None:
    _bands(axes)
    curves = list(dict.fromkeys(row.curve for row in rows))
    for number, curve in enumerate(curves):
        colour, line, marker = _style(number, curve, curves)
        offset = SPREAD * (number - (len(curves) - 1) / 2)
        some = [row for row in rows if row.curve == curve]
        x = [list(DOCUMENTED).index(row.penalty) + offset for row in some]
        y = [row.mean_chunks for row in some]
        axes.plot(x, y, line, color=colour, lw=1.3, zorder=2)
        for place, row in zip(x, some, strict=True):
            face = colour if row.within else "white"
            axes.plot(place, row.mean_chunks, marker, color=colour, mfc=face, ms=5.5, zorder=3)
        axes.plot([], [], line, marker=marker, color=colour, ms=5.5, lw=1.3, label=curve)
    axes.set_yscale("log")
    axes.set_ylim(1, 300)
    axes.set_yticks([1, 2, 5, 10, 20, 50, 100])
    axes.yaxis.set_major_formatter("{x:g}")
    axes.minorticks_off()
    axes.set_xticks(range(len(DOCUMENTED)), [f"{penalty:g}" for penalty in DOCUMENTED])


def _explain(axes: Axes) -> None:
    """Say once, in a legend, what bands and hollow markers are."""
    axes.bar([0], [0], color=PALE, edgecolor=GREY, lw=0.5, label="grey: range that dsRAG documents")
    axes.plot([], [], "o", color=INK, mfc="white", ms=5.5, label="hollow: outside the grey range")
    axes.legend(loc="upper right", frameon=False, fontsize=8, handlelength=2.4)


def _empty(axes: Axes, rows: Sequence[Length]) -> None:
    """Say how many questions get nothing, where the mean hides it."""
    worst = max(rows, key=lambda row: row.empty)
    if worst.empty:
        axes.text(
            -0.42, 1.1,
            f"Means hide empty answers:\n{worst.empty} of {worst.questions} questions get nothing\n"
            f"under {worst.curve}\nat {worst.penalty:g}",
            fontsize=8, va="bottom",
        )  # fmt: skip


def _bands(axes: Axes) -> None:
    low, high = zip(*DOCUMENTED.values(), strict=True)
    heights = [top - bottom for bottom, top in zip(low, high, strict=True)]
    axes.bar(
        range(len(low)), heights, 0.84, bottom=low, color=PALE, edgecolor=GREY, lw=0.5, zorder=0
    )


def _style(number: int, curve: str, curves: Sequence[str]) -> tuple[str, str, str]:
    """Return colour, line and marker; curves named `preset / scores` share a colour by scores."""
    markers = "osD^v"
    if not all(" / " in name for name in curves):
        return COLOURS[number % len(COLOURS)], "-", markers[number % len(markers)]
    scores = list(dict.fromkeys(name.partition(" / ")[2] for name in curves))
    presets = list(dict.fromkeys(name.partition(" / ")[0] for name in curves))
    which = presets.index(curve.partition(" / ")[0])
    colour = COLOURS[scores.index(curve.partition(" / ")[2]) % len(COLOURS)]
    return colour, ("-", "--", ":")[which % 3], markers[which % len(markers)]

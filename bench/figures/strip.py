"""The strip: what each chunk is worth as bars, and below them which chunks each strategy shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.figures.canvas import BLUE, GREEN, GREY, INK, ORANGE, PALE, PINK, SKY, YELLOW, canvas
from rse import Hits, Layout, Segment
from rse.parameters import Parameters
from rse.placed import fading, place
from rse.strategy import chunk_values

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.gridspec import GridSpec

COLOURS = (BLUE, ORANGE, GREEN, PINK)
GOLD = YELLOW
MINUS = "\N{MINUS SIGN}"


class Row(NamedTuple):
    """What one strategy shows."""

    label: str
    segments: Sequence[Segment]
    note: str = ""
    """What stands behind the last chunk."""


@dataclass(frozen=True, slots=True)
class Strip:
    """Some documents, drawn end to end, and what strategies choose from them."""

    title: str
    documents: Sequence[tuple[str, int, int]]
    """Name, first chunk, chunk behind the last one."""
    values: NDArray[np.float64]
    """What each chunk of these documents is worth, one document after the other."""
    hit: NDArray[np.bool_]
    """Whether the search returned it."""
    rows: Sequence[Row]
    gold: Sequence[tuple[int, int]] = field(default=())
    """Runs of chunks that hold gold."""
    worked: bool = False
    """Whether values stand on the bars, and chunks are counted through all documents."""


def chunk_worth(
    parameters: Parameters, hits: Hits, layout: Layout
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return what RSE thinks each chunk of the corpus is worth, and which are hits.

    Hits in documents that are not considered count as no hits.
    """
    placed = place([hits], layout, parameters.top_k_for_document_selection)
    penalty = float(parameters.irrelevant_chunk_penalty)
    fades = fading(parameters.decay_rate, len(hits))
    value = np.full(len(layout), -penalty)
    value[placed.chunk] = chunk_values(placed, fades, parameters.chunk_length_adjustment, penalty)
    hit = np.zeros(len(layout), bool)
    hit[placed.chunk] = True
    return value, hit


def draw_strip(path: Path, strip: Strip, width: float) -> None:
    """Draw a strip as SVG at `path`, and as PNG beside it."""
    rows = len(strip.rows) + bool(strip.gold)
    with canvas(path, width, 3.0 + 0.27 * rows) as figure:
        grid: GridSpec = figure.add_gridspec(2, 1, height_ratios=[2.1, 0.27 * rows], hspace=0.0)
        bars = figure.add_subplot(grid[0])
        bands = figure.add_subplot(grid[1], sharex=bars)
        figure.suptitle(strip.title.replace("$", r"\$"), x=0.01, ha="left", fontsize=10)
        places = _places(strip.documents)
        _bars(bars, strip, places)
        _bands(bands, strip, places)
        for first, last in strip.gold:
            reach = places[first] - 0.5, places[last - 1] + 0.5
            for axes in (bars, bands):
                axes.axvspan(*reach, color=GOLD, alpha=0.12, lw=0, zorder=-1)


def _places(documents: Sequence[tuple[str, int, int]]) -> dict[int, int]:
    """Return where each chunk is drawn: a free place between documents."""
    found: dict[int, int] = {}
    at = 0
    for _, first, last in documents:
        found |= {chunk: at + chunk - first for chunk in range(first, last)}
        at += last - first + 1
    return found


def _bars(axes: Axes, strip: Strip, places: dict[int, int]) -> None:
    x = np.array(list(places.values()))
    worth = strip.values >= 0
    kinds = [
        (strip.hit & worth, SKY, "hit worth 0 or more: may begin or end a segment"),
        (strip.hit & ~worth, GREY, "hit worth less than 0"),
        (~strip.hit, PALE, "no hit: minus the penalty"),
    ]
    for which, colour, label in kinds:
        if which.any():
            look: Any = {"color": colour, "edgecolor": GREY, "lw": 0.5, "label": label}
            axes.bar(x[which], strip.values[which], 0.8, **look)
    if strip.worked:
        for place_of_bar, value in zip(x, strip.values, strict=True):
            above = value >= 0
            axes.annotate(
                f"{value:.3f}".replace("-", MINUS), (place_of_bar, value), (0, 2 if above else -2),
                textcoords="offset points", ha="center", va="bottom" if above else "top",
                fontsize=8,
            )  # fmt: skip
    axes.axhline(0, color=INK, lw=0.8)
    low, high = min(strip.values.min(), 0), max(strip.values.max(), 0)
    axes.set_ylim(low - 0.12 * (high - low), high + 0.1 * (high - low))
    axes.set_ylabel("value of a chunk")
    axes.legend(
        loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize=8,
        columnspacing=1.6, borderaxespad=0.2,
    )  # fmt: skip
    axes.tick_params(bottom=False, labelbottom=False)
    axes.spines["bottom"].set_visible(False)


def _bands(axes: Axes, strip: Strip, places: dict[int, int]) -> None:
    labels = [row.label for row in strip.rows]
    for line, row in enumerate(strip.rows):
        colour = COLOURS[line % len(COLOURS)]
        for segment in row.segments:
            if segment.first in places:
                _band(axes, places, (segment.first, segment.last), line, colour)
        if row.note:
            axes.text(max(places.values()) + 0.75, line, row.note, va="center", fontsize=8)
    if strip.gold:
        labels.append("gold")
        for run in strip.gold:
            _band(axes, places, run, len(labels) - 1, GOLD)
    for line in range(len(labels)):
        axes.axhline(line, color=PALE, lw=0.6, zorder=0)
    axes.set_ylim(len(labels) - 0.45, -0.55)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_xlim(-0.8, max(places.values()) + 0.6)
    _ticks(axes, strip, places)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.tick_params(left=False, bottom=False)


def _band(axes: Axes, places: dict[int, int], run: tuple[int, int], line: int, colour: str) -> None:
    first, last = run
    axes.barh(line, last - first - 0.1, 0.62, left=places[first] - 0.45, color=colour)


def _ticks(axes: Axes, strip: Strip, places: dict[int, int]) -> None:
    """Number the chunks, and name the documents below."""
    many = len(places) > 40
    shown = [
        (places[chunk], chunk if strip.worked else chunk - first)
        for _, first, last in strip.documents
        for chunk in range(first, last)
        if not many or (chunk - first) % 5 == 0
    ]
    axes.set_xticks([at for at, _ in shown], [f"{number}" for _, number in shown], fontsize=8)
    names = [
        ((places[first] + places[last - 1]) / 2, name) for name, first, last in strip.documents
    ]
    below = axes.secondary_xaxis(-0.0)
    below.set_xticks([at for at, _ in names], [f"\nchunks of {name}" for _, name in names])
    below.tick_params(length=0, pad=7)
    below.spines["bottom"].set_visible(False)

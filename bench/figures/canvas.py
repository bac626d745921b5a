"""Figures that come out the same, byte for byte, whenever the numbers are the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.store.atomic import write

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, PINK, YELLOW, SKY = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
)  # fmt: skip
"""Okabe and Ito's palette, told apart by colour-blind eyes as well."""

INK, GREY, PALE = "#222222", "#767676", "#e4e4e4"


@contextmanager
def canvas(path: Path, width: float, height: float) -> Iterator[Figure]:
    """Give an empty figure of so many inches; write it as SVG at `path`, and as PNG beside it."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    # A fixed salt and no date: the same numbers must give the same file.
    settings: Any = {
        "svg.hashsalt": "rse-bench",
        "svg.fonttype": "path",
        "font.size": 9,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": GREY,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "xtick.color": INK,
        "ytick.color": INK,
    }
    with mpl.rc_context(settings):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, lambda to: figure.savefig(to, metadata={"Date": None}))
        write(path.with_suffix(".png"), lambda to: figure.savefig(to, dpi=150))

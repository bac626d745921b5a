"""The worked example of docs/rse.md: two documents, twelve chunks, six hits."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bench.figures.strip import Row, Strip, chunk_worth, draw_strip
from rse import RSE, Hits, Layout, Optimal, Priced, Segment, Strategy

LAYOUT = Layout(
    start=np.array([0, 9, 12]),
    length=np.array([600, 650, 840, 250, 700, 690, 640, 700, 500, 610, 660, 580]),
    tokens=np.array([140, 150, 180, 60, 150, 200, 140, 160, 120, 140, 150, 130]),
)
"""Document A is chunks 0 to 8, document B is chunks 9 to 11."""

HITS = Hits(np.array([2, 1, 4, 10, 6, 7]), np.array([0.90, 0.80, 0.78, 0.77, 0.50, 0.20]))
"""Six hits, best first."""

SHARES = Hits(np.array([2, 1, 4, 10, 6, 7]), np.array([0.30, 0.22, 0.16, 0.10, 0.06, 0.01]))
"""The same hits with expected shares of the gold; 0.15 is left for "none of these"."""

ARMS: tuple[tuple[str, Strategy, Hits], ...] = (
    ("RSE, greedy", RSE(), HITS),
    ("Optimal, no segment cost", Optimal(segment_cost=0), HITS),
    ("Optimal", Optimal(), HITS),
    ("Priced, token_price 0.0004", Priced(token_price=0.0004), SHARES),
)


def example() -> Strip:
    """Let every arm choose from the example."""
    values, hit = chunk_worth(RSE(), HITS, LAYOUT)
    chosen = [(label, arm.select([hits], LAYOUT)) for label, arm, hits in ARMS]
    rows = [Row(label, segments, _note(segments)) for label, segments in chosen]
    title = "The worked example: values under balanced, and what is chosen"
    return Strip(title, [("A", 0, 9), ("B", 9, 12)], values, hit, rows, worked=True)


def draw_example(path: Path) -> None:
    """Draw the example."""
    draw_strip(path, example(), 8.6)


def _note(segments: list[Segment]) -> str:
    chunks = sum(one.last - one.first for one in segments)
    return f"{len(segments)} segments, {chunks} chunks"

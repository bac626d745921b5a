"""Segment lengths on real questions: dsRAG's presets with their caps, raw and min-max scores."""

from __future__ import annotations

from collections.abc import Sequence

from bench.figures.lengths import Asked, Length, at_penalties, measure
from rse import PRESETS, Hits, Layout
from rse.calibration import Calibration, MinMax, Raw

SCORES: dict[str, Calibration] = {"raw cosine": Raw(), "min-max": MinMax()}


def real(layout: Layout, found: Sequence[Hits]) -> list[Length]:
    """Measure the length of segments under each preset, for raw and for min-max scores."""
    rows = []
    for scores, calibration in SCORES.items():
        asked: list[Asked] = [([calibration.apply(hits, layout)], layout) for hits in found]
        for name, preset in PRESETS.items():
            rows += measure("real", f"{name} / {scores}", asked, at_penalties(preset))
    return rows

"""What every strategy promises of its segments, checked before anything is made of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bench.errors import cut
from rse import Layout, Segment


def check_segments(segments: Sequence[Segment], layout: Layout) -> None:
    """Refuse segments that are no runs of chunks of one document each, or share a chunk.

    Raises:
        ValueError: Names the segment and what is wrong with it.
    """
    if not segments:
        return
    ordered = sorted(segments)
    bounds = np.array([(segment.first, segment.last) for segment in ordered])
    if bounds.dtype.kind != "i":
        raise ValueError(f"segments run from chunk to chunk in whole numbers, got {segments[0]}")
    first, last = bounds.T
    _refuse(
        (first < 0) | (first >= last) | (last > len(layout)),
        ordered,
        f"is no run of chunks; 0 <= first < last <= {len(layout)} expected",
    )
    _refuse(layout.document(first) != layout.document(last - 1), ordered, "crosses documents")
    _refuse(np.r_[False, first[1:] < last[:-1]], ordered, "shares chunks with another one")
    _refuse(~np.isfinite([s.score for s in ordered]), ordered, "has a score that is no number")


def check_same(segments: Sequence[Segment], before: Sequence[Segment]) -> None:
    """Refuse a choice that differs from the one made before from the same hits.

    Raises:
        ValueError: Says what was chosen first and what now.
    """
    if list(segments) != list(before):
        raise ValueError(
            f"asked again, it chose {cut(str(list(segments)), 80)} where it had chosen "
            f"{cut(str(list(before)), 80)}: a strategy must choose the same from the same hits"
        )


def _refuse(wrong: NDArray[np.bool_], segments: Sequence[Segment], reason: str) -> None:
    if wrong.any():
        segment = segments[int(np.argmax(wrong))]
        raise ValueError(
            f"the segment [{segment.first}, {segment.last}) of score {segment.score} {reason}"
        )

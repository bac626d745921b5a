"""The sections that chunks stand in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rse.types import Layout


def sections(
    layout: Layout, chunk: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first chunk of each chunk's section and the one behind its last.

    No section goes beyond its document. O(log chunks) each: the rest of the corpus is not looked
    at.

    Raises:
        ValueError: The layout knows no sections, or their numbers fall.
    """
    if layout.parent is None:
        raise ValueError(
            "the chunks belong to no sections (the layout has no `parent`); the chunkers markdown, "
            "page and parent_child make sections"
        )
    number, document = layout.parent[chunk], layout.document(chunk)
    first = np.searchsorted(layout.parent, number, side="left")
    last = np.searchsorted(layout.parent, number, side="right")
    first = np.maximum(first, layout.start[document])
    last = np.minimum(last, layout.start[document + 1])
    if not ((first <= chunk) & (chunk < last)).all():
        raise ValueError(
            "Layout.parent must never fall from one chunk to the next: number the sections of all "
            "documents through"
        )
    return first, last

"""What an exact solver says beside the segments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rse.types import Segment, segments


@dataclass(frozen=True, slots=True)
class Solution:
    """Segments, and how good they are."""

    segments: list[Segment]
    """By descending score, equal scores by position."""

    total: float
    """What they are worth together, in the terms of what was maximised."""

    bound: float
    """No choice of segments within the same limits has a greater total."""

    price: float = 0.0
    """The price of a token at which they are the best choice, where there is one."""

    @property
    def gap(self) -> float:
        """How far the total may be from the best possible one; 0 for an exact optimum."""
        return self.bound - self.total


def solution(
    first: NDArray[np.int64], last: NDArray[np.int64], score: NDArray[np.float64], total: float
) -> Solution:
    """Make the solution of an exact optimum."""
    return Solution(segments(first, last, score), total, total)

"""Turn texts into vectors of unit length, losing nothing in silence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bench.retrieval.embedders.sentence import SentenceEncoder, minilm
from bench.retrieval.embedders.windows import Long

__all__ = ["TOLERANCE", "Encoder", "Long", "SentenceEncoder", "is_unit", "minilm"]

TOLERANCE = 1e-3
"""How far the length of a vector may be from 1."""


class Encoder(Protocol):
    """An embedding model."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    @property
    def identity(self) -> str:
        """Hex digest of everything that can change a vector."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    @property
    def remote(self) -> bool:
        """Whether somebody else computes, and may want to be paid: look up before asking."""
        ...

    @property
    def block(self) -> int:
        """Texts worth giving at a time: what is lost at most when a run is killed."""
        ...

    @property
    def queries(self) -> Encoder:
        """What embeds search queries: itself where those are treated like documents."""
        ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of unit length for each text."""
        ...

    def measure(self, texts: Sequence[str]) -> tuple[int, int]:
        """Return how many texts are over the limit, and how many of their tokens are lost.

        This does not depend on what a cache held.
        """
        ...


def is_unit(rows: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Tell which rows are finite and of unit length."""
    squares = np.einsum("ij,ij->i", rows, rows, dtype=np.float64)
    length: NDArray[np.float64] = np.sqrt(squares)
    return np.abs(length - 1) <= TOLERANCE  # false for nan and infinity as well

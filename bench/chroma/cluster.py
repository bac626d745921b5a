"""The report's semantic chunker: small pieces put together by what their vectors have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.chroma.recursive import ReportRecursive
from bench.chunking.pieces import Piece, Pieces
from bench.types import Document

Vectors = Callable[[Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class ReportCluster:
    """Cut a text into runs of pieces with the largest sum of similarities inside the runs.

    A similarity is a cosine less the mean cosine of any two pieces of the text.
    """

    pieces: ReportRecursive
    """Cuts the pieces."""

    longest: int
    """Most pieces of a chunk."""

    vectors: Vectors
    """Gives texts their vectors, of unit length."""

    def cut(self, document: Document) -> Pieces:
        spans = self.pieces.cut(document).spans
        if not spans:
            return Pieces([])
        rows = self.vectors([document.text[start:end] for start, end in spans])
        runs = best_runs(alike(rows), self.longest)
        return Pieces([(spans[first][0], spans[last][1]) for first, last in runs])

    def texts(self, document: Document, chunks: Sequence[Piece]) -> list[str]:
        """Return what is embedded for chunks: their pieces with a blank between any two."""
        spans = self.pieces.cut(document).spans
        return [
            " ".join(document.text[a:b] for a, b in spans if start <= a < end)
            for start, end in chunks
        ]


def alike(rows: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the cosine of any two rows, less the mean over all pairs; of a row with itself 0.

    >>> alike(np.array([[1, 0], [1, 0], [0, 1]], np.float32)).round(3).tolist()
    [[0.0, 0.667, -0.333], [0.667, 0.0, -0.333], [-0.333, -0.333, 0.0]]
    """
    found: NDArray[np.float64] = np.asarray(rows, np.float64) @ np.asarray(rows, np.float64).T
    np.fill_diagonal(found, 0.0)
    pairs = len(rows) * (len(rows) - 1)
    if pairs:
        found -= found.sum() / pairs
    np.fill_diagonal(found, 0.0)
    return found


def best_runs(similar: NDArray[np.float64], longest: int) -> list[tuple[int, int]]:
    """Return the first and last row of each run.

    As upstream: where no run is worth more than 0, all rows up to there are one.

    >>> best_runs(np.array([[0, 1, -1], [1, 0, -1], [-1, -1, 0]], float), longest=2)
    [(0, 1), (2, 2)]
    """
    worth = np.zeros(len(similar))
    begins = np.zeros(len(similar), np.int64)
    for last in range(len(similar)):
        for first in range(last, max(last - longest, -1), -1):
            found = similar[first : last + 1, first : last + 1].sum()
            found += worth[first - 1] if first else 0.0
            if found > worth[last]:
                worth[last], begins[last] = found, first
    runs = []
    last = len(similar) - 1
    while last >= 0:
        runs.append((int(begins[last]), last))
        last = int(begins[last]) - 1
    return runs[::-1]

"""How long segments are at a penalty: what dsRAG documents, and what is measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rse import RSE, Hits, Layout, Strategy

DOCUMENTED = {0.05: (20, 50), 0.1: (10, 20), 0.2: (4, 10), 0.3: (2, 6), 0.4: (1, 3)}
"""Chunks in a segment by `irrelevant_chunk_penalty` (dsRAG 0.5.6, docstring in `dsrag/rse.py`)."""

UNLIMITED = 10**6
"""More chunks than there are: no cap."""

SEED = 20240

Asked = tuple[Sequence[Hits], Layout]
"""The hits of a question's search queries, and the corpus they refer to."""


class Length(NamedTuple):
    """What is measured for one set of questions, scores and parameters at one penalty."""

    group: str
    """`holds`, `changed` (one thing is) or `real`."""
    curve: str
    """What was measured, in words."""
    penalty: float
    documented_low: int
    documented_high: int
    mean_chunks: float
    """Mean length of all segments of all questions; nan without any."""
    within: bool
    """Whether the mean lies in the documented range."""
    segments: int
    questions: int
    empty: int
    """Questions for which nothing is returned."""


def measure(
    group: str, curve: str, asked: Sequence[Asked], strategies: Iterable[RSE]
) -> list[Length]:
    """Measure one curve: a strategy for each penalty, over the same questions."""
    return [_length(group, curve, asked, strategy) for strategy in strategies]


def _length(group: str, curve: str, asked: Sequence[Asked], strategy: RSE) -> Length:
    chosen = [_lengths(strategy, *one) for one in asked]
    lengths = [length for some in chosen for length in some]
    low, high = DOCUMENTED[strategy.irrelevant_chunk_penalty]
    mean = round(sum(lengths) / len(lengths), 2) if lengths else nan
    return Length(
        group,
        curve,
        strategy.irrelevant_chunk_penalty,
        low,
        high,
        mean,
        low <= mean <= high,
        len(lengths),
        len(asked),
        sum(not some for some in chosen),
    )


def _lengths(strategy: Strategy, hits: Sequence[Hits], layout: Layout) -> list[int]:
    return [segment.last - segment.first for segment in strategy.select(hits, layout)]


def at_penalties(strategy: RSE) -> list[RSE]:
    """Return the strategy at each penalty that dsRAG says something about."""
    return [replace(strategy, irrelevant_chunk_penalty=penalty) for penalty in DOCUMENTED]


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeUp:
    """Questions to one long document that drifts in and out of what is asked.

    Relevance is a stationary series along the document: normal, each chunk correlated with the one
    before. The `hits` most relevant chunks are ranked by it, and the similarity of a rank is given
    by the shape `scores`, with x = rank / chunks:

    - `high`: 1 - 0.3 x. Nearly constant, much as in dsRAG's first formula, which had none;
    - `uniform`: 1 - x, as when similarities are spread evenly over [0, 1];
    - `cosine`: 0.2 + 0.5 exp(-rank / 20). From 0.7 to 0.2, like raw cosines of a small model.
    """

    chunks: int = 300
    hits: int = 200
    correlation: float = 0.9
    scores: str = "high"
    documents: int = 200
    """Documents drawn, one question each."""

    def draw(self) -> list[Asked]:
        """Draw them: always the same ones."""
        layout = Layout(np.array([0, self.chunks]), np.full(self.chunks, 700))
        rank = np.arange(min(self.hits, self.chunks))
        score = self._score(rank)
        order = np.argsort(-self._relevance(), axis=1, kind="stable")
        return [([Hits(chunks[rank], score)], layout) for chunks in order]

    def _relevance(self) -> NDArray[np.float64]:
        """Return the relevance of each chunk. Shape: (documents, chunks)."""
        noise = np.random.default_rng(SEED).standard_normal((self.documents, self.chunks))
        drift = noise.copy()
        fresh = np.sqrt(1 - self.correlation**2)
        for chunk in range(1, self.chunks):
            drift[:, chunk] = self.correlation * drift[:, chunk - 1] + fresh * noise[:, chunk]
        return drift

    def _score(self, rank: NDArray[np.int64]) -> NDArray[np.float64]:
        shapes = {
            "high": 1 - 0.3 * rank / self.chunks,
            "uniform": 1 - rank / self.chunks,
            "cosine": 0.2 + 0.5 * np.exp(-rank / 20),
        }
        return shapes[self.scores]


LOOSE = RSE(decay_rate=20, minimum_value=0.1, max_length=UNLIMITED, overall_max_length=UNLIMITED)
"""No caps; 20 is the default of the dsRAG function whose docstring holds the table."""


def made_up() -> list[Length]:
    """Measure where the documented lengths roughly hold, and what ends that."""
    slow, strict = replace(LOOSE, decay_rate=30), replace(LOOSE, minimum_value=0.5)
    curves = [
        ("holds", "high similarities", MadeUp(), LOOSE),
        ("holds", "uniform similarities", MadeUp(scores="uniform"), LOOSE),
        ("changed", "similarities like raw cosines", MadeUp(scores="cosine"), LOOSE),
        ("changed", "document of 600 chunks", MadeUp(chunks=600), LOOSE),
        ("changed", "decay_rate 30, as in balanced", MadeUp(), slow),
        ("changed", "minimum_value 0.5, as in balanced", MadeUp(), strict),
    ]
    return [
        row
        for group, curve, made, strategy in curves
        for row in measure(group, curve, made.draw(), at_penalties(strategy))
    ]

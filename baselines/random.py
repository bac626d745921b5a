"""Chance: k chunks drawn blindly, the floor under every other strategy."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rse.checks import named, whole
from rse.types import Hits, Layout, QuestionView, Segment, in_order


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Random:
    """Draw `k` chunks of the documents searched, each as likely as any other.

    The draw depends on `seed` and the question's id alone.
    """

    k: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        whole("k", self.k, 1)
        whole("seed", self.seed, 0)

    def for_question(self, view: QuestionView) -> _Draw:
        return _Draw(self, view)

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:  # noqa: ARG002
        raise ValueError("random draws for one question: call for_question(view).select(...)")


@dataclass(frozen=True, slots=True)
class _Draw:
    strategy: Random
    view: QuestionView

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:  # noqa: ARG002
        word = hashlib.sha256(self.view.id.encode("utf-8", "surrogatepass")).digest()[:8]
        generator = np.random.default_rng([self.strategy.seed, int.from_bytes(word, "big")])
        start = layout.start
        documents = self.view.documents
        if documents is None:
            documents = np.arange(len(start) - 1)
        # Numbers 0, 1, 2... run through the chunks in scope without listing them.
        ends = np.cumsum(start[documents + 1] - start[documents])
        total = int(ends[-1]) if len(ends) else 0
        drawn = generator.choice(total, min(self.strategy.k, total), replace=False, shuffle=False)
        place = np.searchsorted(ends, drawn, side="right")
        chunk = start[documents[place] + 1] - (ends[place] - drawn)
        return in_order([Segment(c, c + 1, 0.0) for c in chunk.tolist()])

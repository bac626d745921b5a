"""Full knowledge: what the best choice of whole chunks could reach at a number of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rse.checks import named, whole
from rse.types import Hits, Layout, QuestionView, Segment, in_order


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Oracle:
    """Take chunks by gold characters per token until `tokens` are reached, the last in full.

    It knows the gold and looks at all chunks in scope, retrieved or not: nothing to compete with,
    but the measure of what is left to gain. `Segment.score` is gold characters per token.

    No choice of chunks without overlap has more recall for as few tokens as it took, as long as
    each passage of gold stands in one place. Where it has alternatives the view has settled on one
    of them whatever `tokens` is, and at some number of tokens another one may be a little better.
    """

    tokens: int = 1000

    def __post_init__(self) -> None:
        whole("tokens", self.tokens, 1)

    def for_question(self, view: QuestionView) -> _Informed:
        return _Informed(self, view)

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:  # noqa: ARG002
        raise ValueError("oracle must know the gold: call for_question(view).select(...)")


@dataclass(frozen=True, slots=True)
class _Informed:
    strategy: Oracle
    view: QuestionView

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:  # noqa: ARG002
        if layout.tokens is None:
            raise ValueError("oracle counts tokens, but the layout has none")
        chunk = self.view.gold_chunk
        tokens = layout.tokens[chunk]
        density = self.view.gold / np.maximum(tokens, 1)
        order = np.lexsort((chunk, -density, tokens > 0))  # what costs nothing comes first
        before = np.cumsum(tokens[order]) - tokens[order]
        taken = order[before < self.strategy.tokens]
        return in_order(
            [Segment(int(chunk[i]), int(chunk[i]) + 1, float(density[i])) for i in taken]
        )

"""Segments whose expected share of the gold is worth their tokens: one knob, a price."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rse.checks import named, number, whole
from rse.lagrange import Reached, at_price, within_budget
from rse.placed import MANY
from rse.shares import Shares, shares
from rse.solution import Solution
from rse.types import Hits, Layout, Segment, segments
from rse.units import UNIT, whole_units


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Priced:
    """Select the segments that maximise expected gold less what they cost to read.

    The worth of a set of segments is

        sum of p - token_price * (tokens + segment_tokens * segments)

    with `p`, the score of a hit, taken as the expected share of the question's gold that the chunk
    holds (`rse.calibration.Share` estimates it; several queries: the largest; 0 for chunks that are
    no hits). Segments begin and end on hits, inside one document; there is no other limit. Solved
    exactly for the price. Tokens plus `segment_tokens` for each segment never rise with the price,
    so the price traces recall against tokens.

    With a `token_budget` the price is found for each question: the dearest of the solutions that
    some price reaches within the budget, which counts tokens plus `segment_tokens` for each
    segment. `solve` reports how far that may be from the best choice whatever (`Solution.gap`);
    `Optimal(value="share", token_budget=..., segment_tokens=...)` is that choice.

    `Segment.score` is a segment's worth. Needs a layout with tokens.

    Complexity: O(hits) for a price once hits are sorted, whatever the size of the corpus.
    """

    token_price: float = 0.0002
    """Share of the gold that a token must be expected to bring, 0 to 1; unused with a budget."""

    segment_tokens: int = 80
    """What opening a segment costs, in tokens; 80 is about a segment header."""

    token_budget: int | None = None
    """Most tokens for a question, segment costs included; None: whatever the price allows."""

    def __post_init__(self) -> None:
        number("token_price", self.token_price, "a number from 0 to 1", lambda p: 0 <= p <= 1)
        whole("segment_tokens", self.segment_tokens, 0)
        if self.token_budget is not None:
            whole("token_budget", self.token_budget, 1)

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:
        return self.solve(hits, layout).segments

    def solve(self, hits: Sequence[Hits], layout: Layout) -> Solution:
        """Select segments and say how much gold they are expected to hold, and at what price.

        `total` and `bound` are expected shares of the gold. Without a budget the bound is for the
        cost that the solution has.
        """
        found = shares(hits, layout)
        opening = min(self.segment_tokens, MANY // 2)
        if self.token_budget is None:
            reached = at_price(found, opening, whole_units(self.token_price))
            bound = float(reached.share)
        else:
            reached, bound = within_budget(found, opening, min(self.token_budget, MANY))
        price = int(reached.price) * UNIT
        chosen = _segments(found, layout, reached, price, opening)
        return Solution(chosen, int(reached.share) * UNIT, bound * UNIT, price)

    def frontier(self, hits: Sequence[Hits], layout: Layout) -> list[Solution]:
        """Return every solution that some price reaches, from the dearest to none at all.

        `price` is the highest price at which each is the best choice: the breakpoints, exact to
        2^-40. `total` is the share it is expected to hold. `token_price` and `token_budget` are not
        looked at.

        Complexity: O(hits x solutions).
        """
        found = shares(hits, layout)
        opening = min(self.segment_tokens, MANY // 2)
        solutions = []
        for here, cheaper in pairwise(_corners(found, opening)):
            price = (here.share - cheaper.share) / (here.cost - cheaper.cost) * UNIT
            chosen = _segments(found, layout, here, price, opening)
            solutions.append(Solution(chosen, here.share * UNIT, here.share * UNIT, price))
        return [*solutions, Solution([], 0.0, 0.0, float("inf"))]


def _corners(found: Shares, segment_tokens: int) -> list[Reached]:
    """Return the solutions that some price reaches by falling cost, the empty one last."""
    done = [at_price(found, segment_tokens, 0)]
    ahead = [at_price(found, segment_tokens, int(found.share.sum()) + 1)]
    while ahead:
        dear, cheap = done[-1], ahead[-1]
        if dear.cost == cheap.cost:  # there is nothing to choose from
            ahead.pop()
            continue
        price = (dear.share - cheap.share) // (dear.cost - cheap.cost)
        middle = at_price(found, segment_tokens, price)
        if cheap.cost < middle.cost < dear.cost:
            ahead.append(middle)
        else:
            done.append(ahead.pop())
    return done


def _segments(
    found: Shares, layout: Layout, reached: Reached, price: float, segment_tokens: int
) -> list[Segment]:
    """Make segments, each scored by its worth at the price."""
    before = np.concatenate(([0], np.cumsum(found.share)))
    first, last = found.chunk[reached.first], found.chunk[reached.last] + 1
    held = before[reached.last + 1] - before[reached.first]
    tokens = layout.tokens_of(first, last) + segment_tokens
    return segments(first, last, held * UNIT - price * tokens)

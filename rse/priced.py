"""Segments whose expected share of the gold is worth their tokens: one knob, a price."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rse.checks import named, number, whole
from rse.compiled import compiled
from rse.greedy import Runs
from rse.lagrange import Reached, at_price, within_budget
from rse.placed import MANY, Ranked, ranked
from rse.shares import Corpus, Shares, corpus_of, gathered, shares
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
        given, corpus = ranked(layout.check(hits)), corpus_of(layout)
        opening = min(self.segment_tokens, MANY // 2)
        if self.token_budget is None:
            price, budget = whole_units(self.token_price), -1
        else:
            price, budget = 0, min(self.token_budget, MANY)
        runs, share, bound, price = _solve(given, corpus, opening, price, budget)
        return Solution(segments(*runs), share * UNIT, bound * UNIT, price * UNIT)

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
    return segments(*_worth(found, corpus_of(layout), reached, price, segment_tokens))


@compiled
def _solve(
    hits: Ranked, corpus: Corpus, segment_tokens: int, price: int, budget: int
) -> tuple[Runs, int, float, int]:
    """Place and choose in one compiled call: a question is a few microseconds of work.

    Args:
        hits: The hits of all queries.
        corpus: See `corpus_of`.
        segment_tokens: What opening a segment costs, in tokens.
        price: Units of share for a token; unused with a budget.
        budget: Tokens; -1: none.

    Returns:
        Segments with their worth, the share they hold, its bound and the price, in units.
    """
    found = gathered(hits, corpus)
    if budget > 0:
        reached, bound = within_budget(found, segment_tokens, budget)
    else:
        reached = at_price(found, segment_tokens, price)
        bound = float(reached.share)
    runs = _worth(found, corpus, reached, reached.price * UNIT, segment_tokens)
    return runs, reached.share, bound, reached.price


@compiled
def _worth(
    found: Shares, corpus: Corpus, reached: Reached, price: float, segment_tokens: int
) -> Runs:
    """Return what is reached as chunks, each segment with its worth at the price."""
    first, last = found.chunk[reached.first], found.chunk[reached.last] + 1
    worth = np.empty(len(first), np.float64)
    for i in range(len(first)):
        held = found.share[reached.first[i] : reached.last[i] + 1].sum()
        tokens = corpus.token_sum[last[i]] - corpus.token_sum[first[i]] + segment_tokens
        worth[i] = held * UNIT - price * tokens
    return Runs(first, last, worth)

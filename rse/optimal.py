"""The exact optimum of what RSE maximises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal

import numpy as np

from rse.candidates import limits_of
from rse.checks import ParameterError, named, number, whole
from rse.parameters import Parameters
from rse.placed import MANY, fading, place
from rse.schedule import Pool, best_set, needed, pooled
from rse.shares import best_shares, shares
from rse.solution import Solution, solution
from rse.strategy import chunk_values
from rse.types import Hits, Layout, Segment
from rse.units import UNIT, whole_units

BY_VALUE, BY_SHARE = 0.3, 0.0
"""Default segment costs: in units of RSE's value; in shares of the gold."""


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Optimal(Parameters):
    """Select the set of disjoint segments with the greatest sum of worth within a budget.

    Each segment must be legal for at least one query exactly as for `RSE`; its worth is its best
    value over the queries for which it is legal, less `segment_cost`. All together span at most
    `overall_max_length` chunks, plus the extension for further queries, or have at most
    `token_budget` tokens. Ties: fewer chunks, then fewer segments (two that touch show the reader
    what one would), then earlier in the meta-document. `Segment.score` is the value before the
    cost, so that sums compare with those of `RSE`: with `segment_cost` 0 they are never smaller.

    With `value="share"` it is the optimum that `Priced` approaches instead: scores are expected
    shares of the gold, segments begin and end on hits, and the budget of tokens is the only limit.

    Values add up, so without a cost a gap is bridged only where one side alone would miss
    `minimum_value`: the optimum falls apart into many short segments. `segment_cost` is what keeps
    it to RSE's idea.

    Complexity: O((hits + candidates) x budget), for at most hits x max_length candidates; with
    `value="share"` O(hits x budget).
    """

    segment_cost: float | None = None
    """What each segment costs beside its chunks, in units of value; 0 or more.

    None: 0.3, or 0 with `value="share"`. 0.3 is chosen from the tables of `docs/rse.md`: where
    evidence is long it finds more for the same tokens, where it is short it loses nothing.
    """

    token_budget: int | None = None
    """Most tokens in all segments together, in place of the budget of chunks; None: chunks."""

    segment_tokens: int = 0
    """What opening a segment takes of `token_budget`, in tokens; 0 or more."""

    value: Literal["rse", "share"] = "rse"
    """What a chunk is worth: RSE's value, or its score as it is, an expected share of the gold."""

    def __post_init__(self) -> None:
        Parameters.__post_init__(self)
        if self.segment_cost is None:
            usual = BY_SHARE if self.value == "share" else BY_VALUE
            object.__setattr__(self, "segment_cost", usual)
        number("segment_cost", self.segment_cost, "a number of 0 or more", lambda cost: cost >= 0)
        whole("segment_tokens", self.segment_tokens, 0)
        if self.token_budget is not None:
            whole("token_budget", self.token_budget, 1)
        if self.value not in ("rse", "share"):
            raise ParameterError(f"value must be rse or share, got {self.value!r}")
        if self.value == "share" and self.token_budget is None:
            raise ParameterError("value=share needs a token_budget: it has no other limit")
        if self.segment_tokens and self.token_budget is None:
            raise ParameterError("segment_tokens needs a token_budget that they count against")
        if self.value == "share":
            self._refuse_idle()

    def _refuse_idle(self) -> None:
        """Refuse parameters of RSE that shares do not look at: they would seem to take effect."""
        for field in fields(Parameters):
            if (given := getattr(self, field.name)) != field.default:
                raise ParameterError(
                    f"value=share does not look at {field.name}, got {given!r}; it has: "
                    f"segment_cost, token_budget, segment_tokens"
                )

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:
        return self.solve(hits, layout).segments

    def solve(self, hits: Sequence[Hits], layout: Layout) -> Solution:
        """Select segments and say what they are worth in all, costs taken off."""
        hits = layout.check(hits)
        if self.value == "share":
            return self._solve_shares(hits, layout)
        pool = self._pool(hits, layout)
        cost = pool.last - pool.first
        if self.token_budget is not None:
            cost = layout.tokens_of(pool.first, pool.last) + min(self.segment_tokens, MANY)
        budget = needed(pool, cost, min(self.token_budget or self.chunk_budget(len(hits)), MANY))
        segment_cost = whole_units(self.segment_cost or 0.0)
        taken = best_set(pool, cost, segment_cost, budget)
        worth = int(pool.sum[taken].sum()) - segment_cost * len(taken)
        return solution(pool.first[taken], pool.last[taken], pool.value[taken], worth * UNIT)

    def _pool(self, hits: Sequence[Hits], layout: Layout) -> Pool:
        placed = place(hits, layout, self.top_k_for_document_selection)
        fades = fading(self.decay_rate, sum(map(len, hits)))
        limits = limits_of(self, len(hits))
        value = chunk_values(placed, fades, self.chunk_length_adjustment, limits.penalty)
        return pooled(placed, value, limits, len(layout))

    def _solve_shares(self, hits: Sequence[Hits], layout: Layout) -> Solution:
        found = shares(hits, layout)
        segment_tokens = min(self.segment_tokens, MANY)
        inside = found.gap[found.gap < MANY].sum()
        whole_cost = int(found.cost.sum() + inside) + segment_tokens * len(found.cost)
        budget = min(self.token_budget or 0, whole_cost)
        segment_cost = whole_units(self.segment_cost or 0.0)
        first, last = best_shares(found, segment_cost, segment_tokens, budget)
        before = np.concatenate(([0], np.cumsum(found.share)))
        held = before[last + 1] - before[first]
        total = (int(held.sum()) - segment_cost * len(first)) * UNIT
        return solution(found.chunk[first], found.chunk[last] + 1, held * UNIT, total)

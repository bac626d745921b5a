"""How much of the greatest value the greedy choice leaves on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from math import nan

from rse import RSE, Hits, Layout, Optimal, Segment
from rse.parameters import Parameters

ROUNDING = 1e-9
"""Shares below this are what differently ordered sums differ by."""


def value_gap(
    chosen: object, segments: Sequence[Segment], hits: Sequence[Hits], layout: Layout
) -> float:
    """Return the share of the optimum's value that `rse` missed on a question.

    The optimum is `Optimal` under the same parameters, without a segment cost.

    Returns:
        0 where greedy found the optimum; nan for other strategies and where nothing is worth
        anything.
    """
    if not isinstance(chosen, RSE):
        return nan
    shared = {field.name: getattr(chosen, field.name) for field in fields(Parameters)}
    best = Optimal(**shared, segment_cost=0).solve(hits, layout).total
    if best <= 0:
        return nan
    missed = 1 - sum(segment.score for segment in segments) / best
    return missed if missed > ROUNDING else 0.0

"""What was promised, and whether this run keeps it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bench.perf.grid import Row
from bench.perf.rates import Rate
from bench.perf.timing import Times


@dataclass(frozen=True, slots=True)
class Target:
    """One promise; where several rows count, the worst of them."""

    name: str
    at_least: bool
    """Whether more is better."""
    bound: float
    value: float | None
    """What was found; None: nothing to compare with."""

    @property
    def met(self) -> bool | None:
        """Whether the promise is kept; None where that was not measured."""
        if self.value is None:
            return None
        return self.value >= self.bound if self.at_least else self.value <= self.bound


FASTER = ((1_000, 40, 200), (20_000, 500, 2_000))
"""Chunks of the meta-document; how many times faster than dsRAG by `select`, by the batch."""
DEARER = (("optimal/greedy", 10), ("priced/greedy", 3))
EVALUATIONS = (("greedy", 50_000), ("optimal", 15_000))
SAME = 1.25
"""Ratio of medians up to which a corpus of any size is said to cost the same."""


def targets(
    rows: Sequence[Row],
    rates: Mapping[str, Rate],
    sizes: Mapping[str, tuple[Times, Times]],
) -> list[Target]:
    """List all promises. Ratios are for balanced, one query; the worst document count counts."""
    found = []
    for chunks, select, batch in FASTER:
        there = [r for r in rows if _promised(r) and r.case.chunks == chunks]
        for name, bound in (("dsrag/greedy", select), ("dsrag/batch", batch)):
            title = f"{name}, {chunks:,} chunks"
            found.append(Target(title, True, bound, _worst(there, name, min)))
    for name, bound in DEARER:
        found.append(Target(name, False, bound, _worst([*filter(_promised, rows)], name, max)))
    for name, bound in EVALUATIONS:
        found.append(Target(f"evaluations a second, {name}", True, bound, rates[name].median))
    for name, (small, large) in sizes.items():
        title = f"10 million chunks / 1,000, {name}"
        found.append(Target(title, False, SAME, large.median / small.median))
    return found


def _promised(row: Row) -> bool:
    return row.case.preset == "balanced" and row.case.queries == 1


def _worst(rows: Sequence[Row], name: str, choose: Callable[[list[float]], float]) -> float | None:
    values = [value for row in rows if (value := row.ratio(name)) is not None]
    return choose(values) if values else None

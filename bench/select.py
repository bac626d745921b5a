"""An arm chooses segments: timed, and checked."""

from __future__ import annotations

from math import nan
from time import perf_counter
from typing import Any, NamedTuple

from bench.contract import check_same, check_segments
from bench.optimum import value_gap
from bench.retrieval.retriever import Found
from rse import Layout, PerQuestion, QuestionView, Segment
from rse.calibration import Calibration


class SelectionError(Exception):
    """A strategy failed, or chose what it must not; its cause is the strategy's own error.

    Args:
        error: What was raised.
        seconds: How long it took.
    """

    def __init__(self, error: Exception, seconds: float) -> None:
        super().__init__(f"{type(error).__name__}: {error}")
        self.seconds = seconds


class Prepared(NamedTuple):
    """An arm whose parts are built."""

    name: str
    strategy: Any
    scores: Calibration

    @property
    def needs_vectors(self) -> bool:
        """Whether its hits must carry the chunks' vectors: a strategy's class says so."""
        return bool(getattr(self.strategy, "needs_vectors", False))


class Selected(NamedTuple):
    """What an arm has chosen for a question."""

    segments: list[Segment]
    seconds: float
    failed: bool
    """Whether it raised, and nothing stands for what it would have chosen."""
    value_gap: float = nan
    """See `bench.optimum`; not part of `seconds`."""


def select(
    arm: Prepared, found: Found, seen: QuestionView, layout: Layout, before: Selected | None
) -> Selected:
    """Let an arm choose.

    Args:
        arm: Who chooses.
        found: The hits, for each query.
        seen: What strategies may see that need more than hits.
        layout: Where documents begin.
        before: What it chose from the same hits earlier, and must choose again.

    Raises:
        SelectionError: The strategy raised, or broke what every strategy promises.
    """
    began = perf_counter()
    try:
        hits = [arm.scores.apply(one, layout) for one in found.hits]
        chosen = arm.strategy
        if isinstance(chosen, PerQuestion):
            chosen = chosen.for_question(seen)
        segments = list(chosen.select(hits, layout))
        seconds = perf_counter() - began
        if before is not None and not before.failed:
            check_same(segments, before.segments)
            return before._replace(seconds=seconds)
        check_segments(segments, layout)
        gap = value_gap(chosen, segments, hits, layout)
    except Exception as error:
        raise SelectionError(error, perf_counter() - began) from error
    return Selected(segments, seconds, failed=False, value_gap=gap)

"""Contenders take turns on the same questions, so that noise of the machine hits all alike."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter, perf_counter_ns

import numpy as np


@dataclass(frozen=True, slots=True)
class Contender:
    """Something to time: one call for each question."""

    calls: Sequence[Callable[[], object]]
    slow: bool = False
    """Whether a round holds one question instead of all of them."""
    parts: int = 1
    """How many like things a call does; times are for one of them."""


@dataclass(frozen=True, slots=True)
class Times:
    """What calls took, in microseconds."""

    median: float
    p95: float
    least: float
    n: int

    def as_dict(self) -> dict[str, float]:
        return asdict(self)


def take_turns(
    contenders: Mapping[str, Contender], *, seconds: float, most: int = 200
) -> dict[str, Times]:
    """Time contenders round by round.

    In each round every contender has its turn, first who was second the round before. The first
    call of each is not counted (`bench.perf.cold` shows what that is about).

    Args:
        contenders: By name; each has one call for each question.
        seconds: No round begins after so long, but every question is timed at least once.
        most: Rounds at most.
    """
    order = list(contenders)
    questions = max(len(one.calls) for one in contenders.values())
    samples: dict[str, list[int]] = {name: [] for name in order}
    for one in contenders.values():
        for call in one.calls[:1] if one.slow else one.calls:
            call()
    was_on = gc.isenabled()
    gc.disable()
    try:
        began = perf_counter()
        for turn in range(most):
            # Whole cycles only: a slow contender shall meet every question equally often.
            if turn and turn % questions == 0 and perf_counter() - began > seconds:
                break
            for place in range(len(order)):
                name = order[(turn + place) % len(order)]
                _time(contenders[name], turn, samples[name])
    finally:
        if was_on:
            gc.enable()
    return {name: summary(samples[name], one.parts) for name, one in contenders.items()}


def _time(one: Contender, turn: int, samples: list[int]) -> None:
    calls = [one.calls[turn % len(one.calls)]] if one.slow else one.calls
    for call in calls:
        began = perf_counter_ns()
        call()
        samples.append(perf_counter_ns() - began)


def summary(nanoseconds: Sequence[int], parts: int = 1) -> Times:
    """Return median, 95th percentile and least, in microseconds for one part."""
    times = np.array(nanoseconds) / 1000 / parts
    median, high = np.percentile(times, [50, 95]).tolist()
    return Times(median, high, float(times.min()), len(times))

"""A thousand settings over a real dataset, and ten of them by dsRAG's functions, in one run."""

from __future__ import annotations

import resource
import sys
from collections.abc import Sequence
from itertools import product
from time import perf_counter
from typing import NamedTuple

import numpy as np

from bench.arms import Arm
from bench.metrics.selections import score_selections
from bench.perf import dsrag
from bench.perf.inputs import Question as Case
from bench.stats.bootstrap import Draws
from bench.stats.signs import Signs
from bench.sweep.curves import topk_curve
from bench.sweep.cv import cv_rows
from bench.sweep.measure import measure
from bench.sweep.pool import Pool, Split
from bench.sweep.searched import Searched
from bench.sweep.settings import Setting
from rse import RSE
from rse.batch import Selections
from rse.calibration import MinMax

FAMILY = "chunker / retriever"
BY_DSRAG = 10


class Timed(NamedTuple):
    """What was measured."""

    settings: int
    questions: int
    measured: float
    """Seconds to select and score all settings, kernels compiled."""
    summed_up: float
    """Seconds for all means with intervals, ranks and margins."""
    dsrag_settings: int
    dsrag: float | None
    """Seconds for these settings by dsRAG's functions, scored by the same kernel; None: dsRAG is
    not installed."""
    peak_megabytes: float
    """Most memory that the process has had."""

    @property
    def ratio(self) -> float | None:
        """DsRAG's seconds for a setting over ours; intervals not counted."""
        if self.dsrag is None:
            return None
        return (self.dsrag / self.dsrag_settings) / (self.measured / self.settings)


def settings() -> list[Setting]:
    """Return 1,000 settings of RSE on min-max scores."""
    grid = product(np.linspace(0.03, 0.6, 20).round(4).tolist(), (10, 20, 30, 60, 200))
    rows = product(grid, (0.1, 0.3, 0.5, 0.7, 0.9), (10, 15))
    found = []
    for ((penalty, decay), least), longest in ((one[:2], one[2]) for one in rows):
        values = {
            "irrelevant_chunk_penalty": penalty,
            "decay_rate": decay,
            "minimum_value": least,
            "max_length": longest,
        }
        name = ",".join(f"{key}={value}" for key, value in values.items())
        arm = Arm(f"rse[{name}]", "minmax", "chunker", "retriever")
        found.append(Setting(arm, {"strategy": "rse", "scores": "minmax", **values}))
    return found


def contest(held: Searched, tried: Sequence[Setting], depth: int) -> Timed:
    """Time the sweep and dsRAG's functions, one after the other.

    Args:
        held: The questions, searched.
        tried: Settings of RSE on min-max scores.
        depth: Hits of a question.
    """
    names = [one.arm.strategy for one in tried]
    measure(held, "minmax", names[:2])  # kernels are compiled
    curve = topk_curve(held, depth)
    began = perf_counter()
    values = measure(held, "minmax", names).values
    measured = perf_counter() - began
    began = perf_counter()
    asked = np.array([len(one.targets.passage) > 0 for one in held.asked], bool)
    numbers = list(range(int(asked.sum())))
    split = Split(asked, np.zeros(len(numbers), np.int64), (), Draws(numbers, 0), Signs(numbers, 0))
    topk = {FAMILY: type(curve)(curve.tokens[asked], curve.recall[asked])}
    pool = Pool("perf", values[:, asked], {}, topk, split, [FAMILY] * len(tried))
    rows = list(cv_rows(pool, tried, {}))
    summed_up = perf_counter() - began
    ten = tried[:: max(len(tried) // BY_DSRAG, 1)][:BY_DSRAG]
    seconds = _by_dsrag(held, ten, values[:: max(len(tried) // BY_DSRAG, 1)][:BY_DSRAG])
    return Timed(
        len(rows), len(held.asked), measured, summed_up, len(ten), seconds, peak_megabytes()
    )


def peak_megabytes() -> float:
    """Return the most memory this process has had."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1e6 if sys.platform == "darwin" else 1e3)


def _by_dsrag(held: Searched, ten: Sequence[Setting], ours: np.ndarray) -> float | None:
    """Do the same by dsRAG's functions; the answers must be the same."""
    module = dsrag.functions()
    if module is None:
        return None
    chosen = ("irrelevant_chunk_penalty", "decay_rate", "minimum_value", "max_length")
    parameters = [RSE(**{name: one.chosen[name] for name in chosen}) for one in ten]
    cases = [
        Case(
            tuple(MinMax().apply(one, held.layout) for one in asked.hits),
            held.layout,
            held.ground,
            asked.targets,
        )
        for asked in held.asked
    ]
    recall = np.empty((len(ten), len(cases)))
    began = perf_counter()
    for column, (asked, case) in enumerate(zip(held.asked, cases, strict=True)):
        given = dsrag.prepared(module, case, parameters[0])
        for row, one in enumerate(parameters):
            found, _ = dsrag.select(module, given, one)
            runs = dsrag.corpus_wide(found, given, case)
            first, last = (np.array([run[i] for run in runs], np.int64) for i in (0, 1))
            made = Selections(np.array([0, len(first)], np.int64), first, last)
            recall[row, column] = score_selections(made, held.ground, asked.targets)[0, 0]
    seconds = perf_counter() - began
    if not np.allclose(recall, ours[:, :, 0], equal_nan=True):
        raise AssertionError("dsRAG's functions and the sweep do not select the same")
    return seconds

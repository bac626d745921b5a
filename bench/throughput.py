"""`rse-bench throughput`: how many questions a second are answered, one, two or four at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from bench.answer import Answering, Given, Settings
from bench.data.load_all import load_all
from bench.family import prepare
from bench.machine import load as busy
from bench.progress import Progress
from bench.report.cells import csv_of
from bench.report.throughput import FILE
from bench.select import Prepared
from bench.spec import Spec
from bench.store.atomic import write_text
from bench.store.folder import writing
from bench.summary.row import Row
from bench.types import Question

CONCURRENCY = (1, 2, 4)


class Plan(NamedTuple):
    """How throughput is measured."""

    questions: int = 50
    """Of each dataset, the first so many."""
    repetitions: int = 3
    """How often each is measured; all in turn, so that a slow minute slows all alike."""
    concurrency: Sequence[int] = CONCURRENCY
    """Questions under way at a time."""
    threads: int | None = None
    """Threads of all libraries; None: what they choose."""
    all_arms: bool = False
    """Every arm of the spec, not the first of each family only."""


def throughput(
    spec: Spec, folder: Path, raw: Path | None, plan: Plan, progress: Progress
) -> tuple[list[Row], tuple[str, ...]]:
    """Measure search, selection and rendering together, and write `throughput.csv` row by row.

    Queries are embedded each time; what a server was asked is remembered, so that of remote models
    it is the time without them.

    Args:
        spec: Which arms on which data.
        folder: The run's folder.
        raw: Folder of upstream's raw files.
        plan: How to measure.
        progress: Shows how far it is.

    Returns:
        The rows, and why datasets were left out whose files are not here.

    Raises:
        UserError: No data is here, or the folder cannot be written.
        RunError: A strategy failed.
    """
    rows: list[Row] = []
    with writing(folder):
        most = min(plan.questions, spec.limit or plan.questions)
        datasets, missing = load_all(spec.datasets, raw, most)
        for dataset in datasets:
            for chunker, retriever in spec.families():
                family = prepare(dataset, f"{chunker} / {retriever}", plan.threads, progress)
                arms = spec.arms(chunker, retriever)
                chosen = arms if plan.all_arms else arms[:1]
                answering = Answering(family, chosen, Settings(spec.depth, content=spec.content))
                named = {"dataset": dataset.name, "family": family.name}
                measured = _measure(answering, dataset.questions, plan, progress)
                rows += [named | row for row in measured]
                write_text(folder / FILE, csv_of(rows))
    return rows, missing


def _measure(
    answering: Answering, questions: Sequence[Question], plan: Plan, progress: Progress
) -> Iterator[Row]:
    cells = [(arm, at_once) for arm in answering.arms for at_once in plan.concurrency]
    # Everything is warm, and checked, before the first clock starts.
    warm = {
        arm.name: [answering.serve(arm, question) for question in questions]
        for arm in answering.arms
    }
    seconds: dict[tuple[str, int], list[float]] = {(arm.name, n): [] for arm, n in cells}
    before = busy()
    rounds = [(turn, cell) for turn in range(plan.repetitions) for cell in range(len(cells))]
    for turn, cell in progress.track(rounds, f"throughput: {answering.family.name}"):
        arm, at_once = cells[(cell + turn) % len(cells)]
        seconds[arm.name, at_once].append(_timed(answering, arm, questions, warm, at_once))
    for arm, at_once in cells:
        alone = seconds[arm.name, plan.concurrency[0]]
        rates = [len(questions) / time for time in seconds[arm.name, at_once]]
        ratios = [one / many for one, many in zip(alone, seconds[arm.name, at_once], strict=True)]
        yield {
            "arm": " / ".join(arm.name.split(" / ")[:2]),
            "concurrency": at_once,
            "questions": len(questions),
            "repetitions": plan.repetitions,
            "questions_per_second": median(rates),
            "slowest": min(rates),
            "fastest": max(rates),
            "ratio": median(ratios),
            "cores": os.cpu_count(),
            "load_before": before[0] if before else float("nan"),
        }


def _timed(
    answering: Answering,
    arm: Prepared,
    questions: Sequence[Question],
    warm: dict[str, list[Given]],
    at_once: int,
) -> float:
    """Return the seconds it takes to answer all questions, so many at a time."""

    def serve(place: int) -> None:
        answering.serve(arm, questions[place], [warm[arm.name][place]])

    with ThreadPoolExecutor(at_once) as pool:
        began = perf_counter()
        for _ in pool.map(serve, range(len(questions))):
            pass
        return perf_counter() - began

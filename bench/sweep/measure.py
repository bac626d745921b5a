"""Settings run over searched questions: a few microseconds each, on compiled kernels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.catalog import calibration, strategy
from bench.contract import check_segments
from bench.errors import cut
from bench.metrics.selections import score_selections
from bench.sweep.searched import Asked, Searched
from bench.sweep.searched_file import load
from rse import RSE, Hits, Optimal, PerQuestion, Priced
from rse.batch import Batch, Selections

COLUMNS = ("recall", "precision", "iou", "tokens", "chunks", "segments")
LONGEST = 300

Floats = NDArray[np.float64]


class Measured(NamedTuple):
    """What settings found."""

    values: Floats
    """Shape (settings, questions, columns), see `COLUMNS`; nan where undefined or failed."""
    errors: dict[int, str]
    """Why settings failed, by their place; all their values are nan."""


class Work(NamedTuple):
    """Settings that share questions and scores: what one process does at a time."""

    searched: Path
    """File of the questions."""
    scores: str
    strategies: tuple[str, ...]


def do(work: Work) -> Measured:
    """Measure the settings of a piece of work; whoever does it again gets the same."""
    return measure(_held(work.searched), work.scores, work.strategies)


def measure(held: Searched, scores: str, strategies: Sequence[str]) -> Measured:
    """Run settings over every question; one that fails leaves the others alone.

    Args:
        held: The questions.
        scores: Name of the calibration that all settings share.
        strategies: Names of the settings' strategies.
    """
    values = np.full((len(strategies), len(held.asked), len(COLUMNS)), np.nan)
    errors: dict[int, str] = {}
    calibrated = calibration(scores)[1]
    try:
        hits = [[calibrated.apply(one, held.layout) for one in asked.hits] for asked in held.asked]
    except Exception as error:
        return Measured(values, dict.fromkeys(range(len(strategies)), _told(error)))
    together, alone = _parted([strategy(name)[1] for name in strategies])
    if together:
        try:
            values[list(together)] = _batch(held, hits, list(together.values()))
        except Exception:
            alone |= together
    for place, one in alone.items():
        try:
            values[place] = _one(held, hits, one)
        except Exception as error:
            values[place], errors[place] = np.nan, _told(error)
    return Measured(values, errors)


def _parted(made: Sequence[Any]) -> tuple[dict[int, Any], dict[int, Any]]:
    """Return those that a batch can run, and the others, by place."""
    fit = {
        place: one
        for place, one in enumerate(made)
        if isinstance(one, RSE | Priced) or (isinstance(one, Optimal) and one.value != "share")
    }
    return fit, {place: one for place, one in enumerate(made) if place not in fit}


def _batch(held: Searched, hits: Sequence[Sequence[Hits]], strategies: Sequence[Any]) -> Floats:
    batch = Batch(strategies)
    values = np.empty((len(strategies), len(held.asked), len(COLUMNS)))
    for row, (asked, own) in enumerate(zip(held.asked, hits, strict=True)):
        values[:, row] = _scored(held, asked, batch.select(own, held.layout))
    return values


def _one(held: Searched, hits: Sequence[Sequence[Hits]], one: Any) -> Floats:  # noqa: ANN401
    values = np.empty((len(held.asked), len(COLUMNS)))
    for row, (asked, own) in enumerate(zip(held.asked, hits, strict=True)):
        chosen = one.for_question(asked.view) if isinstance(one, PerQuestion) else one
        segments = list(chosen.select(own, held.layout))
        check_segments(segments, held.layout)
        first = np.array([segment.first for segment in segments], np.int64)
        last = np.array([segment.last for segment in segments], np.int64)
        found = Selections(np.array([0, len(first)], np.int64), first, last)
        values[row] = _scored(held, asked, found)[0]
    return values


def _scored(held: Searched, asked: Asked, found: Selections) -> Floats:
    scores = score_selections(found, held.ground, asked.targets)
    return np.column_stack([scores, np.diff(found.begin)])


def _told(error: Exception) -> str:
    return cut(" ".join(f"{type(error).__name__}: {error}".split()), LONGEST)


@lru_cache(maxsize=4)
def _held(path: Path) -> Searched:
    """Read the questions once a process: their files never change under their names."""
    return load(path)

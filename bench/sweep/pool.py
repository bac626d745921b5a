"""What a sweep has measured of a dataset, ready to choose from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.errors import UserError
from bench.stats.bootstrap import Draws
from bench.stats.clusters import clusters
from bench.stats.folds import assign
from bench.stats.paired import renumbered
from bench.sweep.measure import COLUMNS
from bench.types import Question

Floats = NDArray[np.float64]
RECALL, PRECISION, TOKENS = (COLUMNS.index(name) for name in ("recall", "precision", "tokens"))


class Curve(NamedTuple):
    """Top-k of each question for every k from 0 on; shape (questions, depth + 1)."""

    tokens: Floats
    recall: Floats


class Pool(NamedTuple):
    """One dataset; questions without gold are left out of everything."""

    dataset: str
    values: Floats
    """Shape (settings, questions, columns), see `bench.sweep.measure.COLUMNS`."""
    presets: Mapping[str, Floats]
    """dsRAG's presets on min-max scores, by name; shape (questions, columns)."""
    topk: Mapping[str, Curve]
    """Top-k's curve by family."""
    fold: NDArray[np.int64]
    """Fold of each question."""
    draws: Draws
    questions: tuple[str, ...]
    """Ids."""
    without_gold: int
    """Questions left out."""


def held_out(
    dataset: str, questions: Sequence[Question], folds: int, seed: int
) -> tuple[NDArray[np.bool_], NDArray[np.int64], Draws]:
    """Return which questions have gold, and the fold and the draws of these.

    Raises:
        UserError: There are fewer groups of documents than folds.
    """
    asked = np.array([bool(question.gold) for question in questions])
    known = [question for question in questions if question.gold]
    cluster = renumbered(clusters(known))
    groups = len(set(cluster))
    if groups < folds:
        raise UserError(
            f"{dataset} has {groups} group{'s' if groups != 1 else ''} of documents that questions "
            f"are about, too few for {folds} folds: set folds to {groups} or fewer"
            + (
                ""
                if groups > 1
                else ", or hold out whole datasets (`split: datasets`), or add questions about "
                "other documents"
            )
        )
    return asked, np.array(assign(cluster, folds, seed)), Draws(cluster, seed)

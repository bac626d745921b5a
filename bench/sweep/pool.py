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
from bench.stats.signs import Signs
from bench.sweep.measure import COLUMNS
from bench.types import Question

Floats = NDArray[np.float64]
RECALL, PRECISION, TOKENS = (COLUMNS.index(name) for name in ("recall", "precision", "tokens"))
SEGMENTS, CHUNKS = COLUMNS.index("segments"), COLUMNS.index("chunks")


class Curve(NamedTuple):
    """Top-k of each question for every k from 0 on; shape (questions, depth + 1)."""

    tokens: Floats
    recall: Floats


class Split(NamedTuple):
    """How a dataset is split; all but `asked` is of the questions with gold."""

    asked: NDArray[np.bool_]
    """Which of all questions have gold; the others take no part."""
    fold: NDArray[np.int64]
    questions: tuple[str, ...]
    """Ids."""
    draws: Draws
    signs: Signs


class Pool(NamedTuple):
    """One dataset; questions without gold are left out of everything."""

    dataset: str
    values: Floats
    """Shape (settings, questions, columns), see `bench.sweep.measure.COLUMNS`."""
    presets: Mapping[str, Floats]
    """dsRAG's presets on min-max scores, by name; shape (questions, columns)."""
    topk: Mapping[str, Curve]
    """Top-k's curve by family."""
    split: Split
    families: Sequence[str] = ()
    """Family of each setting."""


def split_of(dataset: str, questions: Sequence[Question], folds: int, seed: int) -> Split:
    """Split the questions with gold by document.

    Raises:
        UserError: There are fewer groups of documents than folds.
    """
    asked = np.array([bool(question.gold) for question in questions], bool)
    known = [question for question in questions if question.gold]
    cluster = renumbered(clusters(known))
    groups = len(set(cluster))
    if groups < folds:
        raise UserError(_too_few(dataset, groups, folds))
    return Split(
        asked,
        np.array(assign(cluster, folds, seed), np.int64),
        tuple(question.id for question in known),
        Draws(cluster, seed),
        Signs(cluster, seed),
    )


def _too_few(dataset: str, groups: int, folds: int) -> str:
    said = (
        f"{dataset}: the questions with gold are about {groups} separate group"
        f"{'' if groups == 1 else 's'} of documents, too few for {folds} folds; "
    )
    if groups > 1:
        return said + f"set folds to {groups} or fewer"
    return said + (
        "add questions about other documents, or hold out whole datasets: `split: datasets`"
    )

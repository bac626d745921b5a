"""The questions of a dataset, searched once: all that settings are run on."""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple

from bench import identity
from bench.errors import UserError
from bench.family import Family
from bench.gold import documents_searched, view
from bench.metrics.selections import Ground, Targets, ground, targets
from bench.progress import Progress
from bench.types import Question
from rse import Hits, Layout, QuestionView

CODE = ("bench/sweep/measure", "bench/sweep/searched")
"""Code that what is measured depends on, besides that of a run."""


class Asked(NamedTuple):
    """One question."""

    id: str
    hits: tuple[Hits, ...]
    """Hits of each search query, best first, scores as the retriever gives them."""
    targets: Targets
    view: QuestionView


class Searched(NamedTuple):
    """All questions of a dataset under one chunker and retriever."""

    layout: Layout
    ground: Ground
    asked: tuple[Asked, ...]

    @property
    def questions(self) -> list[str]:
        """Ids, in order."""
        return [one.id for one in self.asked]


class Wanted(NamedTuple):
    """What hits must carry."""

    depth: int
    neighbours: int = 0
    vectors: bool = False


def search(family: Family, wanted: Wanted, progress: Progress) -> Searched:
    """Search every question of a family's dataset.

    Raises:
        UserError: The chunks overlap, so that tokens of a run are no difference of sums.
    """
    corpus = family.corpus
    if corpus.overlapping:
        raise UserError(
            f"{family.name}: a sweep needs chunks that do not overlap; set overlap to 0, or "
            f"compare such a chunker by `rse-bench run`"
        )
    questions = progress.track(
        family.dataset.questions, f"{family.dataset.name}: searching {family.name}"
    )
    asked = tuple(_asked(family, question, wanted) for question in questions)
    return Searched(corpus.layout, ground(corpus), asked)


def key_of(family: str, dataset: str, models: str, wanted: Wanted) -> str:
    """Digest everything that hits and gold depend on."""
    parts = [family, dataset, models, list(wanted), identity.code(*CODE), identity.versions()]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


def _asked(family: Family, question: Question, wanted: Wanted) -> Asked:
    found = family.retriever.find(
        question.searches,
        wanted.depth,
        documents_searched(family.corpus, question),
        wanted.neighbours,
        vectors=wanted.vectors,
    )
    seen = view(family.corpus, question)
    return Asked(question.id, found.hits, targets(family.corpus, question.gold), seen)

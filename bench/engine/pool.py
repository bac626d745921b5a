"""Questions with everything that selection and scoring need of them, searched once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bench.corpus import Corpus
from bench.engine.keywords import Keywords
from bench.family import prepare
from bench.gold import documents_searched, example
from bench.metrics.selections import Ground, Targets, ground, targets
from bench.metrics.tokens import topk_curve
from bench.progress import Progress
from bench.stats.bootstrap import Draws
from bench.stats.clusters import clusters
from bench.stats.folds import assign
from bench.types import Dataset, Question
from rse import Hits
from rse.calibration import Example
from rse.calibration.features import WINDOW

DEPTH = 200
"""Hits of a question."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, searched."""

    question: Question
    example: Example
    """Its hits, raw cosines with the features `neighbours` and `bm25`; and the gold in them."""
    targets: Targets
    fold: int
    """Questions of one fold are never fitted on when another question of it is judged."""
    documents: tuple[int, ...]
    """Documents that hold its gold."""

    @property
    def hits(self) -> Hits:
        """Return its hits, best first."""
        return self.example.hits

    def blind(self, without: NDArray[np.int64]) -> Example:
        """Return what it teaches without the hits in some documents."""
        kept = ~np.isin(self.example.layout.document(self.hits.chunk), without)
        features = {name: rows[kept] for name, rows in self.hits.features.items()}
        hits = Hits(self.hits.chunk[kept], self.hits.score[kept], features)
        return replace(self.example, hits=hits, gold=self.example.gold[kept])


@dataclass(frozen=True, slots=True)
class Pool:
    """A dataset under one chunker, ready for any number of settings."""

    dataset: str
    chunker: str
    corpus: Corpus
    ground: Ground
    asked: tuple[Asked, ...]
    draws: Draws
    excluded: int
    """Questions without gold."""
    model: str
    """Name and identity of the embedding model."""


def pool(dataset: Dataset, chunker: str, folds: int, seed: int, progress: Progress) -> Pool:
    """Search every question once; only those with gold take part."""
    family = prepare(dataset, f"{chunker} / minilm", None, progress)
    corpus = family.corpus
    keywords = Keywords(corpus)
    questions = [question for question in dataset.questions if question.gold]
    fold = assign(clusters(questions), folds, seed)
    asked = []
    for number, question in enumerate(progress.track(questions, f"{dataset.name}: searching")):
        scope = documents_searched(corpus, question)
        (hits,) = family.retriever.find(question.searches[:1], DEPTH, scope, WINDOW).hits
        features = {**hits.features, "bm25": keywords.scores(question.text, hits.chunk)}
        asked.append(
            Asked(
                question,
                example(corpus, question, replace(hits, features=features)),
                targets(corpus, question.gold),
                fold[number],
                tuple(sorted({corpus.number[s.doc] for p in question.gold for s in p})),
            )
        )
    draws = Draws(clusters(questions), seed)
    left_out = len(dataset.questions) - len(questions)
    facts = family.facts()
    model = " ".join(str(facts.get(key, "?")) for key in ("model", "model_identity"))
    return Pool(dataset.name, chunker, corpus, ground(corpus), tuple(asked), draws, left_out, model)


def curve(held: Pool, order: Sequence[Hits]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return tokens and recall of the best k chunks for every k; shape (questions, `DEPTH` + 1)."""
    tokens, recall = [], []
    for asked, hits in zip(held.asked, order, strict=True):
        found = topk_curve(held.corpus, hits.chunk.tolist(), asked.question.gold)
        missing = DEPTH + 1 - len(found.tokens)
        tokens.append(np.pad(found.tokens.astype(float), (0, missing), mode="edge"))
        recall.append(np.pad(found.recall, (0, missing), mode="edge"))
    return np.array(tokens), np.array(recall)

"""Made-up documents, with a retriever that guesses."""

from __future__ import annotations

import numpy as np
import pytest

from bench.chunking import Fixed
from bench.corpus import cut
from bench.engine import pool as pool_module
from bench.engine.pool import pool
from bench.family import Family
from bench.progress import Progress
from bench.retrieval.retriever import Found
from bench.tokens import tokenizer
from bench.types import Dataset, Document, Question, Span
from rse import Hits

WORDS = ["boats", "harbour", "quay", "noon", "tide", "rope", "crane", "cargo", "pilot", "signal"]


def made(rng, documents=6, questions=12, name="made"):
    """Documents of random words, questions whose gold is a stretch of one document."""
    texts = {f"d{i}": " ".join(rng.choice(WORDS, 600)) for i in range(documents)}
    asked = []
    for i in range(questions):
        doc = f"d{i % documents}"
        start = int(rng.integers(0, 700))
        gold = ((Span(doc, start, start + int(rng.integers(60, 400))),),)
        asked.append(Question(f"q{i}", "Where is the boat?", gold, scope=(doc,)))
    asked.append(Question("none", "Nothing?", (), scope=("d0",)))
    held = {doc: Document(doc, text) for doc, text in texts.items()}
    return Dataset(name, "1", held, tuple(asked))


class Guess:
    """Scores chunks at random, higher where they hold gold."""

    def __init__(self, corpus, dataset):
        self.corpus = corpus
        self.gold = iter([q for q in dataset.questions if q.gold])
        self.rng = np.random.default_rng(7)

    def find(self, queries, depth, documents, neighbours=0):
        (span,) = next(self.gold).gold[0]
        start, end = (
            self.corpus.layout.start[documents[0]],
            self.corpus.layout.start[documents[0] + 1],
        )
        chunks = np.arange(start, end)
        spans = [self.corpus.chunk_span(c) for c in chunks.tolist()]
        held = np.array([max(0, min(s.end, span.end) - max(s.start, span.start)) for s in spans])
        score = np.clip(0.3 * (held > 0) + 0.5 * self.rng.random(len(chunks)), 0, 1)
        near = np.full((len(chunks), 2 * neighbours), np.nan)
        for column, offset in enumerate([-2, -1, 1, 2]):
            inside = (np.arange(len(chunks)) + offset >= 0) & (
                np.arange(len(chunks)) + offset < len(chunks)
            )
            near[inside, column] = score[np.flatnonzero(inside) + offset]
        order = np.argsort(-score, kind="stable")
        hits = Hits(chunks[order], score[order], {"neighbours": near[order]})
        return Found((hits,), 0.0, 0.0, 0)


@pytest.fixture
def dataset():
    return made(np.random.default_rng(3))


@pytest.fixture
def pooled(monkeypatch):
    """Search a made-up set by guesses."""

    def prepare(dataset, name, threads, progress):
        corpus = cut(dataset, Fixed(size=60, unit="characters"), tokenizer("o200k_base"))
        return Family(name, dataset, corpus, Guess(corpus, dataset))

    monkeypatch.setattr(pool_module, "prepare", prepare)
    return lambda dataset: pool(dataset, "fixed[size=60,unit=characters]", 3, 0, Progress())


@pytest.fixture
def held(pooled, dataset):
    return pooled(dataset)


@pytest.fixture
def other(pooled):
    """Other documents than those of `held`."""
    return pooled(made(np.random.default_rng(4), name="other"))

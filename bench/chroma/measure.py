"""One configuration of the report: chunk, search exactly, count as the report does and as we do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.chroma.cluster import ReportCluster, Vectors
from bench.chroma.configurations import Configuration
from bench.corpus import Corpus, cut
from bench.metrics.chroma_report import omega_as_report, position_as_report, score_as_report
from bench.metrics.omega import precision_omega
from bench.metrics.spans import score
from bench.retrieval.embedders.cache import VectorCache
from bench.retrieval.embedders.embed import embed
from bench.retrieval.embedders.encoder import Encoder
from bench.retrieval.index.flat import DenseIndex
from bench.tokens import tokenizer
from bench.types import Dataset, Question, Span

RETRIEVED = 5
"""Chunks that the report retrieves for each question."""

Reporter = Callable[[int, int], None]
Values = NDArray[np.float64]


class Chunked(NamedTuple):
    """A configuration's chunks."""

    corpus: Corpus
    texts: tuple[str, ...]
    """What is embedded for each."""
    found: tuple[Span, ...]
    """Where the report takes each to stand: at the first place its text is found."""


class Measured(NamedTuple):
    """Shares, question by question."""

    recall: Values
    precision: Values
    iou: Values
    precision_omega: Values

    def percent(self) -> dict[str, float]:
        """Return the mean of each in percent."""
        return {name: 100 * float(np.nanmean(v)) for name, v in self._asdict().items()}


def chunk(dataset: Dataset, configuration: Configuration, vectors: Vectors) -> Chunked:
    """Cut the five corpora.

    Args:
        dataset: The corpora.
        configuration: How to cut.
        vectors: Gives texts their vectors, where chunks depend on them.
    """
    chunker = configuration.chunker(vectors)
    corpus = cut(dataset, chunker, tokenizer("o200k_base"))
    texts, found = [], []
    for number, document in enumerate(corpus.documents):
        here = slice(*corpus.layout.start[number : number + 2].tolist())
        spans = list(zip(corpus.start[here].tolist(), corpus.end[here].tolist(), strict=True))
        if isinstance(chunker, ReportCluster):
            shown = chunker.texts(document, spans)
        else:
            shown = [document.text[start:end] for start, end in spans]
        texts += shown
        found += [Span(document.id, *position_as_report(one, document.text)) for one in shown]
    return Chunked(corpus, tuple(texts), tuple(found))


def vectors_of(encoder: Encoder, cache: VectorCache, progress: Reporter | None = None) -> Vectors:
    """Return a function that embeds, or looks up what is kept."""
    return lambda texts: embed(texts, encoder, cache, progress)


def omegas(chunked: Chunked, questions: Sequence[Question]) -> Values:
    """Return precision_omega of each question, as the report counts."""
    return np.array([omega_as_report(chunked.found, named(question)) for question in questions])


def named(question: Question) -> list[Span]:
    """Return the places of the gold that the report names: no copies."""
    return [passage[0] for passage in question.gold]


def search(chunked: Chunked, questions: Sequence[Question], vectors: Vectors) -> list[list[int]]:
    """Return the best chunks of each question, exactly, in one index of all corpora."""
    index = DenseIndex(vectors(chunked.texts), chunked.corpus.layout)
    queries = vectors([question.text for question in questions])
    return [index.search(query, RETRIEVED)[0].tolist() for query in queries]


def as_report(
    chunked: Chunked, questions: Sequence[Question], ranked: Sequence[Sequence[int]]
) -> Measured:
    """Score by the report's rules."""
    scores = [
        score_as_report([chunked.found[number] for number in best], named(question))
        for question, best in zip(questions, ranked, strict=True)
    ]
    recall, precision, iou = np.array(scores).T
    return Measured(recall, precision, iou, omegas(chunked, questions))


def as_ours(
    chunked: Chunked, questions: Sequence[Question], ranked: Sequence[Sequence[int]]
) -> Measured:
    """Score by our own: true positions, unions, and any copy of the gold."""
    corpus = chunked.corpus
    scores = [
        score([corpus.chunk_span(number) for number in best], question.gold)
        for question, best in zip(questions, ranked, strict=True)
    ]
    recall, precision, iou = (
        np.array([row[name] for row in scores]) for name in ("recall", "precision", "iou")
    )
    omega = np.array([precision_omega(corpus, one) for one in questions])
    return Measured(recall, precision, iou, omega)

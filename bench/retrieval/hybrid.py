"""Meaning and words together: a dense and a keyword ranking fused into one."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bench.retrieval.around import of_candidates
from bench.retrieval.index.store import features
from bench.retrieval.index.together import search_all
from bench.retrieval.lexical.bm25 import KeywordRetriever
from bench.retrieval.retriever import DenseRetriever, Found
from rse import Hits

Fusion = Literal["rrf", "weighted"]
Scores = Literal["minmax", "max", "none"]
SCORER = "hybrid"


class HybridRetriever:
    """Fuses the rankings of a dense and a keyword retriever.

    `rrf`: reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): the sum over both rankings of
    1 / (k + rank), ranks from 1, over what a chunk that is first in both would have.
    `weighted`: `weight` * cosine + (1 - `weight`) * BM25, both calibrated over the candidates of
    the query first: `minmax` (all equal: 1), `max` (over the largest) or `none`.

    Candidates are the best `depth` of either ranking; both scores stay with the hits as the
    features `cosine` and `bm25`. The feature `neighbours` holds the fused score of candidates and 0
    for other chunks.

    Args:
        dense: Search by meaning.
        keyword: Search by words, over the same chunks.
        fusion: How scores become one.
        weight: Of the dense ranking, 0 to 1; unused by `rrf`.
        k: Constant of `rrf`.
        scores: How `weighted` calibrates both scores.
    """

    def __init__(
        self,
        dense: DenseRetriever,
        keyword: KeywordRetriever,
        *,
        fusion: Fusion = "rrf",
        weight: float = 0.5,
        k: int = 60,
        scores: Scores = "minmax",
    ) -> None:
        self._dense, self._keyword, self._layout = dense, keyword, dense.index.layout
        self._fusion, self._weight, self._k, self._scores = fusion, weight, k, scores

    def find(
        self,
        queries: Sequence[str],
        depth: int,
        documents: NDArray[np.int64] | None,
        neighbours: int = 0,
        *,
        vectors: bool = False,
    ) -> Found:
        """Rank the chunks of some documents for each query, see `Retriever`."""
        asked, embedding = self._dense.embed(queries)
        began = perf_counter()
        index = self._dense.index
        by_meaning = search_all(index, asked, depth, documents)
        found: list[Hits] = []
        clipped = 0
        for query, vector, (ranked, _) in zip(queries, asked, by_meaning, strict=True):
            relevance = self._keyword.relevance(query, documents)
            by_words = np.flatnonzero(relevance > 0)
            by_words = by_words[np.lexsort((by_words, -relevance[by_words]))][:depth]
            chunk = np.union1d(ranked, by_words)
            cosine = index.cosines(vector, chunk)
            clipped += int((cosine < 0).sum())
            score = self._fused(chunk, ranked, by_words, np.clip(cosine, 0, 1), relevance[chunk])
            order = np.lexsort((chunk, -score))[:depth]
            carried = {"cosine": np.clip(cosine, 0, 1)[order], "bm25": relevance[chunk][order]}
            if neighbours:
                carried["neighbours"] = of_candidates(
                    self._layout, chunk[order], (chunk, score), neighbours
                )
            carried |= features(index, vector, chunk[order], vectors=vectors)
            found.append(Hits(chunk[order], score[order], carried, scorer=SCORER))
        return Found(tuple(found), embedding, perf_counter() - began, clipped)

    def _fused(
        self,
        chunk: NDArray[np.int64],
        dense: NDArray[np.int64],
        by_words: NDArray[np.int64],
        cosine: NDArray[np.float64],
        relevance: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Return one score in [0, 1] for each candidate; `chunk` rises."""
        if self._fusion == "weighted":
            one, other = (_calibrated(score, self._scores) for score in (cosine, relevance))
            return self._weight * one + (1 - self._weight) * other
        total = np.zeros(len(chunk))
        for ranking in (dense, by_words):
            place = np.searchsorted(chunk, ranking)
            total[place] += 1 / (self._k + 1 + np.arange(len(ranking)))
        return np.minimum(total * (self._k + 1) / 2, 1.0)


def _calibrated(score: NDArray[np.float64], how: Scores) -> NDArray[np.float64]:
    """Bring scores of 0 and more to [0, 1], over the candidates of one query."""
    if not len(score) or how == "none":
        return score
    low, high = (score.min() if how == "minmax" else 0.0), score.max()
    if high > low:
        stretched: NDArray[np.float64] = (score - low) / (high - low)
        return stretched
    return np.ones(len(score)) if how == "minmax" else score

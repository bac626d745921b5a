"""Search by words: BM25 over all chunks of a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.retrieval.around import around, in_scope
from bench.retrieval.lexical.words import words
from bench.retrieval.retriever import Found
from rse import Hits, Layout

SCORER = "bm25"


class KeywordIndex:
    """BM25 by `bm25s` (Lucene's form), with words as `bench.retrieval.lexical.words` cuts them.

    Args:
        texts: One for each chunk.
        k1: How soon further occurrences of a word count for less.
        b: How much long chunks are discounted, 0 to 1.
    """

    def __init__(self, texts: Sequence[str], k1: float = 1.5, b: float = 0.75) -> None:
        import bm25s

        self._size = len(texts)
        self._index: Any = None
        tokens = [words(text) for text in texts]
        if any(tokens):
            self._index = bm25s.BM25(k1=k1, b=b)
            self._index.index(tokens, show_progress=False)

    def scores(self, query: str) -> NDArray[np.float64]:
        """Return the score of every chunk; 0 where none of the query's words stands."""
        if self._index is None:
            return np.zeros(self._size)
        known = [word for word in words(query) if word in self._index.vocab_dict]
        if not known:
            return np.zeros(self._size)
        return np.asarray(self._index.get_scores(known), np.float64)


class KeywordRetriever:
    """Ranks chunks by BM25, relative to the best chunk of the query.

    Scores are those of BM25 over the largest of the chunks searched, so that the first hit has 1:
    BM25 has no scale of its own, it grows with the number of words in the query. Chunks without any
    word of the query are no hits.
    """

    def __init__(self, texts: Sequence[str], layout: Layout, k1: float, b: float) -> None:
        self._index = KeywordIndex(texts, k1, b)
        self._layout = layout

    def find(
        self,
        queries: Sequence[str],
        depth: int,
        documents: NDArray[np.int64] | None,
        neighbours: int = 0,
        *,
        vectors: bool = False,  # noqa: ARG002  # there are none
    ) -> Found:
        """Rank the chunks of some documents for each query, see `Retriever`."""
        began = perf_counter()
        found = tuple(self._hits(query, depth, documents, neighbours) for query in queries)
        return Found(found, 0.0, perf_counter() - began, 0)

    def relevance(self, query: str, documents: NDArray[np.int64] | None) -> NDArray[np.float64]:
        """Return every chunk's score over the largest one in scope; 0 outside the scope."""
        score = self._index.scores(query)
        if documents is not None:
            score = np.where(in_scope(self._layout, documents), score, 0.0)
        high = score.max(initial=0.0)
        return score / high if high > 0 else np.zeros(len(score))

    def _hits(
        self, query: str, depth: int, documents: NDArray[np.int64] | None, neighbours: int
    ) -> Hits:
        if depth < 1:
            raise ValueError(f"depth must be 1 or more, got {depth}")
        score = self.relevance(query, documents)
        chunk = np.flatnonzero(score > 0)
        chunk = chunk[np.lexsort((chunk, -score[chunk]))][:depth]
        features = {"bm25": score[chunk]}
        if neighbours:
            features["neighbours"] = around(self._layout, chunk, score, neighbours)
        return Hits(chunk, score[chunk], features, scorer=SCORER)

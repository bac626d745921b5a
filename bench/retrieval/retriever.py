"""From search queries to hits: embed, search, and say how long each took."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bench.progress import Progress
from bench.retrieval.embedders.asked import Asked
from bench.retrieval.embedders.cache import VectorCache
from bench.retrieval.embedders.embed import blocks, embed
from bench.retrieval.embedders.encoder import Encoder
from bench.retrieval.index.make import store
from bench.retrieval.index.matrix import is_large, matrix
from bench.retrieval.index.recipes import Settings
from bench.retrieval.index.store import features, hits
from bench.retrieval.index.together import search_all
from rse import Hits, Layout

SAMPLE = 100
"""Queries on which an approximate index is compared with exact search."""


class Read(NamedTuple):
    """What a reranker was sent for one search query."""

    query: str
    chunk: NDArray[np.int64]


class Found(NamedTuple):
    """Hits of one question, one ranking for each search query."""

    hits: tuple[Hits, ...]
    embed: float
    """Seconds to embed the queries, measured now, whatever the cache holds."""
    search: float
    """Seconds to search."""
    clipped: int
    """Scores below 0 that were raised to 0."""
    rerank: float = 0.0
    """Seconds to order hits anew, summed over queries, with models and texts prepared; of
    remembered scores, what they took when they were made."""
    queries: tuple[str, ...] = ()
    """What was searched for, where that is not what was asked."""
    queries_seconds: float = 0.0
    """Seconds to make search queries; of remembered ones, what they took when they were made."""
    read: tuple[tuple[Read, ...], ...] = ()
    """What each reranker read, one after the other: one entry for each query."""

    def without(self, feature: str) -> Found:
        """Return the same hits without one of their features."""
        hits = tuple(
            Hits(
                one.chunk,
                one.score,
                {name: rows for name, rows in one.features.items() if name != feature},
                scorer=one.scorer,
            )
            for one in self.hits
        )
        return self._replace(hits=hits)


class Retriever(Protocol):
    """A searchable corpus."""

    def find(
        self,
        queries: Sequence[str],
        depth: int,
        documents: NDArray[np.int64] | None,
        neighbours: int = 0,
        *,
        vectors: bool = False,
    ) -> Found:
        """Rank at most `depth` chunks of some documents (None: all) for each query.

        With `neighbours` the hits carry the scores of so many chunks on either side, as the
        feature of that name. With `vectors` they carry their chunks' vectors of length 1, as the
        feature of that name; a retriever that has none leaves it out.
        """
        ...


class DenseRetriever:
    """Search over unit vectors of an embedding model.

    Args:
        encoder: The model.
        folder: Where caches are kept: its vectors are looked up there first.
        texts: What is embedded, one for each chunk.
        layout: Where documents begin.
        progress: Shows how far embedding is.
        index: How vectors are searched; None: all of them, exactly.
    """

    def __init__(
        self,
        encoder: Encoder,
        folder: Path,
        texts: Sequence[str],
        layout: Layout,
        progress: Progress,
        index: Settings | None = None,
    ) -> None:
        self._encoder = encoder.queries
        self._cache = VectorCache(folder, self._encoder.identity, self._encoder.dimension)
        self._asked = Asked(folder, self._encoder, self._cache) if encoder.remote else None
        self._seen: list[NDArray[np.float32]] = []
        with (
            VectorCache(folder, encoder.identity, encoder.dimension) as cache,
            progress.bar(f"embedding with {encoder.name}") as report,
        ):
            if is_large(len(texts), encoder.dimension):
                rows = partial(blocks, texts, encoder, cache, report)
                vectors = matrix(folder, encoder.identity, encoder.dimension, texts, rows)
            else:
                vectors = embed(texts, encoder, cache, report)
        self.index = store(index, vectors, layout, encoder.identity)
        self.long, self.lost_tokens = encoder.measure(texts)

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
        asked, embedding = self.embed(queries)
        began = perf_counter()
        ranked = search_all(self.index, asked, depth, documents)
        around = [
            features(self.index, query, chunk, window=neighbours, vectors=vectors)
            for query, (chunk, _) in zip(asked, ranked, strict=True)
        ]
        searching = perf_counter() - began
        found = [
            hits(chunk, cosine, self._encoder.name, features)
            for (chunk, cosine), features in zip(ranked, around, strict=True)
        ]
        return Found(
            tuple(one for one, _ in found),
            embedding,
            searching,
            sum(clipped for _, clipped in found),
        )

    def facts(self) -> dict[str, Any]:
        """Return what the manifest says of the index; its recall is that on the queries asked."""
        measure = getattr(self.index, "measure", None)
        if measure and self._seen:
            measure(self._seen[:SAMPLE])
        return self.index.facts

    def embed(self, queries: Sequence[str]) -> tuple[NDArray[np.float32], float]:
        """Return the queries' vectors, and the seconds it takes to embed them.

        A vector is the one first stored for its text, so that numbers do not depend on the last
        bits of this process's arithmetic; the time is that of embedding here and now, or, where
        a server does it, of embedding when it was asked.
        """
        rows, seconds = self._embed(queries)
        if len(self._seen) < SAMPLE:
            self._seen.extend(rows)
        return rows, seconds

    def _embed(self, queries: Sequence[str]) -> tuple[NDArray[np.float32], float]:
        if self._asked:
            return self._asked.embed(queries)
        began = perf_counter()
        rows = self._encoder.encode(queries)
        seconds = perf_counter() - began
        return self._cache.put(queries, rows), seconds

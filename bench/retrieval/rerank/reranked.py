"""A retriever whose best hits are ordered anew by a reranker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.endpoints.together import together
from bench.retrieval.around import of_candidates
from bench.retrieval.rerank.scores import ScoreCache
from bench.retrieval.retriever import Found, Read, Retriever
from rse import Hits, Layout


class RerankedRetriever:
    """Lets a reranker score the best hits of another retriever; what lies deeper is dropped.

    Scores of the two never mix: all hits carry the reranker's. The first one's stay with them as
    the feature `retrieved`, its own features as they are. The feature `neighbours` holds the scores
    of reranked chunks and 0 for others. Equal scores keep the order of the retriever.

    Args:
        base: Finds the hits.
        scorer: Scores them, or remembers.
        texts: What the reranker reads, one for each chunk.
        layout: Where documents begin.
        depth: Hits of each query that are scored.
    """

    def __init__(
        self, base: Retriever, scorer: ScoreCache, texts: Sequence[str], layout: Layout, depth: int
    ) -> None:
        self._base, self._scorer, self._texts = base, scorer, texts
        self._layout, self.depth = layout, depth

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
        if depth < 1:
            raise ValueError(f"depth must be 1 or more, got {depth}")
        found = self._base.find(queries, self.depth, documents, vectors=vectors)
        asked = found.queries or tuple(queries)

        def rerank(query: int) -> tuple[Hits, float]:
            return self._rerank(asked[query], found.hits[query], depth, neighbours)

        # Only what waits for a server gains by doing several queries at a time.
        numbers = range(len(found.hits))
        made = together(rerank, numbers) if self._scorer.remote else [rerank(i) for i in numbers]
        return found._replace(
            hits=tuple(hits for hits, _ in made),
            rerank=found.rerank + sum(seconds for _, seconds in made),
            read=(*found.read, tuple(Read(asked[i], found.hits[i].chunk) for i in numbers)),
        )

    def _rerank(self, query: str, hits: Hits, depth: int, neighbours: int) -> tuple[Hits, float]:
        score, seconds = self._scorer.score(query, [self._texts[chunk] for chunk in hits.chunk])
        order = np.argsort(-score, kind="stable")[:depth]
        features: dict[str, Any] = {
            name: rows[order] for name, rows in hits.features.items() if name != "neighbours"
        }
        features["retrieved"] = hits.score[order]
        chunk = hits.chunk[order]
        if neighbours:
            features["neighbours"] = of_candidates(
                self._layout, chunk, (hits.chunk[hits.by_chunk], score[hits.by_chunk]), neighbours
            )
        return Hits(chunk, score[order], features, scorer=self._scorer.name), seconds

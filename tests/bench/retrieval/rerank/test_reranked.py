"""Hits ordered anew: depth, ties, features, several queries."""

from __future__ import annotations

import numpy as np
import pytest

from bench.retrieval.rerank.reranked import RerankedRetriever
from bench.retrieval.rerank.scores import ScoreCache
from bench.retrieval.retriever import Found
from rse import Hits, Layout
from tests.bench.retrieval.rerank.rerankers import Counting

TEXTS = ["a", "b", "a a", "c", "a a a", "d"]
LAYOUT = Layout([0, 3, 3, 6], [1] * 6)


class Ranked:
    """Finds chunks in an order given, for every query."""

    def __init__(self, chunk, queries=()):
        self.chunk, self.queries, self.asked = chunk, queries, []

    def find(self, queries, depth, documents, neighbours=0, *, vectors=False):
        self.asked.append((tuple(queries), depth, documents, neighbours, vectors))
        chunk = self.chunk[:depth]
        score = np.linspace(0.9, 0.5, len(chunk))
        features = {"bm25": score / 2} | (
            {"vectors": np.arange(2.0 * len(chunk)).reshape(-1, 2)} if vectors else {}
        )
        hits = tuple(Hits(chunk, score, features) for _ in self.queries or queries)
        return Found(hits, 0.25, 0.5, 3, queries=tuple(self.queries))


@pytest.fixture
def made(tmp_path):
    def make(base, reranker, depth=50):
        return RerankedRetriever(base, ScoreCache(tmp_path, reranker), TEXTS, LAYOUT, depth)

    return make


def test_the_reranker_decides_and_equal_scores_keep_their_order(made):
    found = made(Ranked([3, 0, 5, 4, 2]), Counting()).find(["a"], 10, None)
    (hits,) = found.hits
    assert hits.chunk.tolist() == [4, 2, 0, 3, 5]
    assert hits.score.tolist() == [0.3, 0.2, 0.1, 0, 0]
    assert hits.scorer == "counting"
    assert (found.embed, found.search, found.clipped) == (0.25, 0.5, 3)
    assert found.rerank > 0


def test_first_scores_and_features_stay_with_their_hits(made):
    base = Ranked([3, 0, 5, 4, 2])
    (hits,) = made(base, Counting()).find(["a"], 10, None, vectors=True).hits
    assert hits.features["retrieved"] == pytest.approx([0.6, 0.5, 0.8, 0.9, 0.7])
    assert hits.features["bm25"] == pytest.approx(hits.features["retrieved"] / 2)
    assert hits.features["vectors"][:, 0].tolist() == [6, 8, 2, 0, 4]


def test_deeper_hits_are_dropped(made):
    base = Ranked([3, 0, 5, 4, 2])
    scope = np.array([0, 2])
    (hits,) = made(base, Counting(), depth=3).find(["a"], 10, scope).hits
    assert hits.chunk.tolist() == [0, 3, 5]
    assert base.asked == [(("a",), 3, scope, 0, False)]
    (hits,) = made(base, Counting(), depth=5).find(["a"], 2, None).hits
    assert hits.chunk.tolist() == [4, 2]


def test_neighbours_have_the_new_scores(made):
    (hits,) = made(Ranked([0, 4, 2]), Counting()).find(["a"], 10, None, neighbours=1).hits
    assert hits.chunk.tolist() == [4, 2, 0]
    # Chunk 1 was not reranked; 3 neither; chunk 2 ends its document, chunk 0 begins it.
    assert np.isnan(hits.features["neighbours"]).tolist() == [
        [False, False],
        [False, True],
        [True, False],
    ]
    assert np.nan_to_num(hits.features["neighbours"]).tolist() == [[0, 0], [0, 0], [0, 0]]
    (hits,) = made(Ranked([1, 2, 0]), Counting()).find(["a"], 2, None, neighbours=2).hits
    assert hits.chunk.tolist() == [2, 0]
    assert hits.features["neighbours"][0][:2].tolist() == [0.1, 0]  # below the depth, but scored
    assert hits.features["neighbours"][1][2:].tolist() == [0, 0.2]


def test_every_query_is_reranked_by_itself(made):
    reranker = Counting()
    found = made(Ranked([1, 0, 2]), reranker).find(["a", "b"], 10, None)
    assert [hits.chunk.tolist() for hits in found.hits] == [[2, 0, 1], [1, 0, 2]]
    assert [query for query, _ in reranker.asked] == ["a", "b"]


def test_queries_made_on_the_way_are_the_ones_reranked(made):
    reranker = Counting()
    found = made(Ranked([1, 0, 2], queries=("a", "b")), reranker).find(["asked"], 10, None)
    assert [hits.chunk.tolist() for hits in found.hits] == [[2, 0, 1], [1, 0, 2]]
    assert found.queries == ("a", "b")


def test_a_remote_reranker_gets_several_queries_at_once(tmp_path):
    from threading import Barrier

    together = Barrier(3, timeout=5)

    def wait(query, texts):
        together.wait()
        return np.full(len(texts), 0.5)

    reranker = Counting()
    reranker.timed = lambda query, texts: (wait(query, texts), 0.25)
    cache = ScoreCache(tmp_path, reranker, remote=True)
    search = RerankedRetriever(Ranked([1, 0]), cache, TEXTS, LAYOUT, 50)
    found = search.find(["a", "b", "c"], 10, None)
    assert found.rerank == 0.75  # as the reranker says, not as it took here
    assert [hits.chunk.tolist() for hits in found.hits] == [[1, 0]] * 3


def test_nothing_found_is_nothing_reranked(made):
    reranker = Counting()
    found = made(Ranked([]), reranker).find(["a"], 10, None, neighbours=2)
    assert len(found.hits[0]) == 0
    assert found.rerank == 0
    assert reranker.asked == []


def test_depth_below_one_is_refused(made):
    with pytest.raises(ValueError, match="depth must be 1 or more, got 0"):
        made(Ranked([1]), Counting()).find(["a"], 0, None)

"""What hits carry, over any store."""

from __future__ import annotations

import numpy as np
import pytest

from bench.retrieval.index.flat import DenseIndex
from bench.retrieval.index.make import store
from bench.retrieval.index.recipes import HNSW, IVF
from bench.retrieval.index.store import features, hits, neighbours
from tests.bench.retrieval.index.corpora import layout, units


def test_hits_lie_between_0_and_1():
    made, clipped = hits(np.array([4, 2, 9]), np.array([1.0, 0.25, -0.5]), "minilm")
    assert made.chunk.tolist() == [4, 2, 9]
    assert made.score.tolist() == [1.0, 0.25, 0.0]
    assert (clipped, made.scorer) == (1, "minilm")
    nothing, clipped = hits(np.zeros(0, np.int64), np.zeros(0), "minilm")
    assert (len(nothing), clipped) == (0, 0)


@pytest.mark.parametrize("settings", [None, HNSW(), IVF()])
def test_neighbours_are_scored_inside_their_document_only(settings):
    vectors = units(6, 8, seed=5)
    made = store(settings, vectors, layout(4, 0, 2), "0" * 64)
    query = vectors[1]
    found = neighbours(made, query, np.array([0, 3, 4]), 2)
    cosine = np.clip(vectors.astype(float) @ query.astype(float), 0, 1)
    nan = np.nan
    expected = [
        [nan, nan, cosine[1], cosine[2]],
        [cosine[1], cosine[2], nan, nan],
        [nan, nan, cosine[5], nan],
    ]
    assert found == pytest.approx(np.array(expected), abs=1e-9, nan_ok=True)
    assert neighbours(made, query, np.zeros(0, np.int64), 2).shape == (0, 4)


def test_only_what_is_asked_for_is_carried():
    vectors = units(6, 8)
    index = DenseIndex(vectors, layout(6))
    chunk = np.array([5, 2])
    assert features(index, vectors[0], chunk) == {}
    both = features(index, vectors[0], chunk, window=1, vectors=True)
    assert {name: (rows.shape, rows.dtype) for name, rows in both.items()} == {
        "neighbours": ((2, 2), np.float64),
        "vectors": ((2, 8), np.float64),
    }
    np.testing.assert_array_equal(both["vectors"], vectors[chunk])

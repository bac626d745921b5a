"""Approximate search: what it says of itself, when it turns exact, and that it repeats."""

from __future__ import annotations

import numpy as np
import pytest

from bench.retrieval.index.approximate import ApproximateIndex
from bench.retrieval.index.flat import DenseIndex
from bench.retrieval.index.recall import recall, sampled
from bench.retrieval.index.recipes import HNSW, IVF
from bench.threads import set_threads
from tests.bench.retrieval.index.corpora import layout, same, units

BOTH = [HNSW(), IVF()]
WIDE = [HNSW(m=32, ef_search=600), IVF(lists=10, probes=10)]
NARROW = [HNSW(m=2, ef_construction=2, ef_search=1), IVF(lists=200, probes=1)]


@pytest.mark.parametrize("settings", WIDE)
def test_looking_everywhere_gives_exact_search_to_the_last_bit(settings):
    vectors = units(600, 16)
    where = layout(200, 0, 400)
    index, exact = ApproximateIndex(vectors, where, settings), DenseIndex(vectors, where)
    for query in units(10, 16, seed=1):
        for documents in (None, np.array([2]), np.array([0, 1])):
            assert same(index.search(query, 50, documents), exact.search(query, 50, documents))
    facts = index.facts
    assert facts["recall_at_k"] == {"10": 1.0, "200": 1.0}
    assert (facts["searches"], facts["exact_fallbacks"]) == (30, 0)
    assert facts["bytes"] > facts["vector_bytes"] == vectors.nbytes


@pytest.mark.parametrize("settings", NARROW)
def test_what_is_missed_is_measured(settings):
    vectors, where = units(3000, 24), layout(3000)
    index = ApproximateIndex(vectors, where, settings)
    questions = units(20, 24, seed=3)
    measured = index.measure(questions)
    exact = DenseIndex(vectors, where)
    hit = [
        len(np.intersect1d(index.search(q, 10)[0], exact.search(q, 10)[0])) / 10 for q in questions
    ]
    assert measured["recall_at_k"]["10"] == pytest.approx(np.mean(hit))
    assert 0 < measured["recall_at_k"]["10"] < 0.9
    assert (measured["n"], measured["measured_on"]) == (20, "given queries")
    assert index.facts["recall_at_k"] == measured["recall_at_k"]


@pytest.mark.parametrize("settings", BOTH)
def test_without_questions_recall_is_measured_on_moved_vectors(settings):
    index = ApproximateIndex(units(50, 16), layout(50), settings)
    facts = index.facts
    assert (facts["n"], facts["measured_on"]) == (50, "moved vectors of the corpus")
    assert facts["recall_at_k"].keys() == {"10", "50"}
    assert facts["searches"] == 0


def test_samples_are_moved_and_the_same_every_time():
    vectors = units(300, 64)
    queries = sampled(vectors)
    np.testing.assert_array_equal(queries, sampled(vectors))
    assert np.linalg.norm(queries, axis=1) == pytest.approx(1, abs=1e-6)
    nearest = (queries @ vectors.T).max(axis=1)
    assert 0.8 < nearest.min() < nearest.max() < 0.97
    assert np.abs(sampled(np.array([[1], [-1]], np.float32))).tolist() == [[1], [1]]


def test_ties_with_the_last_place_count_as_found():
    vectors = np.repeat(units(1, 4), 40, axis=0)
    exact = DenseIndex(vectors, layout(40))

    class Last:
        def search(self, vector, depth, documents):
            return np.arange(40 - depth, 40), np.ones(depth)

    one = exact.search(vectors[0], 1)[1][0]
    assert one <= 1.0
    assert recall(Last(), exact, vectors[:1])["recall_at_k"] == {"10": 1.0, "40": 1.0}
    assert recall(Last(), exact, vectors[:0]) == {"n": 0, "recall_at_k": {}}


def test_too_few_are_searched_again_exactly_and_counted():
    vectors = units(2000, 16)
    where = layout(*[4] * 500)
    index = ApproximateIndex(vectors, where, IVF(lists=200, probes=1))
    exact = DenseIndex(vectors, where)
    found = index.search(vectors[0], 1000)
    assert same(found, exact.search(vectors[0], 1000))
    facts = index.facts
    assert (facts["searches"], facts["exact_fallbacks"], facts["exact_for_scope"]) == (1, 1, 0)


@pytest.mark.parametrize("settings", NARROW)
def test_few_documents_are_searched_exactly_and_counted(settings):
    vectors = units(2000, 16)
    where = layout(*[4] * 500)
    index, exact = ApproximateIndex(vectors, where, settings), DenseIndex(vectors, where)
    scope = np.arange(0, 40)
    for query in units(5, 16, seed=1):
        assert same(index.search(query, 20, scope), exact.search(query, 20, scope))
    facts = index.facts
    assert (facts["searches"], facts["exact_fallbacks"], facts["exact_for_scope"]) == (5, 0, 5)


@pytest.mark.parametrize("settings", [HNSW(m=16, ef_search=40), IVF(lists=100, probes=20)])
def test_among_some_of_the_documents_as_much_is_found_as_among_all(settings):
    vectors = units(4000, 24)
    index = ApproximateIndex(vectors, layout(*[4] * 1000), settings)
    questions = units(40, 24, seed=3)
    everywhere = index.measure(questions)["recall_at_k"]
    some = index.measure(questions, np.arange(0, 1000, 5))["recall_at_k"]
    for k, share in everywhere.items():
        assert some[k] > share - 0.05


def test_many_equal_vectors_are_all_found():
    vectors = np.repeat(units(2, 8), 300, axis=0)
    for settings in BOTH:
        index = ApproximateIndex(vectors, layout(600), settings)
        chunk, _ = index.search(vectors[0], 250)
        assert len(set(chunk.tolist())) == 250
        assert chunk.max() < 300


@pytest.mark.parametrize("settings", NARROW)
def test_two_threads_build_and_search_as_one(settings):
    vectors, where = units(3000, 24), layout(*[30] * 100)
    found = []
    for threads in (1, 2):
        set_threads(threads)
        index = ApproximateIndex(vectors, where, settings)
        assert set_threads(None)["faiss"] == threads
        scope = np.arange(50)
        found.append([index.search(q, 9, s) for q in units(30, 24, seed=1) for s in (None, scope)])
        found[-1].append((index.facts["recall_at_k"].values(), []))
    assert all(
        np.array_equal(list(a[0]), list(b[0])) and np.array_equal(a[1], b[1])
        for a, b in zip(*found, strict=True)
    )


@pytest.mark.parametrize("settings", BOTH)
def test_small_corpora_and_questions_that_make_no_sense(settings, capfd):
    index = ApproximateIndex(np.eye(3, dtype=np.float32), layout(2, 0, 1), settings)
    chunk, cosine = index.search(np.array([1, 0, 0], np.float32), 9)
    assert (chunk.tolist(), cosine.tolist()) == ([0, 1, 2], [1, 0, 0])
    for vector, depth, scope, message in (
        ([1, 0], 1, None, r"shape \(2,\), the index has 3 dimensions"),
        ([np.nan, 0, 0], 1, None, "length nan"),
        ([0, 0, 0], 1, None, "length 0"),
        ([1, 0, 0], 0, None, "depth must be 1 or more"),
        ([1, 0, 0], 1, [3], "documents 3 to 3"),
    ):
        with pytest.raises(ValueError, match=message):
            index.search(np.array(vector, np.float32), depth, scope)
    with pytest.raises(ValueError, match="vector 1 has length nan"):
        ApproximateIndex(np.array([[1, 0], [np.nan, 0]], np.float32), layout(2), settings)
    nothing = ApproximateIndex(np.zeros((0, 3), np.float32), layout(0), settings)
    assert len(nothing.search(np.array([1, 0, 0], np.float32), 2)[0]) == 0
    facts = nothing.facts
    assert (facts["recall_at_k"], facts["n"], facts["bytes"]) == ({}, 0, 0)
    assert capfd.readouterr() == ("", "")

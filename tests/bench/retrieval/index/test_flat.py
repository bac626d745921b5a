from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.retrieval.index.flat import DenseIndex, hits
from bench.threads import set_threads
from rse.types import Layout
from tests.bench.retrieval.fakes import unit


def layout(*sizes):
    return Layout(np.cumsum([0, *sizes]), np.ones(sum(sizes), np.int64))


def brute_force(vectors, query, depth, allowed):
    """Rank by (cosine descending, chunk ascending), the cosine summed one by one."""
    score = [min(1.0, (v.astype(np.float64) * query.astype(np.float64)).sum()) for v in vectors]
    order = sorted((i for i in range(len(vectors)) if allowed[i]), key=lambda i: (-score[i], i))
    return order[:depth], [score[i] for i in order[:depth]]


def same(found, expected):
    return found[0].tolist() == expected[0] and found[1].tolist() == expected[1]


# Few directions, so that most chunks tie; components of 0.6 and 0.8 make sums that round.
DIRECTIONS = [unit(row) for row in ([1, 0, 0], [0, 1, 0], [3, 4, 0], [0, 3, 4], [-1, 0, 0])]
DIRECTIONS += [unit([1, 1e-7, 0]), unit([3, 4, 1e-6])]


@given(
    sizes=st.lists(st.integers(0, 40), min_size=1, max_size=6),
    depth=st.integers(1, 120),
    seed=st.integers(0, 2**32 - 1),
    data=st.data(),
)
def test_ranks_as_brute_force(sizes, depth, seed, data):
    random = np.random.default_rng(seed)
    kinds = random.integers(0, data.draw(st.integers(1, len(DIRECTIONS))), sum(sizes))
    vectors = np.array(DIRECTIONS)[kinds]
    query = DIRECTIONS[data.draw(st.integers(0, len(DIRECTIONS) - 1))]
    index = DenseIndex(vectors, layout(*sizes))
    everything = np.ones(len(vectors), bool)
    assert same(index.search(query, depth), brute_force(vectors, query, depth, everything))
    documents = np.array(data.draw(st.lists(st.integers(0, len(sizes) - 1))), np.int64)
    allowed = np.isin(index.layout.document(np.arange(len(vectors))), documents)
    found = index.search(query, depth, documents)
    assert same(found, brute_force(vectors, query, depth, allowed))


@pytest.mark.parametrize("dimension", [1, 7, 384])
def test_random_vectors_and_a_scope_is_a_filter(dimension):
    random = np.random.default_rng(dimension)
    vectors = np.array([unit(row) for row in random.normal(size=(3000, dimension))])
    vectors[1000:1200] = vectors[5]
    index = DenseIndex(vectors, layout(*[30] * 100))
    for query in [*vectors[:6], *(unit(row) for row in random.normal(size=(10, dimension)))]:
        found = index.search(query, 100)
        assert same(found, brute_force(vectors, query, 100, np.ones(3000, bool)))
        documents = np.array([3, 40, 34, 99, 3])
        chunk, cosine = index.search(query, 3000)
        kept = np.isin(index.layout.document(chunk), documents)
        assert same(
            index.search(query, 50, documents),
            (chunk[kept][:50].tolist(), cosine[kept][:50].tolist()),
        )


def test_numbers_do_not_depend_on_threads():
    random = np.random.default_rng(0)
    vectors = np.array([unit(row) for row in random.normal(size=(2000, 384))])
    index = DenseIndex(vectors, layout(2000))
    results = []
    for threads in (1, 2):
        in_force = set_threads(threads)
        assert in_force["faiss"] == threads
        results.append([index.search(vector, 20) for vector in vectors[:20]])
    for (chunk, cosine), (chunk2, cosine2) in zip(*results, strict=True):
        assert np.array_equal(chunk, chunk2)
        assert np.array_equal(cosine, cosine2)


def test_fewer_chunks_than_asked_for():
    index = DenseIndex(np.eye(3, dtype=np.float32), layout(3))
    chunk, cosine = index.search(np.array([1, 0, 0], np.float32), 5)
    assert (chunk.tolist(), cosine.tolist()) == ([0, 1, 2], [1.0, 0.0, 0.0])


@pytest.mark.parametrize("documents", [None, np.zeros(0, np.int64), np.array([0, 1])])
def test_an_empty_index(documents):
    index = DenseIndex(np.zeros((0, 3), np.float32), layout(0, 0))
    chunk, cosine = index.search(np.array([1, 0, 0], np.float32), 2, documents)
    assert (chunk.dtype, len(chunk), len(cosine)) == (np.int64, 0, 0)


def test_rows_must_be_of_unit_length():
    with pytest.raises(ValueError, match="vector 0 has length 10, not 1"):
        DenseIndex(np.array([[10, 0], [0.6, 0.8]], np.float32), layout(2))
    index = DenseIndex(np.array([[1, 0], [0.6, 0.8]], np.float32), layout(2))
    chunk, cosine = index.search(np.array([0.6, 0.8], np.float32), 2)
    assert chunk.tolist() == [1, 0]
    assert cosine == pytest.approx([1.0, 0.6])
    assert cosine[0] <= 1.0


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_rows_must_be_finite(bad):
    with pytest.raises(ValueError, match="vector 1 has length"):
        DenseIndex(np.array([[1, 0], [bad, 0]], np.float32), layout(2))


def test_wrong_shapes():
    with pytest.raises(ValueError, match="table"):
        DenseIndex(np.ones(3, np.float32), layout(3))
    with pytest.raises(ValueError, match="2 vectors, but 3 chunks"):
        DenseIndex(np.eye(2, dtype=np.float32), layout(3))


@pytest.mark.parametrize(
    ("vector", "depth", "documents", "message"),
    [
        ([1, 0, 0], 0, None, "depth must be 1 or more, got 0"),
        ([1, 0], 1, None, r"shape \(2,\), the index has 3 dimensions"),
        ([[1, 0, 0]], 1, None, r"shape \(1, 3\)"),
        ([2, 0, 0], 1, None, "length 2, not 1"),
        ([np.nan, 0, 0], 1, None, "length nan"),
        ([1, 0, 0], 1, [2], "documents 2 to 2 were asked for, there are 2"),
        ([1, 0, 0], 1, [-1], "documents -1"),
    ],
)
def test_questions_that_make_no_sense(vector, depth, documents, message):
    index = DenseIndex(np.eye(3, dtype=np.float32), layout(2, 1))
    scope = None if documents is None else np.array(documents)
    with pytest.raises(ValueError, match=message):
        index.search(np.array(vector, np.float32), depth, scope)


@pytest.mark.parametrize("kind", [np.float64, np.float16])
def test_other_kinds_and_orders_of_numbers(kind):
    rows = np.asfortranarray(np.eye(4, 3, dtype=kind)[::-1][:3][::-1])
    rows[:, :] = np.eye(3)
    chunk, _ = DenseIndex(rows, layout(3)).search(np.array([0, 0, 1], kind), 1)
    assert chunk.tolist() == [2]


def test_hits_lie_between_0_and_1():
    made, clipped = hits(np.array([4, 2, 9]), np.array([1.0, 0.25, -0.5]), "minilm")
    assert made.chunk.tolist() == [4, 2, 9]
    assert made.score.tolist() == [1.0, 0.25, 0.0]
    assert (clipped, made.scorer) == (1, "minilm")
    nothing, clipped = hits(np.zeros(0, np.int64), np.zeros(0), "minilm")
    assert (len(nothing), clipped) == (0, 0)


def test_neighbours_are_scored_inside_their_document_only():
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(6, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    index = DenseIndex(vectors, Layout([0, 4, 6], [1] * 6))
    query = vectors[1]
    found = index.neighbours(query, np.array([0, 3, 4]), 2)
    cosine = np.clip(vectors.astype(float) @ query.astype(float), 0, 1)
    nan = np.nan
    expected = [
        [nan, nan, cosine[1], cosine[2]],
        [cosine[1], cosine[2], nan, nan],
        [nan, nan, cosine[5], nan],
    ]
    assert found == pytest.approx(np.array(expected), abs=1e-9, nan_ok=True)
    assert index.neighbours(query, np.zeros(0, np.int64), 2).shape == (0, 4)

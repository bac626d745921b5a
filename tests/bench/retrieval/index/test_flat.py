from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.retrieval.index import flat
from bench.retrieval.index.flat import DenseIndex
from bench.threads import set_threads
from tests.bench.retrieval.fakes import unit
from tests.bench.retrieval.index.corpora import brute_force, layout, same, units

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


@pytest.fixture
def small_pieces(monkeypatch):
    """Cut even small corpora into many blocks, searched by several threads."""
    monkeypatch.setattr(flat, "BLOCK", 50)
    monkeypatch.setattr(flat, "SHORT", 8)
    monkeypatch.setattr(flat, "COPIED_AT_ONCE", 20)


@pytest.mark.parametrize("threads", [1, 2])
def test_blocks_and_threads_change_no_bit(small_pieces, threads):
    vectors = units(900, 24)
    vectors[300:420] = vectors[2]  # more ties than fit into a block
    sizes = [0, 3, 90, 0, 5, 7, 200, 1, 0, 594]
    index = DenseIndex(vectors, layout(*sizes))
    set_threads(threads)
    try:
        for query in [vectors[2], *units(2, 24, seed=1)]:
            for scope in (None, [1, 2, 3, 4, 7], [5, 6, 9, 6], [0, 3, 8]):
                documents = None if scope is None else np.array(scope)
                owner = index.layout.document(np.arange(900))
                allowed = None if scope is None else np.isin(owner, scope)
                for depth in (1, 40, 2000):
                    found = index.search(query, depth, documents)
                    assert same(found, brute_force(vectors, query, depth, allowed))
    finally:
        set_threads(2)


def test_the_vectors_are_not_copied():
    vectors = units(10, 4)
    index = DenseIndex(vectors, layout(10))
    assert np.shares_memory(index.vectors, vectors)
    assert index.facts == {"kind": "exact", "vector_bytes": 160, "bytes": 0}


def test_mapped_vectors_give_the_same_and_stay_where_they_are(tmp_path):
    vectors = units(200, 8)
    np.save(tmp_path / "v.npy", vectors)
    mapped = np.load(tmp_path / "v.npy", mmap_mode="r")
    index = DenseIndex(mapped, layout(200))
    assert np.shares_memory(index.vectors, mapped)
    assert same(
        index.search(vectors[3], 20), DenseIndex(vectors, layout(200)).search(vectors[3], 20)
    )
    assert type(index.rows(np.array([1]))) is np.ndarray


def test_a_narrow_scope_reads_only_its_own_rows(monkeypatch):
    read = []
    nearest = flat._nearest

    def watched(query, rows, count, piece):
        read.append(len(rows))
        return nearest(query, rows, count, piece)

    monkeypatch.setattr(flat, "_nearest", watched)
    index = DenseIndex(units(5000, 8), layout(*[10] * 500))
    index.search(units(1, 8)[0], 5, np.array([3, 4, 400]))
    assert sum(read) == 30

"""Several queries at once give what each gives alone."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from bench.retrieval.index import flat, together
from bench.retrieval.index.flat import DenseIndex
from bench.retrieval.index.make import store
from bench.retrieval.index.recipes import HNSW, IVF
from bench.retrieval.index.together import search_all
from bench.threads import set_threads
from tests.bench.retrieval.index.corpora import layout, same, units


@pytest.mark.parametrize("settings", [None, HNSW(), IVF()])
@pytest.mark.parametrize("scope", [None, [0, 2], []])
def test_each_ranking_is_that_of_a_single_search(settings, scope, monkeypatch):
    monkeypatch.setattr(flat, "WORTH_A_THREAD", 1)
    set_threads(2)
    vectors = units(400, 16)
    made = store(settings, vectors, layout(100, 0, 300), "0" * 64)
    documents = None if scope is None else np.array(scope, np.int64)
    asked = units(9, 16, seed=1)
    found = search_all(made, asked, 12, documents)
    alone = [made.search(query, 12, documents) for query in asked]
    assert len(found) == 9
    assert all(same(*pair) for pair in zip(found, alone, strict=True))
    assert search_all(made, [], 12, documents) == []


def test_threads_are_used_where_they_are_worth_it_and_nowhere_else(monkeypatch):
    set_threads(2)
    names = set()
    search = DenseIndex.search

    def watched(self, *given):
        names.add(threading.current_thread().name)
        return search(self, *given)

    monkeypatch.setattr(DenseIndex, "search", watched)
    index = DenseIndex(units(4000, 8), layout(*[10] * 400))
    search_all(index, units(6, 8), 5)
    assert names == {threading.current_thread().name}
    monkeypatch.setattr(flat, "WORTH_A_THREAD", 30_000)
    search_all(index, units(6, 8), 5, np.array([1, 2]))
    assert names == {threading.current_thread().name}
    search_all(index, units(6, 8), 5)
    assert len(names) > 1


def test_one_query_starts_no_thread(monkeypatch):
    def refuse(*_):
        raise AssertionError("a thread")

    monkeypatch.setattr(flat, "WORTH_A_THREAD", 1)
    monkeypatch.setattr(together, "ThreadPoolExecutor", refuse)
    index = DenseIndex(units(40, 8), layout(40))
    assert len(search_all(index, units(1, 8), 5)) == 1


def test_an_error_is_raised_from_a_thread(monkeypatch):
    monkeypatch.setattr(flat, "WORTH_A_THREAD", 1)
    set_threads(2)
    index = DenseIndex(units(40, 8), layout(40))
    bad = np.concatenate([units(2, 8), np.full((1, 8), np.nan, np.float32)])
    with pytest.raises(ValueError, match="length nan"):
        search_all(index, bad, 5)

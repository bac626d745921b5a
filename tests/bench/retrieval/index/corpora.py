"""Small corpora of vectors, and the order that every store must give them."""

from __future__ import annotations

import numpy as np

from rse.types import Layout


def layout(*sizes):
    """Return a layout of documents with so many chunks each."""
    return Layout(np.cumsum([0, *sizes]), np.ones(sum(sizes), np.int64))


def units(n, dimension, seed=0):
    """Return random vectors of length 1."""
    rows = np.random.default_rng(seed).normal(size=(n, dimension))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def brute_force(vectors, query, depth, allowed=None):
    """Rank by (cosine descending, chunk ascending), the cosine summed one by one."""
    score = [min(1.0, (v.astype(np.float64) * query.astype(np.float64)).sum()) for v in vectors]
    kept = [i for i in range(len(vectors)) if allowed is None or allowed[i]]
    order = sorted(kept, key=lambda i: (-score[i], i))[:depth]
    return order, [score[i] for i in order]


def same(found, expected):
    """Tell whether two rankings are equal to the last bit."""
    return np.asarray(found[0]).tolist() == np.asarray(expected[0]).tolist() and (
        np.asarray(found[1]).tolist() == np.asarray(expected[1]).tolist()
    )

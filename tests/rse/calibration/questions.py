"""Random tuning questions: hits of a few documents with gold, BM25 scores and neighbours."""

from __future__ import annotations

import numpy as np

from rse import Hits, Layout
from rse.calibration import Example

SIZES = (9, 0, 14, 17)


def layout(rng=None, names="abcd"):
    tokens = np.full(40, 120) if rng is None else rng.integers(0, 400, 40)
    start = np.concatenate(([0], np.cumsum(SIZES)))
    return Layout(start, np.full(40, 500), tokens=tokens, identity=tuple(names))


def question(rng, corpus, depth=12, *, gold=True):
    """The better its score, the likelier a hit holds gold; some gold is not found."""
    count = int(rng.integers(1, depth + 1))
    score = np.sort(rng.random(count))[::-1]
    features = {
        "bm25": rng.gamma(2.0, 4.0, count),
        "neighbours": np.where(rng.random((count, 6)) < 0.2, np.nan, rng.random((count, 6))),
    }
    hits = Hits(rng.permutation(len(corpus))[:count], score, features)
    held = np.where(rng.random(count) < score**2, rng.integers(1, 300, count), 0) * float(gold)
    return Example(hits, corpus, held, float(held.sum() + rng.integers(0, 200)) * gold)


def questions(seed=0, count=60):
    rng = np.random.default_rng(seed)
    corpus = layout(rng)
    return [question(rng, corpus, gold=number % 5 > 0) for number in range(count)]

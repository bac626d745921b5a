"""Random questions: a layout and the hits of one to four queries, ties rare or common."""

from __future__ import annotations

import numpy as np

from rse import Hits, Layout


def random_case(rng, *, documents=50, queries=4, chunks=30, depth=60, grid=None):
    """Return (hits, layout); with `grid` scores are multiples of it, so ties abound."""
    sizes = rng.integers(0, chunks + 1, rng.integers(1, documents + 1))
    total = int(sizes.sum())
    layout = Layout(np.concatenate(([0], np.cumsum(sizes))), rng.integers(1, 1500, total))
    hits = []
    for _ in range(rng.integers(1, queries + 1)):
        count = int(rng.integers(0, min(depth, total) + 1))
        score = np.sort(rng.random(count))[::-1]
        if grid:
            score = np.round(np.round(score / grid) * grid, 10)
        hits.append(Hits(rng.permutation(total)[:count], np.minimum(score, 1)))
    return hits, layout


def random_parameters(rng):
    """Parameters from the useful to the odd."""
    return {
        "irrelevant_chunk_penalty": float(rng.choice([0.05, 0.1, 0.18, 0.2, 0.3, 0.4])),
        "decay_rate": float(rng.choice([5, 30, 200, 1e9])),
        "minimum_value": float(rng.choice([0.0, 0.1, 0.3, 0.5, 0.7])),
        "max_length": int(rng.choice([1, 2, 5, 15, 40])),
        "overall_max_length": int(rng.choice([1, 3, 10, 30, 200])),
        "overall_max_length_extension": int(rng.choice([0, 1, 5])),
        "top_k_for_document_selection": int(rng.choice([1, 3, 10, 200])),
        "chunk_length_adjustment": bool(rng.random() < 0.5),
    }

"""Parts of a dataset that are tuned on and reported on in turn, split by document."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def assign(cluster: Sequence[int], folds: int, seed: int) -> list[int]:
    """Return the fold of each question: those about the same documents share one.

    Clusters are dealt out in a random order, each to the fold with the fewest questions; a set of
    fewer clusters than folds has a fold for each.

    Args:
        cluster: Cluster of each question, see `bench.stats.clusters`.
        folds: How many parts.
        seed: Same seed, same parts.
    """
    numbers = np.asarray(cluster, np.int64)
    sizes = np.bincount(numbers)
    fold_of = np.zeros(len(sizes), np.int64)
    filled = np.zeros(min(folds, len(sizes)), np.int64)
    for number in np.random.default_rng(seed).permutation(len(sizes)):
        fold_of[number] = np.argmin(filled)
        filled[fold_of[number]] += sizes[number]
    return [int(number) for number in fold_of[numbers]]

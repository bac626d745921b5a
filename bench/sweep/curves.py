"""Top-k of searched questions for every k: what every choice is held against."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from baselines.ranking import interleave
from bench.metrics.selections import score_selections
from bench.sweep.measure import COLUMNS
from bench.sweep.pool import Curve
from bench.sweep.searched import Asked, Searched
from rse.batch import Selections

RECALL, TOKENS = COLUMNS.index("recall"), COLUMNS.index("tokens")


def topk_curve(held: Searched, depth: int) -> Curve:
    """Return tokens and recall of the best k chunks for k from 0 to `depth`.

    Several queries' hits are taken in turns; where there are fewer hits, more k return the same.
    """
    rows = [_scores(held, asked, depth) for asked in held.asked]
    return Curve(
        np.array([scores[:, TOKENS] for scores in rows]).reshape(len(rows), depth + 1),
        np.array([scores[:, RECALL] for scores in rows]).reshape(len(rows), depth + 1),
    )


def _scores(held: Searched, asked: Asked, depth: int) -> NDArray[np.float64]:
    ranking = interleave(asked.hits)[0][:depth]
    count = len(ranking)
    # Setting k shows the first k chunks, each as a segment of its own.
    begin = np.cumsum(np.arange(count + 1)) - np.arange(count + 1)
    first = np.concatenate([np.empty(0, np.int64), *(ranking[:k] for k in range(count + 1))])
    ends = np.append(begin, len(first)).astype(np.int64)
    scores = score_selections(Selections(ends, first, first + 1), held.ground, asked.targets)
    return np.pad(scores, ((0, depth - count), (0, 0)), mode="edge")

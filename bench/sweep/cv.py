"""A row for each setting: its parameters, means with intervals, ranks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bench.stats.margin import Frontier
from bench.summary.row import Row
from bench.sweep.measure import COLUMNS
from bench.sweep.pool import CHUNKS, PRECISION, RECALL, SEGMENTS, TOKENS, Floats, Pool
from bench.sweep.settings import Setting

RANKED = {"recall": (RECALL, -1), "precision": (PRECISION, -1), "tokens": (TOKENS, 1)}
"""What settings are ranked by, and whether less is better."""


def cv_rows(pool: Pool, settings: Sequence[Setting], errors: Mapping[int, str]) -> Iterator[Row]:
    """Yield a row for each setting on one dataset.

    `param_*` are the axes; means are over the questions with gold, with 95 % intervals; `rank_*`
    are 1 for the best, equal values share the best of their ranks; `margin` is recall above top-k
    at the same mean tokens; `pareto`: no other setting has more recall for as few tokens.
    """
    names = list(dict.fromkeys(name for one in settings for name in one.chosen))
    questions = pool.values.shape[1]
    flat = pool.values.transpose(1, 0, 2).reshape(questions, -1)
    intervals = pool.split.draws.intervals(flat)
    means = np.array([one.value for one in intervals]).reshape(len(settings), len(COLUMNS))
    ranks = {name: _ranks(sign * means[:, column]) for name, (column, sign) in RANKED.items()}
    best = pareto(means[:, TOKENS], means[:, RECALL])
    margins = _margins(pool, settings)
    for place, one in enumerate(settings):
        row: Row = {"dataset": pool.dataset, "arm": str(one.arm)}
        row |= {f"param_{name}": one.chosen.get(name, "") for name in names}
        for column, name in enumerate(COLUMNS):
            found = intervals[place * len(COLUMNS) + column]
            row |= {f"mean_{name}": found.value}
            row |= {f"low_{name}": found.low, f"high_{name}": found.high}
        row |= _shape(pool.values[place])
        row |= {f"rank_{name}": int(rank[place]) for name, rank in ranks.items()}
        row |= {"margin": margins[place], "pareto": bool(best[place])}
        yield row | {"questions": questions, "error": errors.get(place, "")}


def pareto(tokens: Floats, recall: Floats) -> NDArray[np.bool_]:
    """Tell which settings no other has more recall than for as few tokens; ties: the first.

    >>> pareto(np.array([10.0, 20.0, 20.0, 30.0]), np.array([0.5, 0.4, 0.6, 0.6])).tolist()
    [True, False, True, False]
    """
    order = np.lexsort((-recall, tokens))
    found = np.zeros(len(tokens), bool)
    reached = -np.inf
    for place in order[~np.isnan(recall[order])]:
        if recall[place] > reached:
            found[place], reached = True, recall[place]
    return found


def _shape(values: Floats) -> Row:
    """Describe one setting's answers beyond their means."""
    tokens, segments = values[:, TOKENS], values[:, SEGMENTS]
    if np.isnan(tokens).all():
        return {"p95_tokens": np.nan, "empty_rate": np.nan, "segment_length": np.nan}
    many = segments.sum()
    return {
        "p95_tokens": float(np.percentile(tokens, 95)),
        "empty_rate": float((segments == 0).mean()),
        "segment_length": float(values[:, CHUNKS].sum() / many) if many else np.nan,
    }


def _ranks(values: Floats) -> NDArray[np.int64]:
    """Rank from 1, the least first; what is undefined is last."""
    known = np.where(np.isnan(values), np.inf, values).round(12)
    return np.searchsorted(np.sort(known), known, side="left") + 1


def _margins(pool: Pool, settings: Sequence[Setting]) -> list[float]:
    frontiers = {name: Frontier(*curve, pool.split.draws) for name, curve in pool.topk.items()}
    return [
        frontiers[one.family].value(values[:, TOKENS], values[:, RECALL])
        for one, values in zip(settings, pool.values, strict=True)
    ]

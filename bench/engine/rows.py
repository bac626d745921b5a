"""What was measured of a pool as rows, one for each family and budget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from bench.engine.crossfit import CrossFit, Form, weights
from bench.engine.families import BUDGETS, Measured, even, points
from bench.engine.pool import Pool
from bench.stats.bootstrap import Interval
from bench.stats.margin import Frontier
from bench.stats.traced import At, Traced, difference, interval

Row = dict[str, Any]

EVEN = "oracle, the same tokens for every question"
UNDEFINED = At(np.nan, np.full(1, np.nan))


def families(held: Pool, found: Mapping[str, Traced]) -> Iterator[Row]:
    """Yield recall, the margin over top-k and that over the best RSE at the same mean tokens."""
    for name, family in found.items():
        for budget in BUDGETS:
            here = family.within(budget) if name == "oracle" else family.at(budget)
            spent = family.p95(budget) if not np.isnan(here.value) else np.nan
            yield _family(found, name, budget, here) | {"p95_tokens": spent}
    for budget, recall in zip(BUDGETS, even(held).T, strict=True):
        here = At(float(recall.mean()), held.draws.means(recall))
        yield _family(found, EVEN, budget, here) | {"p95_tokens": float(budget)}


def _family(found: Mapping[str, Traced], name: str, budget: int, here: At) -> Row:
    rival = best_rse(found, name, budget)
    beaten = found[rival].at(budget) if rival else UNDEFINED
    return {
        "family": name,
        "mean_tokens": budget,
        **_named("recall", interval(here), "recall"),
        **_named("margin", difference(here, found["topk"].at(budget)), "margin"),
        "best_rse": rival,
        **_named("margin_rse", difference(here, beaten), "rse"),
    }


def best_rse(found: Mapping[str, Traced], name: str, budget: int) -> str:
    """Name the family of RSE, its penalty traced, with the most recall at a budget.

    Among those that read no score which the family `name` does not read. It is the best on the
    very questions judged, which favours RSE. Empty where none spends so much.
    """
    values = {
        rival: family.at(budget).value
        for rival, family in found.items()
        if rival.startswith("rse ") and ("bm25" in name or "bm25" not in rival)
    }
    known = [rival for rival, value in values.items() if not np.isnan(value)]
    return max(known, key=values.__getitem__, default="")


def presets(held: Pool, top: Traced) -> Iterator[Row]:
    """Yield what presets do as they are."""
    frontier = Frontier(top.tokens, top.recall, held.draws)
    for name, found in points(held).items():
        yield {
            "preset": name,
            "mean_tokens": found.tokens.mean(),
            "recall": found.recall.mean(),
            **_named("margin", frontier.margin(found.tokens[:, 0], found.recall[:, 0]), "margin"),
            "empty": (found.segments[:, 0] == 0).mean(),
            **_shape(found, 0),
        }


def costs(held: Pool, by_cost: Mapping[float, Measured], top: Traced) -> Iterator[Row]:
    """Yield what a segment's cost does at equal tokens: recall, segments, their length.

    `margin` is that over top-k, `margin_free` that over the same without a cost.
    """
    free = Traced(by_cost[0.0].tokens, by_cost[0.0].recall, held.draws)
    for cost, found in by_cost.items():
        family = Traced(found.tokens, found.recall, held.draws)
        for budget in BUDGETS:
            here = family.at(budget)
            yield {
                "segment_cost": cost,
                "mean_tokens": budget,
                "recall": here.value,
                **_named("margin", difference(here, top.at(budget)), "margin"),
                **_named("margin_free", difference(here, free.at(budget)), "free"),
                **_shape(found, family.nearest(budget)),
            }


def fitted(cross: CrossFit, forms: Sequence[Form]) -> Iterator[Row]:
    """Yield the weights of some forms: their mean, least and most over the folds."""
    for form in forms:
        fits = list(weights(cross, form))
        for place, feature in enumerate(fits[0].features):
            values = [fit.weights[place] for fit in fits if fit.weights]
            yield {
                "form": form.name,
                "feature": feature,
                "mean": float(np.mean(values)),
                "least": min(values),
                "most": max(values),
            }


def _named(name: str, found: Interval, ends: str) -> Row:
    return {name: found.value, f"low_{ends}": found.low, f"high_{ends}": found.high}


def _shape(found: Measured, setting: int) -> Row:
    segments, chunks = found.segments[:, setting], found.chunks[:, setting]
    return {
        "segments": segments.mean(),
        "chunks_per_segment": chunks.sum() / segments.sum() if segments.sum() else np.nan,
    }

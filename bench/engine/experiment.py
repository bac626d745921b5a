"""One pool from hits to tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.engine.crossfit import CrossFit, Form, foreign, weights
from bench.engine.families import (
    BUDGETS,
    Measured,
    calibrated,
    costs,
    fixed,
    points,
    priced,
    traced,
)
from bench.engine.pool import Pool
from bench.stats.margin import Frontier
from bench.stats.traced import Traced, difference, interval

Row = dict[str, Any]

PLAIN = Form("score", 1.0)
AROUND = Form("score, neighbours", 1.0)
WORDS = Form("score, neighbours, bm25", 1.0)
SMOOTH = (Form("score", 0.6), Form("score", 0.3))
SHOWN = tuple((form, opening) for form in (PLAIN, AROUND, WORDS) for opening in (80, 160, 320))
"""Forms of `priced` shown one by one, beside the cross-fitted choices."""

CHOICES: Mapping[str, tuple[Form, ...]] = {
    "cosine": (PLAIN, *SMOOTH, AROUND),
    "cosine and bm25": (PLAIN, *SMOOTH, AROUND, WORDS),
}
"""Among what the cross-fitted choices choose, beside `segment_tokens`."""


@dataclass(frozen=True, slots=True)
class Result:
    """What one pool has shown."""

    name: str
    traced: Mapping[str, Traced]
    families: list[Row]
    """One row for each family and budget."""
    presets: list[Row]
    costs: list[Row]
    chosen: list[Row]
    """What was chosen for each fold."""
    weights: list[Row]
    signals: Row
    """What can be seen of the pool without labels, and how long its evidence is."""


def run(held: Pool, others: Sequence[Pool] = ()) -> Result:
    """Measure every family on a pool.

    Args:
        held: The pool.
        others: Pools of other datasets under the same chunker: what is fitted on them is judged
            here, too.
    """
    cross = CrossFit(held)
    cross.run(tuple(dict.fromkeys(form for forms in CHOICES.values() for form in forms)))
    found = fixed(held)
    by_cost = costs(held)
    for cost in (0.0, 0.3):
        name = f"optimal retuned[segment_cost={cost:g}] / minmax"
        found[name] = Traced(by_cost[cost].tokens, by_cost[cost].recall, held.draws)
    for form, opening in [*SHOWN, (SMOOTH[0], 160), (SMOOTH[1], 320)]:
        found[f"priced[segment_tokens={opening}] / {form.name}"] = cross.family(form, opening)
    chosen = []
    for name, forms in CHOICES.items():
        found[f"priced, cross-fitted / {name}"], best = cross.chosen(forms)
        chosen += [
            {"choice": name, "fold": fold, "form": form.name, "segment_tokens": opening}
            for fold, (form, opening) in best.items()
        ]
    if others:
        for form in (AROUND, WORDS):
            hits = calibrated(held, foreign(others, form))
            for opening in (80, 160, 320):
                name = f"priced[segment_tokens={opening}] / {form.name} of other datasets"
                found[name] = traced(held, priced(opening), hits)
    return Result(
        f"{held.dataset} / {held.chunker}",
        found,
        list(_families(found)),
        list(_presets(held, found["topk"])),
        list(_costs(held, by_cost, found["topk"])),
        chosen,
        list(_weights(cross)),
        _signals(held),
    )


def _families(found: Mapping[str, Traced]) -> Iterator[Row]:
    top = {budget: found["topk"].at(budget) for budget in BUDGETS}
    for name, family in found.items():
        for budget in BUDGETS:
            here = family.within(budget) if name == "oracle" else family.at(budget)
            recall, margin = interval(here), difference(here, top[budget])
            yield {
                "family": name,
                "mean_tokens": budget,
                "recall": recall.value,
                "low_recall": recall.low,
                "high_recall": recall.high,
                "margin": margin.value,
                "low_margin": margin.low,
                "high_margin": margin.high,
                "p95_tokens": family.p95(budget) if not np.isnan(recall.value) else np.nan,
            }


def _presets(held: Pool, top: Traced) -> Iterator[Row]:
    frontier = Frontier(top.tokens, top.recall, held.draws)
    for name, found in points(held).items():
        margin = frontier.margin(found.tokens[:, 0], found.recall[:, 0])
        yield {
            "preset": name,
            "mean_tokens": found.tokens.mean(),
            "recall": found.recall.mean(),
            "margin": margin.value,
            "low_margin": margin.low,
            "high_margin": margin.high,
            "empty": (found.segments[:, 0] == 0).mean(),
            **_shape(found, 0),
        }


def _costs(held: Pool, by_cost: Mapping[float, Measured], top: Traced) -> Iterator[Row]:
    """Show what a segment's cost does at equal tokens: segments, their length, recall."""
    for cost, found in by_cost.items():
        family = Traced(found.tokens, found.recall, held.draws)
        for budget in BUDGETS:
            here = family.at(budget)
            margin = difference(here, top.at(budget))
            yield {
                "segment_cost": cost,
                "mean_tokens": budget,
                "recall": here.value,
                "margin": margin.value,
                "low_margin": margin.low,
                "high_margin": margin.high,
                **_shape(found, family.nearest(budget)),
            }


def _shape(found: Measured, setting: int) -> Row:
    segments, chunks = found.segments[:, setting], found.chunks[:, setting]
    return {
        "segments": segments.mean(),
        "chunks_per_segment": chunks.sum() / segments.sum() if segments.sum() else np.nan,
    }


def _weights(cross: CrossFit) -> Iterator[Row]:
    for form in (PLAIN, AROUND, WORDS):
        fits = list(weights(cross.fitted, form))
        for place, feature in enumerate(fits[0].features):
            values = [fit.weights[place] for fit in fits if fit.weights]
            yield {
                "form": form.name,
                "feature": feature,
                "mean": np.mean(values),
                "least": min(values),
                "most": max(values),
            }


def _signals(held: Pool) -> Row:
    """Return how scores hang together along documents, and what that may tell of the evidence."""
    hang, gold = [], []
    for asked in held.asked:
        score = asked.hits.score
        near = np.asarray(asked.hits.features["neighbours"])
        known = ~np.isnan(near).all(axis=1)
        if known.sum() > 2:
            mean = np.nanmean(near[known], axis=1)
            if score[known].std() > 0 and mean.std() > 0:
                hang.append(np.corrcoef(score[known], mean)[0, 1])
        gold.append(max(len(range(s.start, s.end)) for p in asked.question.gold for s in p[:1]))
    return {
        "questions": len(held.asked),
        "questions_without_gold": held.excluded,
        "chunks": len(held.corpus.layout),
        "resampled_by": "cluster" if held.draws.by_cluster else "question",
        "correlation_with_neighbours": float(np.mean(hang)),
        "median_characters_of_longest_passage": float(np.median(gold)),
    }

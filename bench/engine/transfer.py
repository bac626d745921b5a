"""Smoothing and a segment's cost, chosen without labels: from the set that looks most alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from bench.engine.crossfit import CrossFit, Form
from bench.engine.families import BUDGETS
from bench.engine.pool import Pool
from bench.engine.rows import Row
from bench.stats.traced import Traced, difference


def hang(held: Pool) -> float:
    """Return how scores hang together along documents: no label is looked at.

    The correlation, over the hits of a question, of a hit's score with the mean score of its
    neighbours; the mean over the questions. nan where no question shows any.
    """
    found = []
    for asked in held.asked:
        near = np.asarray(asked.hits.features["neighbours"])
        known = ~np.isnan(near).all(axis=1)
        if known.sum() <= 2:
            continue
        score, mean = asked.hits.score[known], np.nanmean(near[known], axis=1)
        if score.std() > 0 and mean.std() > 0:
            found.append(np.corrcoef(score, mean)[0, 1])
    return float(np.mean(found)) if found else np.nan


def transfer(
    cross: CrossFit,
    others: Sequence[CrossFit],
    choices: Mapping[str, Sequence[Form]],
    found: Mapping[str, Traced],
) -> Iterator[Row]:
    """Judge here the form and `segment_tokens` that are best on each other dataset.

    Only these two travel; weights are cross-fitted on this pool. The dataset whose scores hang
    together most nearly as here comes first: it is what would be chosen without labels.
    """
    here = hang(cross.held)
    by_likeness = sorted(others, key=lambda other: abs(hang(other.held) - here))
    for name, forms in choices.items():
        own = found[f"priced, cross-fitted / {name}"]
        for place, donor in enumerate(by_likeness):
            form, opening = donor.best(forms)
            family = cross.family(form, opening)
            for budget in BUDGETS:
                margin = difference(family.at(budget), found["topk"].at(budget))
                behind = difference(family.at(budget), own.at(budget))
                yield {
                    "choice": name,
                    "chosen_on": donor.held.dataset,
                    "nearest": place == 0,
                    "form": form.name,
                    "segment_tokens": opening,
                    "mean_tokens": budget,
                    "margin": margin.value,
                    "low_margin": margin.low,
                    "high_margin": margin.high,
                    "margin_own": behind.value,
                    "low_own": behind.low,
                    "high_own": behind.high,
                }

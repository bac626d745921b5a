"""One pool from hits to tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from bench.engine import rows
from bench.engine.crossfit import OPENING, Choice, CrossFit, Form, foreign
from bench.engine.families import calibrated, costs, fixed, priced, traced
from bench.engine.pool import Pool
from bench.engine.rows import Row
from bench.engine.transfer import hang, transfer
from bench.stats.traced import Traced
from rse.calibration import default_share

PLAIN = Form("score", 1.0)
AROUND = Form("score, neighbours", 1.0)
WORDS = Form("score, neighbours, bm25", 1.0)
SMOOTH = (Form("score", 0.6), Form("score", 0.3))
WITH_ITSELF = Form("score", 0.44)
"""0.3 of its own score and 0.7 of the mean over five chunks of which the hit itself is one."""

CHOICES: Mapping[str, tuple[Form, ...]] = {
    "smoothing by hand": (PLAIN, *SMOOTH),
    "cosine": (PLAIN, *SMOOTH, AROUND),
    "cosine and bm25": (PLAIN, *SMOOTH, AROUND, WORDS),
}
"""Among what the cross-fitted choices choose, beside `segment_tokens`."""

SHOWN: tuple[Choice, ...] = (
    *((form, opening) for form in (PLAIN, AROUND, WORDS) for opening in (80, 160, 320)),
    (SMOOTH[0], 160),
    (SMOOTH[1], 320),
    (WITH_ITSELF, 320),
)
"""Forms of `priced` shown one by one, beside the cross-fitted choices."""

BRIEF: tuple[Choice, ...] = (
    *((PLAIN, opening) for opening in (80, 160, 320)),
    (SMOOTH[1], 320),
    (WITH_ITSELF, 320),
)
"""What earlier figures can be held against."""

SHIPPED = "priced[segment_tokens=80] / default share"


@dataclass(frozen=True, slots=True)
class Result:
    """What one pool has shown."""

    name: str
    traced: Mapping[str, Traced]
    families: list[Row]
    """One row for each family and budget."""
    presets: list[Row]
    weights: list[Row]
    costs: list[Row] = field(default_factory=list)
    chosen: list[Row] = field(default_factory=list)
    """What was chosen for each fold."""
    transfer: list[Row] = field(default_factory=list)
    """How knobs chosen on other datasets do."""
    signals: Row = field(default_factory=dict)
    """What can be seen of the pool without labels, and how long its evidence is."""


def fit(held: Pool) -> CrossFit:
    """Fit and measure all that `run` chooses from."""
    cross = CrossFit(held)
    cross.run(tuple(dict.fromkeys(form for forms in CHOICES.values() for form in forms)), OPENING)
    cross.run((WITH_ITSELF,), (320,))
    return cross


def run(cross: CrossFit, others: Sequence[CrossFit] = ()) -> Result:
    """Measure every family on a pool.

    Args:
        cross: The pool, fitted.
        others: Other datasets under the same chunker: what is fitted on them, or chosen on them,
            is judged here, too.
    """
    held, found = cross.held, fixed(cross.held)
    by_cost = costs(held)
    for cost in (0.0, 0.3):
        name = f"optimal retuned[segment_cost={cost:g}] / minmax"
        found[name] = Traced(by_cost[cost].tokens, by_cost[cost].recall, held.draws)
    found |= _shown(cross, SHOWN)
    chosen = {name: cross.chosen(forms) for name, forms in CHOICES.items()}
    for name, best in chosen.items():
        found[f"priced, cross-fitted / {name}"] = cross.traced(best)
    found |= dict(_unseen(held, [other.held for other in others]))
    return Result(
        _name(held),
        found,
        list(rows.families(held, found)),
        list(rows.presets(held, found["topk"])),
        list(rows.fitted(cross, (PLAIN, AROUND, WORDS))),
        list(rows.costs(held, by_cost, found["topk"])),
        list(_chosen(chosen)),
        list(transfer(cross, others, CHOICES, found)),
        _signals(held),
    )


def brief(held: Pool) -> Result:
    """Measure what earlier figures can be held against."""
    cross = CrossFit(held)
    cross.run((PLAIN,), (80, 160, 320))
    cross.run((SMOOTH[1], WITH_ITSELF), (320,))
    found = fixed(held) | _shown(cross, BRIEF)
    return Result(
        _name(held),
        found,
        list(rows.families(held, found)),
        list(rows.presets(held, found["topk"])),
        list(rows.fitted(cross, (PLAIN,))),
    )


def _name(held: Pool) -> str:
    return f"{held.dataset} / {held.chunker}"


def _shown(cross: CrossFit, shown: Sequence[Choice]) -> dict[str, Traced]:
    return {
        f"priced[segment_tokens={opening}] / {form.name}": cross.family(form, opening)
        for form, opening in shown
    }


def _unseen(held: Pool, others: Sequence[Pool]) -> Iterator[tuple[str, Traced]]:
    """Trace what was fitted elsewhere: on the other datasets, and the shares that ship."""
    for form in (AROUND, WORDS) if others else ():
        hits = calibrated(held, foreign(others, form))
        for opening in (80, 160, 320):
            name = f"priced[segment_tokens={opening}] / {form.name} of other datasets"
            yield name, traced(held, priced(opening), hits)
    if not default_share().seen.intersection(held.corpus.layout.identity or ()):
        yield SHIPPED, traced(held, priced(80), calibrated(held, default_share()))


def _chosen(chosen: Mapping[str, Mapping[int, Choice]]) -> Iterator[Row]:
    for name, best in chosen.items():
        for fold, (form, opening) in best.items():
            yield {"choice": name, "fold": fold, "form": form.name, "segment_tokens": opening}


def _signals(held: Pool) -> Row:
    """Return what the pool is, and how long its evidence."""
    longest = [
        max(passage[0].end - passage[0].start for passage in asked.question.gold)
        for asked in held.asked
    ]
    return {
        "questions": len(held.asked),
        "questions_without_gold": held.excluded,
        "chunks": len(held.corpus.layout),
        "resampled_by": "cluster" if held.draws.by_cluster else "question",
        "correlation_with_neighbours": hang(held),
        "median_characters_of_longest_passage": float(np.median(longest)),
    }

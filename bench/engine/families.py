"""What is compared: families of one knob each, traced from few tokens to many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from baselines import Oracle
from bench.engine.pool import Pool, curve
from bench.gold import Ceiling, view
from bench.metrics.selections import score_selections
from bench.stats.traced import Traced
from rse import RSE, Hits, Optimal, Priced, Segment, preset
from rse.batch import Batch, Selections
from rse.calibration import Calibration, Chain, Max, MinMax, Raw, Smooth

BUDGETS = (500, 1000, 2000, 4000)
PENALTIES = np.geomspace(0.01, 0.95, 48)
PRICES = np.geomspace(2e-6, 2e-2, 64)
RETUNED: dict[str, Any] = {
    "minimum_value": 0.1,
    "max_length": 60,
    "overall_max_length": 120,
    "top_k_for_document_selection": 200,
}
"""RSE with its caps out of the way: what is left is the penalty, traced."""

SCORES: dict[str, Calibration] = {"none": Raw(), "minmax": MinMax(), "max": Max()}
"""What RSE reads: nothing done to the cosines, or brought to a scale for each question."""

COSTS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 1.0)
"""Values of `segment_cost` looked at."""

Base = TypeVar("Base", RSE, Optimal)
Settings = Sequence[RSE | Optimal | Priced]
Scores = Callable[[int], Hits]
"""The hits of a question, by its place in the pool."""


def calibrated(held: Pool, scores: Calibration) -> list[Hits]:
    """Return every question's hits under calibrated scores."""
    return [scores.apply(asked.hits, held.corpus.layout) for asked in held.asked]


def traced(held: Pool, settings: Settings, hits: Sequence[Hits]) -> Traced:
    """Run settings over every question and trace recall against tokens."""
    found = measure(held, settings, hits)
    return Traced(found.tokens, found.recall, held.draws)


class Measured(NamedTuple):
    """What every question got under every setting; shape (questions, settings)."""

    tokens: NDArray[np.float64]
    recall: NDArray[np.float64]
    chunks: NDArray[np.float64]
    segments: NDArray[np.float64]


def measure(held: Pool, settings: Settings, hits: Sequence[Hits]) -> Measured:
    """Run settings over every question."""
    batch = Batch(settings)
    rows = []
    for one, asked in zip(hits, held.asked, strict=True):
        found = batch.select([one], held.corpus.layout)
        scores = score_selections(found, held.ground, asked.targets)
        rows.append((scores[:, 3], scores[:, 0], scores[:, 4], np.diff(found.begin)))
    return Measured(*np.array(rows, np.float64).transpose(1, 0, 2))


def fixed(held: Pool) -> dict[str, Traced]:
    """Trace everything that needs no fitting, by name."""
    found = {"topk": Traced(*curve(held, [asked.hits for asked in held.asked]), held.draws)}
    for own in (0.6, 0.44, 0.3):
        order = calibrated(held, Smooth(own=own))
        found[f"topk / smooth[own={own}]"] = Traced(*curve(held, order), held.draws)
    fused = [_fused(asked.hits) for asked in held.asked]
    found["topk / cosine + bm25"] = Traced(*curve(held, fused), held.draws)
    for name, scores in SCORES.items():
        hits = calibrated(held, scores)
        found[f"rse balanced / {name}"] = traced(held, _penalties(preset("balanced")), hits)
        found[f"rse retuned / {name}"] = traced(held, _penalties(RSE(**RETUNED)), hits)
    smooth = Chain((Smooth(own=0.3), MinMax()))
    found["rse retuned / smooth[own=0.3] + minmax"] = traced(
        held, _penalties(RSE(**RETUNED)), calibrated(held, smooth)
    )
    found["rse retuned / minmax of cosine + bm25"] = traced(
        held, _penalties(RSE(**RETUNED)), [MinMax().apply(one) for one in fused]
    )
    return found | {"oracle": _oracle(held)}


def points(held: Pool) -> dict[str, Measured]:
    """Measure the presets as they are: one setting each."""
    return {
        f"{name} / {scores}": measure(held, [preset(name)], calibrated(held, SCORES[scores]))
        for name in ("balanced", "precision", "find_all")
        for scores in ("none", "minmax")
    }


def costs(held: Pool) -> dict[float, Measured]:
    """Measure the optimum with its penalty traced, for each cost of a segment."""
    hits = calibrated(held, MinMax())
    return {
        cost: measure(held, _penalties(Optimal(**RETUNED, segment_cost=cost)), hits)
        for cost in COSTS
    }


def priced(segment_tokens: int) -> list[Priced]:
    """Return the price traced, for one cost of opening a segment."""
    return [Priced(token_price=float(p), segment_tokens=segment_tokens) for p in PRICES]


def _penalties(base: Base) -> list[Base]:
    return [replace(base, irrelevant_chunk_penalty=float(p)) for p in PENALTIES]


def _fused(hits: Hits) -> Hits:
    """Rank by the mean of both scores, each from 0 to 1 over the hits."""
    cosine, words = MinMax().apply(hits).score, np.asarray(hits.features["bm25"])
    low, high = words.min(initial=0.0), words.max(initial=0.0)
    score = (cosine + (words - low) / (high - low if high > low else 1.0)) / 2
    order = np.lexsort((hits.chunk, -score))
    features = {name: np.asarray(rows)[order] for name, rows in hits.features.items()}
    return Hits(hits.chunk[order], score[order], features)


def even(held: Pool) -> NDArray[np.float64]:
    """Return the most recall where each question has the same tokens; (questions, budgets).

    The fractional bound: chunks by gold per token, the last one in part.
    """
    ceilings = [Ceiling(held.corpus, asked.question) for asked in held.asked]
    return np.array([[one.at(budget) for budget in BUDGETS] for one in ceilings])


def _oracle(held: Pool) -> Traced:
    """Trace the oracle: whole chunks by gold per token up to budgets of tokens."""
    budgets = np.geomspace(50, 12000, 40).astype(int).tolist()
    tokens = np.zeros((len(held.asked), len(budgets) + 1))
    recall = np.zeros_like(tokens)
    for row, asked in enumerate(held.asked):
        seen = view(held.corpus, asked.question)
        for column, budget in enumerate(budgets, start=1):
            oracle = Oracle(tokens=budget).for_question(seen)
            segments = oracle.select([asked.hits], held.corpus.layout)
            tokens[row, column], recall[row, column] = _scored(held, segments, row)
    return Traced(tokens, recall, held.draws)


def _scored(held: Pool, segments: Sequence[Segment], row: int) -> tuple[float, float]:
    """Return tokens and recall of what a question was shown."""
    first = np.array([s.first for s in segments], np.int64)
    last = np.array([s.last for s in segments], np.int64)
    found = Selections(np.array([0, len(first)]), first, last)
    scores = score_selections(found, held.ground, held.asked[row].targets)[0]
    return float(scores[3]), float(scores[0])

"""Evaluations a second: a question under a setting, selected and scored from spans, on one core."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bench.metrics.selections import score_selections
from bench.perf.inputs import Case, Question, questions
from bench.perf.timing import Contender, take_turns
from rse import RSE, Optimal, Priced
from rse.batch import Batch

CASES = tuple(
    Case("balanced", chunks, documents, 1)
    for chunks, documents in product((1_000, 20_000), (10, 50, 200))
)
QUESTIONS = 4
"""Of each case."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How many evaluations a second, over questions of all sorts."""

    settings: int
    median: float
    slow: float
    """19 of 20 calls were at least as fast."""
    n: int
    """Calls; each evaluates all settings on one question."""


def settings() -> dict[str, list[RSE] | list[Optimal] | list[Priced]]:
    """Return 500 settings of each kind: balanced, and around it."""
    around = list(
        product(
            np.linspace(0.1, 0.28, 10).tolist(), (20, 30, 40, 60, 90), (0.3, 0.4, 0.5, 0.6, 0.7)
        )
    )
    greedy = [
        RSE(
            irrelevant_chunk_penalty=penalty, decay_rate=decay, minimum_value=least, max_length=most
        )
        for (penalty, decay, least), most in product(around, (10, 15))
    ]
    optimal = [
        Optimal(
            irrelevant_chunk_penalty=penalty,
            decay_rate=decay,
            minimum_value=least,
            segment_cost=cost,
        )
        for (penalty, decay, least), cost in product(around, (0.0, 0.2))
    ]
    prices = product(np.geomspace(0.0005, 0.005, 250).tolist(), (0, 80))
    priced = [Priced(token_price=price, segment_tokens=opening) for price, opening in prices]
    return {"greedy": greedy, "optimal": optimal, "priced": priced}


def rates(seconds: float = 4, count: int = QUESTIONS) -> dict[str, Rate]:
    """Measure all kinds in turns on the same questions, as sweeps run them."""
    given = [question for case in CASES for question in questions(case, count)]
    chosen = settings()
    contenders = {
        name: Contender([partial(_evaluate, Batch(several), question) for question in given])
        for name, several in chosen.items()
    }
    found = {}
    for name, times in take_turns(contenders, seconds=seconds).items():
        size = len(chosen[name])
        found[name] = Rate(size, size * 1e6 / times.median, size * 1e6 / times.p95, times.n)
    return found


def _evaluate(batch: Batch, question: Question) -> NDArray[np.float64]:
    found = batch.select(question.hits, question.layout)
    return score_selections(found, question.ground, question.gold)

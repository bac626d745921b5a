"""Who is timed on a row of the table, and that they answer the same question alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import partial

import numpy as np

from bench.perf import dsrag
from bench.perf.inputs import Case, Question
from bench.perf.timing import Contender
from rse import RSE, Optimal, Priced, Segment, Strategy, preset
from rse.batch import Batch

SETTINGS = 200
"""Settings of the batch: penalties from `LOW` to `HIGH`, the rest as in the preset."""
LOW, HIGH = 0.08, 0.28


class DifferentAnswersError(AssertionError):
    """Two contenders that should select the same segments did not: nothing to compare."""


def parameters(case: Case) -> RSE:
    """Return the row's preset, but for one thing: every document with a hit is considered.

    As shipped, `balanced` looks only at the documents of its ten best hits, so that it could never
    have 50 or 200 documents before it.
    """
    return preset(case.preset, top_k_for_document_selection=case.depth)


def contenders(case: Case, given: Sequence[Question], price: float) -> dict[str, Contender]:
    """Return what is timed, by name; all hold the same questions."""
    rse = parameters(case)
    same = {field.name: getattr(rse, field.name) for field in fields(rse)}
    penalties = np.linspace(LOW, HIGH, SETTINGS).tolist()
    batch = Batch([RSE(**{**same, "irrelevant_chunk_penalty": one}) for one in penalties])
    found = {
        "greedy": _selecting(rse, given),
        "optimal": _selecting(Optimal(**same), given),
        "priced": _selecting(Priced(token_price=price), given),
        "batch": Contender(
            [partial(batch.select, q.hits, q.layout) for q in given], False, SETTINGS
        ),
    }
    if module := dsrag.functions():
        forms = [dsrag.prepared(module, question, rse) for question in given]
        calls = [partial(dsrag.select, module, form, rse) for form in forms]
        return {"dsrag": Contender(calls, slow=True), **found}
    return found


def _selecting(strategy: Strategy, given: Sequence[Question]) -> Contender:
    return Contender([partial(strategy.select, q.hits, q.layout) for q in given])


def check(case: Case, given: Sequence[Question]) -> None:
    """Refuse to compare if dsRAG, ours and the batch do not select the same segments.

    Raises:
        DifferentAnswersError: They do not.
    """
    rse = parameters(case)
    for number, question in enumerate(given):
        ours = _runs(rse.select(question.hits, question.layout))
        found = Batch([rse]).select(question.hits, question.layout)
        answers = {
            "batch": sorted(zip(found.first.tolist(), found.last.tolist(), strict=True)),
        }
        if module := dsrag.functions():
            form = dsrag.prepared(module, question, rse)
            theirs, _ = dsrag.select(module, form, rse)
            answers["dsRAG"] = dsrag.corpus_wide(theirs, form, question)
        for name, answer in answers.items():
            if answer != ours:
                raise DifferentAnswersError(
                    f"{case}, question {number}: greedy selects {ours}, {name} {answer}"
                )


def _runs(found: Sequence[Segment]) -> list[tuple[int, int]]:
    return sorted((segment.first, segment.last) for segment in found)


def mean_tokens(strategy: Strategy, given: Sequence[Question]) -> float:
    """Return the tokens a strategy selects for a question, in the mean."""
    total = 0
    for question in given:
        found = strategy.select(question.hits, question.layout)
        first = np.array([segment.first for segment in found], np.int64)
        last = np.array([segment.last for segment in found], np.int64)
        total += int(question.layout.tokens_of(first, last).sum())
    return total / len(given)


def price_of(tokens: float, given: Sequence[Question]) -> float:
    """Return the price at which `Priced` selects about so many tokens; halving the interval."""
    low, high = 1e-6, 1.0
    for _ in range(30):
        price = (low * high) ** 0.5
        if mean_tokens(Priced(token_price=price), given) > tokens:
            low = price
        else:
            high = price
    return high

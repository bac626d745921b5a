"""What a run keeps of each question beside the arms' answers: curves that arms are held against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Rows = Sequence[Mapping[str, Any]]


class Curves(NamedTuple):
    """A curve of each question, question by question; questions without gold have nan recall."""

    tokens: NDArray[np.float64]
    """Shape (questions, places)."""
    recall: NDArray[np.float64]


def rows_of(curves: Rows, dataset: str, family: str) -> dict[str, Mapping[str, Any]]:
    """Return the rows of a family (chunker / retriever) by question."""
    return {
        row["question"]: row
        for row in curves
        if row["dataset"] == dataset and row["family"] == family
    }


def topk(found: Mapping[str, Mapping[str, Any]], names: Sequence[str]) -> Curves | None:
    """Return tokens and recall of top-k for k = 0, 1, 2...; None: not of all these questions."""
    if not names or any(name not in found for name in names):
        return None
    longest = max(len(found[name]["tokens"]) for name in names)
    # Where the search found fewer, a larger k returns the same.
    tokens = [_padded(found[name]["tokens"], longest) for name in names]
    recall = [_padded(found[name]["recall"], longest) for name in names]
    return Curves(np.array(tokens, float), np.array(recall, float))


def oracle(
    found: Mapping[str, Mapping[str, Any]], names: Sequence[str], budgets: Sequence[int]
) -> Curves | None:
    """Return tokens and recall of the oracle, traced by its budget; None: not of all of these.

    As the strategy does, it takes chunks by gold per token until the budget is reached, the last
    one in full.
    """
    if not names or any("oracle_tokens" not in found.get(name, {}) for name in names):
        return None
    tokens = np.empty((len(names), len(budgets)))
    recall = np.empty_like(tokens)
    for row, name in enumerate(names):
        steps, spent, reached = (
            np.array(_padded(found[name][f"oracle_{part}"], 1), float)
            for part in ("steps", "tokens", "recall")
        )
        taken = np.minimum(np.searchsorted(steps, budgets, side="left"), len(steps) - 1)
        tokens[row], recall[row] = spent[taken], reached[taken]
    return Curves(tokens, recall)


def mean_curve(
    curves: Rows, dataset: str, family: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return mean tokens and mean recall of top-k for k = 0, 1, 2...; empty where unknown."""
    of_family = rows_of(curves, dataset, family)
    found = topk(of_family, list(of_family))
    if found is None or np.isnan(found.recall).all():
        return np.empty(0), np.empty(0)
    tokens, recall = found
    defined = ~np.isnan(recall).any(axis=1)
    return tokens[defined].mean(axis=0), recall[defined].mean(axis=0)


def _padded(values: Sequence[float | None], length: int) -> list[float]:
    numbers = [np.nan if value is None else float(value) for value in values]
    return numbers + [numbers[-1]] * (length - len(numbers))

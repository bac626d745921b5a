"""Records as one array per arm, all over the same questions in the same order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bench.errors import UserError
from bench.types import Record

Answers = Mapping[str, Record]
"""An arm's records, by question."""


def answers_by_arm(records: Sequence[Record]) -> dict[str, dict[str, Answers]]:
    """Return records by dataset, arm and question; each arm's in the order of the first arm's.

    Raises:
        UserError: An arm has not answered what others have, or has answered it twice. Left out in
            silence, the questions an arm never came to would be judged on those it did.
    """
    found: dict[str, dict[str, dict[str, Record]]] = {}
    for record in records:
        answers = found.setdefault(record.dataset, {}).setdefault(record.arm, {})
        if record.question in answers:
            raise UserError(
                f"{record.dataset}: {record.arm} has two records for {record.question!r}; one is "
                f"expected: run again"
            )
        answers[record.question] = record
    return {dataset: _aligned(dataset, arms) for dataset, arms in found.items()}


def columns(arms: Mapping[str, Answers], name: str) -> dict[str, NDArray[np.float64]]:
    """Return a metric, or `tokens`, of each question by arm; nan where undefined.

    What was paid for questions without gold is left out, unless there are no others: recall is a
    mean over questions with gold, so what it cost must be one, too.
    """
    found = {arm: _column(answers, name) for arm, answers in arms.items()}
    recall = [_column(answers, "recall") for answers in arms.values()]
    asked = ~np.isnan(np.column_stack(recall)).all(axis=1)
    if not asked.any():
        return found
    return {arm: np.where(asked, column, np.nan) for arm, column in found.items()}


def _aligned(dataset: str, arms: Mapping[str, Mapping[str, Record]]) -> dict[str, Answers]:
    asked = dict.fromkeys(name for answers in arms.values() for name in answers)
    for arm, answers in arms.items():
        missing = [name for name in asked if name not in answers]
        if missing:
            raise UserError(
                f"{dataset}: {arm} has no record for {len(missing)} of {len(asked)} questions, "
                f"the first is {missing[0]!r}; arms are compared on the same questions: run again"
            )
    return {arm: {name: answers[name] for name in asked} for arm, answers in arms.items()}


def _column(answers: Answers, name: str) -> NDArray[np.float64]:
    if name == "tokens":
        return np.array([record.context.tokens for record in answers.values()], float)
    return np.array([record.metrics.get(name, np.nan) for record in answers.values()], float)

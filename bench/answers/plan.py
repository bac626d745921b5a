"""What is about to be sent, said before anything is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bench.answers.asking import Asker
from bench.answers.contexts import Asked
from bench.answers.generate import requests_for
from bench.answers.settings import Answers
from bench.family import COST
from bench.tokens import tokenizer


class Plan(NamedTuple):
    """What is about to be sent."""

    answers: int
    """Answers wanted: one for each question and arm."""
    sent: int
    """Requests for them, all different and none of them answered earlier."""
    prompt_tokens: int
    """Of these requests, as `o200k_base` counts them."""
    judging: int
    """Requests to the judge at most, but for those that must be made twice."""
    unreferenced: tuple[str, ...] = ()
    """Datasets in which no question asked has a reference answer."""

    def told(self) -> str:
        """Say it in one line."""
        judging = f"; to the judge up to {self.judging:,}, and some again" if self.judging else ""
        return (
            f"answers wanted: {self.answers:,}; requests to send: {self.sent:,}, about "
            f"{self.prompt_tokens:,} prompt tokens (others are the same, or answered before)"
            f"{judging}"
        )

    def undefined(self, settings: Answers) -> str:
        """Say in one line which measures will have no value, and where; empty: none."""
        if not self.unreferenced:
            return ""
        unjudged = ", so the judge scores no answer there" if settings.judge else ""
        return (
            f"{'EM, F1 and judge' if settings.judge else 'EM and F1'} will be undefined for "
            f"{', '.join(self.unreferenced)}: no question there has a reference answer{unjudged}"
        )


def plan(settings: Answers, asker: Asker, questions: Sequence[Asked], pair: Sequence[str]) -> Plan:
    """Count what will be asked.

    Args:
        settings: Who answers and who judges.
        asker: The model that answers, with its cache.
        questions: What is asked.
        pair: The two arms that are compared; empty: none.
    """
    requests = [one for one in requests_for(questions, settings.prompt) if one is not None]
    waiting = asker.waiting(requests)
    count = tokenizer(COST).count
    size = sum(count(text) for one in waiting for text in one.conversation)
    judged = [one for one in questions if one.question.answers and not one.failed]
    judging = len(judged) * settings.judging.repeats if settings.judge else 0
    judging += sum(one.arm in pair for one in questions)
    none = tuple(name for name, known in with_reference(questions).items() if not known)
    return Plan(len(requests), len(waiting), size, judging, none)


def with_reference(questions: Sequence[Asked]) -> dict[str, set[str]]:
    """Return the ids of the questions that have a reference answer, by dataset."""
    found: dict[str, set[str]] = {one.dataset: set() for one in questions}
    for one in questions:
        if one.question.answers:
            found[one.dataset].add(one.question.id)
    return found

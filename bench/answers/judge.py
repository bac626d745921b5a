"""A model says how good an answer is, several times, for it does not always say the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from statistics import fmean, stdev
from typing import NamedTuple

from bench.answers.asking import Asker, Model, Report, Request
from bench.answers.generate import Answered
from bench.answers.prompt import Conversation
from bench.answers.settings import LEAST, MOST, Judge
from bench.answers.verdicts import Reading, Verdict, verdicts
from bench.endpoints.words import UNTRUSTED, fence

ROLE = (
    "You judge answers. You are given a question, one or more reference answers, any of which is "
    "right, and an answer to judge, each between marks. " + UNTRUSTED
)
TASK = (
    f"Give the answer a whole number from {LEAST} to {MOST}:\n{{rubric}}\n\nAnswer with nothing "
    'but a JSON object such as {"score": 3, "reason": "one short sentence"}.'
)
SCORE = Reading("score", range(LEAST, MOST + 1))


class Judged(NamedTuple):
    """What a judge said of one answer, each time it was asked."""

    verdicts: tuple[Verdict, ...]

    @property
    def scores(self) -> list[float]:
        """Those that could be read, as shares of the scale."""
        return [
            (one.value - LEAST) / (MOST - LEAST) for one in self.verdicts if one.value is not None
        ]

    @property
    def mean(self) -> float:
        """Over the times it could be read; nan if it never could."""
        return fmean(self.scores) if self.scores else nan

    @property
    def spread(self) -> float:
        """Standard deviation over the times (n - 1); nan where fewer than two could be read."""
        return stdev(self.scores) if len(self.scores) > 1 else nan

    @property
    def failures(self) -> list[str]:
        """Why scores are missing."""
        return [one.failed for one in self.verdicts if one.value is None]


def judging_model(judge: Judge) -> Model:
    """Return the model that judges; of the settings every part must be known."""
    warm = judge.temperature
    return Model(
        judge.model or "",
        judge.url or "",
        judge.key_env or "",
        None if isinstance(warm, str) else warm,
        judge.max_tokens or None,
    )


def is_judged(answered: Answered) -> bool:
    """Tell whether there is an answer, and something to hold it against."""
    return bool(answered.asked.question.answers) and not answered.failed


def judge_all(
    answers: Sequence[Answered], judge: Judge, asker: Asker, report: Report | None = None
) -> list[Judged | None]:
    """Judge answers by a rubric; None where there is no answer, or no reference answer.

    Raises:
        EndpointError: A request failed, and nobody said to keep going.
    """
    requests = [_requests(one, judge) if is_judged(one) else [] for one in answers]
    found = verdicts(asker, [one for some in requests for one in some], SCORE, report)
    return [_judged(some, found) for some in requests]


def _judged(requests: Sequence[Request], found: Mapping[Request, Verdict]) -> Judged | None:
    return Judged(tuple(found[one] for one in requests)) if requests else None


def _requests(answered: Answered, judge: Judge) -> list[Request]:
    question = answered.asked.question
    parts = [
        *fence("question", [question.text]),
        *fence("reference", question.answers),
        *fence("answer", [answered.text]),
        TASK.replace("{rubric}", judge.rubric),
    ]
    said = Conversation(ROLE, "\n\n".join(parts))
    return [Request(said, seed) for seed in range(judge.repeats)]

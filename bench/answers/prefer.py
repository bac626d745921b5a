"""Which of two arms gives the better answer? A model is shown both, in both orders, unnamed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bench.answers.asking import Asker, Report, Request
from bench.answers.generate import Answered
from bench.answers.prompt import Conversation
from bench.answers.verdicts import Reading, Verdict, verdicts
from bench.endpoints.words import UNTRUSTED, fence
from bench.stats.bootstrap import Draws
from bench.stats.paired import Comparison, compare
from bench.stats.signs import Signs

ROLE = (
    "You compare two answers to a question. You are given the question, reference answers if there "
    "are any, and two answers, each between marks. " + UNTRUSTED
)
TASK = (
    "Which answer is better: the one that is right, says what the question asks for and nothing "
    "false? Length, style and order do not count. Answer with nothing but a JSON object such as "
    '{"better": 1, "reason": "one short sentence"}, with 1 or 2, or 0 if neither is better.'
)
BETTER = Reading("better", (0, 1, 2))


class Preference(NamedTuple):
    """What came of two answers to one question."""

    left: Answered
    right: Answered
    orders: tuple[Verdict, Verdict] | None
    """With the left answer first, and last; None: nobody was asked, see `value`."""

    @property
    def value(self) -> float:
        """1: the left one is better, -1: the right one, 0: a tie; nan: a verdict is missing.

        Only what both orders agree on is a preference. Equal answers are a tie, and an answer that
        failed is worse than one that did not.
        """
        if self.orders is None:
            return float(bool(self.right.failed)) - float(bool(self.left.failed))
        first, last = (one.value for one in self.orders)
        if first is None or last is None:
            return float("nan")
        return {(1, 2): 1.0, (2, 1): -1.0}.get((first, last), 0.0)

    @property
    def place(self) -> int:
        """1 or 2 if the answer in that place was preferred both times, whichever it was; else 0."""
        if self.orders is None or self.orders[0].value != self.orders[1].value:
            return 0
        return self.orders[0].value or 0

    @property
    def failures(self) -> list[str]:
        """Why verdicts are missing."""
        return [one.failed for one in self.orders or () if one.value is None]


class Preferred(NamedTuple):
    """Two arms on one dataset."""

    dataset: str
    left: str
    right: str
    pairs: tuple[Preference, ...]
    comparison: Comparison
    """Of `Preference.value` with 0: wins and losses are the left arm's."""

    @property
    def asked(self) -> int:
        """Pairs that were shown to the judge and read both times."""
        return sum(bool(one.orders) and not one.failures for one in self.pairs)

    @property
    def place_share(self) -> float:
        """Of the pairs asked about, the share where the place decided: 0 for a judge that reads."""
        decided = sum(one.place > 0 for one in self.pairs)
        return decided / self.asked if self.asked else float("nan")

    @property
    def first_share(self) -> float:
        """Of these, the share where it was the first place."""
        places = [one.place for one in self.pairs if one.place]
        return places.count(1) / len(places) if places else float("nan")


def prefer(
    left: Sequence[Answered],
    right: Sequence[Answered],
    asker: Asker,
    report: Report | None = None,
) -> list[Preference]:
    """Compare answers to the same questions, pair by pair.

    Raises:
        EndpointError: A request failed, and nobody said to keep going.
    """
    orders = [_orders(*pair) for pair in zip(left, right, strict=True)]
    found = verdicts(asker, [one for some in orders for one in some], BETTER, report)
    return [
        Preference(one, other, (found[some[0]], found[some[1]]) if some else None)
        for one, other, some in zip(left, right, orders, strict=True)
    ]


def preferred(pairs: Sequence[Preference], draws: Draws, signs: Signs) -> Preferred:
    """Say how two arms compare over the questions of a dataset.

    Args:
        pairs: One for each question; at least one.
        draws: The resamples, of these questions.
        signs: The sign patterns, of these questions.
    """
    values = np.array([one.value for one in pairs])
    (comparison,) = compare(values[:, None], np.zeros(len(values)), draws, signs)
    left, right = pairs[0].left.asked, pairs[0].right.asked
    return Preferred(left.dataset, left.arm, right.arm, tuple(pairs), comparison)


def _orders(left: Answered, right: Answered) -> tuple[Request, ...]:
    """Return the two requests; none where no judge is needed."""
    if left.failed or right.failed or left.text == right.text:
        return ()
    return _request(left, right), _request(right, left)


def _request(first: Answered, second: Answered) -> Request:
    question = first.asked.question
    parts = [
        *fence("question", [question.text]),
        *fence("reference", question.answers),
        *fence("answer", [first.text, second.text]),
        TASK,
    ]
    return Request(Conversation(ROLE, "\n\n".join(parts)))

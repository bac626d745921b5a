"""The three parts of the work, each under its bar: answers, judgements, preferences."""

from __future__ import annotations

from collections.abc import Sequence

from bench.answers.asking import Asker
from bench.answers.contexts import Asked
from bench.answers.generate import Answered, answerer, generate
from bench.answers.judge import judge_all, judging_model
from bench.answers.prefer import Preferred, prefer, preferred
from bench.answers.settings import Answers
from bench.answers.table import Scored, scored
from bench.places import cache_folder
from bench.progress import Progress
from bench.summary.resampling import Resampling


class Work:
    """The models, and what they are asked.

    Args:
        settings: Who answers and who judges.
        keep_going: Count a request that failed instead of stopping.
        progress: Shows how far it is.
    """

    def __init__(self, settings: Answers, keep_going: bool, progress: Progress) -> None:
        self._settings, self._progress = settings, progress
        self.answering = Asker(answerer(settings), cache_folder(), keep_going)
        self._judging = Asker(judging_model(settings.judging), cache_folder(), keep_going)

    @property
    def sent(self) -> int:
        """Requests so far whose answers the cache did not have."""
        return self.answering.sent + self._judging.sent

    def score(self, questions: Sequence[Asked]) -> list[Scored]:
        """Answer the questions; judge the answers if the settings name a judge."""
        with self._progress.bar("answers") as report:
            answers = generate(questions, self._settings.prompt, self.answering, report)
        if self._settings.judge is None:
            return scored(answers, None)
        with self._progress.bar("judge") as report:
            judged = judge_all(answers, self._settings.judging, self._judging, report)
        return scored(answers, judged)

    def prefer(
        self, answers: Sequence[Answered], pair: Sequence[str], resampling: Resampling
    ) -> list[Preferred]:
        """Compare two arms on every dataset; nothing without a pair."""
        found = []
        datasets = dict.fromkeys(one.asked.dataset for one in answers) if pair else ()
        for dataset in datasets:
            left, right = (_by_question(answers, dataset, arm) for arm in pair)
            both = [name for name in left if name in right]
            if not both:
                continue
            sides = [left[name] for name in both], [right[name] for name in both]
            with self._progress.bar(f"preferences, {dataset}") as report:
                pairs = prefer(*sides, self._judging, report)
            drawn = resampling.draws(dataset, both), resampling.signs(dataset, both)
            found.append(preferred(pairs, *drawn))
        return found


def _by_question(answers: Sequence[Answered], dataset: str, arm: str) -> dict[str, Answered]:
    return {
        one.asked.question.id: one
        for one in answers
        if (one.asked.dataset, one.asked.arm) == (dataset, arm)
    }

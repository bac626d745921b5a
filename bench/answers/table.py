"""From answers and verdicts to rows: one for each answer, and one for each dataset and arm."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.answers.asking import Reply
from bench.answers.exact import exact_match, token_f1
from bench.answers.generate import Answered
from bench.answers.judge import Judged
from bench.answers.settings import Answers
from bench.costs.prices import Price, Prices
from bench.stats.bootstrap import Draws
from bench.summary.resampling import Resampling
from bench.summary.row import Row

DIGITS = 12


class Scored(NamedTuple):
    """An answer and what it is worth; nan where there is no reference answer."""

    answered: Answered
    em: float
    f1: float
    judge: float
    """Mean of the judge's scores, in [0, 1]; nan also where none could be read."""
    judged: Judged | None
    """None: nobody was asked to judge."""


class Tokens(NamedTuple):
    """What some replies cost, as the endpoint counts it; nan where it does not say."""

    prompt: float
    completion: float

    def dollars(self, price: Price | None) -> float:
        """Return what the tokens cost; nan where the model has no price."""
        if price is None or price.input is None or price.output is None:
            return nan
        return (self.prompt * price.input + self.completion * price.output) / 1e6


def scored(answers: Sequence[Answered], judged: Sequence[Judged | None] | None) -> list[Scored]:
    """Hold answers against the reference answers; one that failed is worth 0.

    Args:
        answers: What was answered.
        judged: What a judge said of each; None: there is no judge.
    """
    found = []
    for one, verdict in zip(answers, judged or [None] * len(answers), strict=True):
        references = one.asked.question.answers
        if one.failed:
            worth = 0.0 if references else nan
            found.append(Scored(one, worth, worth, nan if judged is None else worth, None))
            continue
        em, f1 = exact_match(one.text, references), token_f1(one.text, references)
        found.append(Scored(one, em, f1, verdict.mean if verdict else nan, verdict))
    return found


def answer_row(one: Scored) -> Row:
    """Return the line of an answer in answers.jsonl."""
    answered, judged = one.answered, one.judged
    reply = answered.reply
    spent = tokens(_judging([one]))
    return {
        "dataset": answered.asked.dataset,
        "arm": answered.asked.arm,
        "question": answered.asked.question.id,
        "answer": answered.text,
        "failed": bool(answered.failed),
        "why": answered.failed or None,
        "em": one.em,
        "f1": round(one.f1, DIGITS),
        "judge": round(one.judge, DIGITS),
        "judge_scores": [verdict.value for verdict in judged.verdicts] if judged else [],
        "judge_why": judged.failures if judged else [],
        "prompt_tokens": reply.prompt_tokens if reply else None,
        "completion_tokens": reply.completion_tokens if reply else None,
        "judge_prompt_tokens": spent.prompt,
        "judge_completion_tokens": spent.completion,
        "seconds": reply.seconds if reply else nan,
        "cut": bool(reply and reply.cut),
    }


def summarise(
    rows: Sequence[Scored], resampling: Resampling, settings: Answers, prices: Prices
) -> list[Row]:
    """Return one row per dataset and arm, in the order the answers come in.

    Args:
        rows: All answers.
        resampling: Makes the draws.
        settings: How they were made; the judge's columns are there if it names one.
        prices: Of models.
    """
    found = []
    judge = settings.judge and settings.judging
    for (dataset, arm), group in _by_arm(rows).items():
        draws = resampling.draws(dataset, [one.answered.asked.question.id for one in group])
        row = {"dataset": dataset, "arm": arm, **_quality(group, draws)}
        row |= _cost(group, prices.of(settings.model))
        if judge:
            row |= _judge(group, draws, prices.of(judge.model or ""))
        found.append(row)
    return found


def _by_arm(rows: Iterable[Scored]) -> dict[tuple[str, str], list[Scored]]:
    groups: dict[tuple[str, str], list[Scored]] = {}
    for one in rows:
        groups.setdefault((one.answered.asked.dataset, one.answered.asked.arm), []).append(one)
    return groups


def tokens(replies: Iterable[Reply]) -> Tokens:
    """Add up what some requests cost; those that failed cost nothing that is known."""
    counts = [
        [nan if count is None else count for count in (one.prompt_tokens, one.completion_tokens)]
        for one in replies
        if not one.failed
    ]
    sums = np.array(counts, float).reshape(-1, 2).sum(axis=0).tolist()
    return Tokens(*(one if isnan(one) else int(one) for one in sums))


def _quality(group: Sequence[Scored], draws: Draws) -> Row:
    return {
        "questions": len(group),
        "resampled_by": "cluster" if draws.by_cluster else "question",
        "undefined": sum(not one.answered.asked.question.answers for one in group),
        "failed": sum(bool(one.answered.failed) for one in group),
        "cut": sum(bool(one.answered.reply and one.answered.reply.cut) for one in group),
        **_mean("em", [one.em for one in group], draws),
        **_mean("f1", [one.f1 for one in group], draws),
    }


def _cost(group: Sequence[Scored], price: Price | None) -> Row:
    replies = [one.answered.reply for one in group if one.answered.reply]
    spent = tokens(replies)
    seconds = np.array([one.seconds for one in replies if not one.failed])
    return {
        "prompt_tokens": spent.prompt,
        "completion_tokens": spent.completion,
        "dollars": spent.dollars(price),
        "p50_seconds": _percentile(seconds, 50),
        "p95_seconds": _percentile(seconds, 95),
    }


def _judge(group: Sequence[Scored], draws: Draws, price: Price | None) -> Row:
    judged = [one.judged for one in group if one.judged]
    spread = np.array([one.spread for one in judged])
    spread = spread[~np.isnan(spread)]
    spent = tokens(_judging(group))
    return {
        **_mean("judge", [one.judge for one in group], draws),
        "judged": sum(not isnan(one.judge) for one in group),
        "judge_unread": sum(not one.scores for one in judged),
        "judge_failed": sum(len(one.failures) for one in judged),
        "judge_spread": float(spread.mean()) if len(spread) else nan,
        "max_judge_spread": float(spread.max()) if len(spread) else nan,
        "judge_disagrees": float((spread > 0).mean()) if len(spread) else nan,
        "judge_prompt_tokens": spent.prompt,
        "judge_completion_tokens": spent.completion,
        "judge_dollars": spent.dollars(price),
    }


def _judging(group: Iterable[Scored]) -> list[Reply]:
    return [
        reply
        for one in group
        if one.judged
        for verdict in one.judged.verdicts
        for reply in verdict.replies
    ]


def _mean(name: str, values: Sequence[float], draws: Draws) -> Row:
    found = draws.interval(np.array(values, float))
    return {f"mean_{name}": found.value, f"low_{name}": found.low, f"high_{name}": found.high}


def _percentile(values: NDArray[np.float64], percent: float) -> float:
    return float(np.percentile(values, percent)) if len(values) else nan

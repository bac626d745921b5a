"""From judgements to one row for each dataset and arm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan, nan
from statistics import fmean, stdev
from typing import Any, NamedTuple

import numpy as np

from bench.adapters.ragas_judge import Judging
from bench.adapters.ragas_samples import Sample
from bench.adapters.ragas_scores import Score, has_gold
from bench.answers.table import Tokens
from bench.costs.prices import Price
from bench.endpoints.chat import Answer
from bench.stats.bootstrap import Draws
from bench.summary.resampling import Resampling
from bench.summary.row import Row


class Judged(NamedTuple):
    """A sample and its judgements."""

    sample: Sample
    scores: dict[str, list[Score]]
    """By measure, one for each repeat."""

    def values(self, name: str) -> list[float]:
        """Return the values there are."""
        return [one.value for one in self.scores[name] if not isnan(one.value)]

    def spread(self, name: str) -> float:
        """Return how much the judge varies; nan where fewer than two judgements have a value.

        It is the sample standard deviation over the repeats. What is settled without a judge says
        nothing about the judge.
        """
        told = [one.value for one in self.scores[name] if one.answers and not isnan(one.value)]
        return stdev(told) if len(told) > 1 else nan

    @property
    def answers(self) -> list[Answer]:
        """What the model said, over all measures and repeats."""
        return [answer for some in self.scores.values() for one in some for answer in one.answers]


def mean(values: Sequence[float]) -> float:
    """Return the mean over the repeats that have a value; nan without one."""
    return fmean(values) if values else nan


def summarise(
    judged: Sequence[Judged],
    metrics: Sequence[str],
    manifest: Mapping[str, Any],
    judging: Judging | None,
) -> list[Row]:
    """Return one row for each dataset and arm, in the order they come in.

    `mean_`, `low_` and `high_` are over the questions with a value, each the mean of its repeats;
    `spread_` is the mean over the questions of the standard deviation over the repeats; `failed_`
    counts judgements (questions times repeats), `undefined_` questions. A question with gold for
    which nothing was returned is a 0 of precision and recall, and in their means.

    Args:
        judged: All samples.
        metrics: Their measures.
        manifest: The run's.
        judging: Who judged.
    """
    cluster = {one["name"]: one["clusters"] for one in manifest["datasets"]}
    asked: dict[str, set[str]] = {}
    for one in judged:
        if has_gold(one.sample.columns):
            asked.setdefault(one.sample.dataset, set()).add(one.sample.question)
    resampling = Resampling(cluster, manifest["spec"]["seed"], asked)
    groups: dict[tuple[str, str], list[Judged]] = {}
    for one in judged:
        groups.setdefault((one.sample.dataset, one.sample.arm), []).append(one)
    rows = []
    for (dataset, arm), group in groups.items():
        draws = resampling.draws(dataset, [one.sample.question for one in group])
        row: Row = {"dataset": dataset, "arm": arm, "questions": len(group)}
        row |= {"resampled_by": "cluster" if draws.by_cluster else "question"}
        for name in metrics:
            row |= _measure(name, group, draws)
        row["failed"] = sum(row[f"failed_{name}"] for name in metrics)
        row["undefined"] = sum(row[f"undefined_{name}"] for name in metrics)
        answers = [answer for one in group for answer in one.answers]
        rows.append(row | usage(answers, judging.price if judging else None))
    return rows


def usage(answers: Sequence[Answer], price: Price | None) -> Row:
    """Say what judging took whenever it was asked; tokens and dollars are nan where unknown."""
    spent = Tokens(
        _total([answer.prompt_tokens for answer in answers]),
        _total([answer.completion_tokens for answer in answers]),
    )
    return {
        "requests": len(answers),
        "prompt_tokens": spent.prompt,
        "completion_tokens": spent.completion,
        "dollars": spent.dollars(price),
    }


def rows_of(judged: Sequence[Judged], metrics: Sequence[str]) -> list[Row]:
    """Return one row for each sample, with every judgement and why it failed."""
    found = []
    for one in judged:
        row: Row = {
            "dataset": one.sample.dataset,
            "arm": one.sample.arm,
            "question": one.sample.question,
        }
        for name in metrics:
            scores = one.scores[name]
            row[name] = mean(one.values(name))
            row[f"{name}_repeats"] = [score.value for score in scores]
            row[f"{name}_failed"] = [score.failed or None for score in scores]
            row[f"{name}_undefined"] = scores[0].undefined or None
        # Prices are in the summary: they are no property of a question.
        row |= {k: v for k, v in usage(one.answers, None).items() if k != "dollars"}
        found.append(row)
    return found


def _measure(name: str, group: Sequence[Judged], draws: Draws) -> Row:
    found = draws.interval(np.array([mean(one.values(name)) for one in group]))
    spreads = [wide for one in group if not isnan(wide := one.spread(name))]
    return {
        f"mean_{name}": found.value,
        f"low_{name}": found.low,
        f"high_{name}": found.high,
        f"spread_{name}": mean(spreads),
        f"failed_{name}": sum(bool(s.failed) for one in group for s in one.scores[name]),
        f"undefined_{name}": sum(bool(one.scores[name][0].undefined) for one in group),
    }


def _total(counts: Sequence[int | None]) -> float:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else nan

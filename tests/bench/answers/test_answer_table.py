"""Rows of answers and of arms, by hand."""

from __future__ import annotations

from math import isnan, nan, sqrt

import numpy as np
import pytest

from bench.answers.asking import Reply
from bench.answers.contexts import Asked
from bench.answers.generate import ARM_FAILED, Answered
from bench.answers.judge import Judged
from bench.answers.settings import Answers
from bench.answers.table import Tokens, answer_row, scored, summarise, tokens
from bench.answers.verdicts import Verdict
from bench.costs.prices import Price, Prices
from bench.summary.resampling import Resampling
from bench.types import Question
from tests.bench.answers.test_judge_answers import OK, answered

PRICES = Prices.model_validate({"models": {"m": {"input": 1, "output": 10}}})


def asked(question, arm="arm", references=("twenty minutes",)):
    return Asked("d", arm, Question(question, "?", answers=references), "", failed=False)


def reply(text, seconds=1.0, prompt=100, completion=10, cut=False):
    return Reply(text, seconds, prompt, completion, cut)


def judged(*values):
    return Judged(tuple(Verdict(one, "" if one else "no", (OK,)) for one in values))


FAILED = Reply("", nan, None, None, cut=False, failed="status 500")
ANSWERS = [
    Answered(asked("right"), reply("Twenty minutes.")),
    Answered(asked("half"), reply("twenty", seconds=3.0, cut=True)),
    Answered(asked("down"), FAILED),
    Answered(asked("never"), None),
    Answered(asked("open", references=()), reply("whatever")),
    Answered(asked("open and down", references=()), FAILED),
]
JUDGED = [judged(5, 5, 5), judged(1, 3, None), None, None, None, None]


def test_what_answers_are_worth():
    rows = scored(ANSWERS, JUDGED)
    assert [one.em for one in rows[:4]] == [1, 0, 0, 0]
    assert [one.f1 for one in rows[:4]] == [1, pytest.approx(2 / 3), 0, 0]
    assert [one.judge for one in rows[:4]] == [1, 0.25, 0, 0]
    for one in rows[4:]:
        assert np.isnan([one.em, one.f1, one.judge]).all()
    assert all(isnan(one.judge) for one in scored(ANSWERS, None))


def test_an_answer_in_full():
    rows = [answer_row(one) for one in scored(ANSWERS, JUDGED)]
    assert rows[1] == {
        "dataset": "d",
        "arm": "arm",
        "question": "half",
        "answer": "twenty",
        "failed": False,
        "why": None,
        "em": 0,
        "f1": 0.666666666667,
        "judge": 0.25,
        "judge_scores": [1, 3, None],
        "judge_why": ["no"],
        "prompt_tokens": 100,
        "completion_tokens": 10,
        "judge_prompt_tokens": 21,
        "judge_completion_tokens": 9,
        "seconds": 3.0,
        "cut": True,
    }
    assert [row["why"] for row in rows] == [
        None,
        None,
        "status 500",
        ARM_FAILED,
        None,
        "status 500",
    ]
    assert rows[3]["seconds"] != rows[3]["seconds"]
    assert rows[3]["prompt_tokens"] is None


def summary(answers, verdicts=None, **settings):
    cluster = {"d": {one.asked.question.id: n for n, one in enumerate(answers)}}
    settings = Answers.model_validate({"model": "m", **settings})
    return summarise(scored(answers, verdicts), Resampling(cluster, 0), settings, PRICES)


def test_an_arm():
    (row,) = summary(ANSWERS, JUDGED, judge={})
    assert (row["questions"], row["undefined"], row["failed"], row["cut"]) == (6, 2, 3, 1)
    assert row["resampled_by"] == "question"
    assert row["mean_em"] == 0.25
    assert row["mean_f1"] == pytest.approx((1 + 2 / 3) / 4)
    assert row["low_f1"] < row["mean_f1"] < row["high_f1"]
    assert row["mean_judge"] == pytest.approx(1.25 / 4)
    assert (row["judge_unread"], row["judge_failed"]) == (0, 1)
    # Spreads 0 and that of 0 and 0.5; one of two differs.
    assert row["judge_spread"] == pytest.approx(sqrt(0.125) / 2)
    assert row["judged"] == 4  # a failed answer is worth 0, whatever the judge
    assert row["max_judge_spread"] == pytest.approx(sqrt(0.125))
    assert row["judge_disagrees"] == 0.5
    assert (row["prompt_tokens"], row["completion_tokens"]) == (300, 30)
    assert row["dollars"] == pytest.approx((300 * 1 + 30 * 10) / 1e6)
    assert row["judge_dollars"] == pytest.approx((6 * 7 * 1 + 6 * 3 * 10) / 1e6)
    assert (row["p50_seconds"], row["p95_seconds"]) == (1, pytest.approx(2.8))


def test_without_a_judge_nothing_is_said_of_one():
    (row,) = summary(ANSWERS)
    assert not [name for name in row if "judge" in name]


def test_a_judge_that_could_never_be_read():
    (row,) = summary(ANSWERS[:1], [judged(None, None, None)], judge={})
    assert (row["judge_unread"], row["judge_failed"]) == (1, 3)
    assert np.isnan([row["mean_judge"], row["judge_spread"], row["judge_disagrees"]]).all()
    assert row["judged"] == 0


def test_nothing_but_failures():
    (row,) = summary([ANSWERS[2]], [None], judge={})
    assert (row["mean_em"], row["mean_judge"], row["prompt_tokens"]) == (0, 0, 0)
    assert isnan(row["p50_seconds"])


def test_no_references_at_all():
    (row,) = summary([ANSWERS[4]])
    assert np.isnan([row["mean_em"], row["mean_f1"], row["low_em"]]).all()


def test_arms_are_drawn_together():
    others = [one._replace(asked=one.asked._replace(arm="other")) for one in ANSWERS]
    first, second = summary([*ANSWERS, *others])
    assert (first["arm"], second["arm"]) == ("arm", "other")
    assert {**first, "arm": ""} | {"arm": ""} == {**second, "arm": ""}


def test_counts_that_are_not_said():
    assert tokens([OK, FAILED]) == Tokens(7, 3)
    unsaid = OK._replace(prompt_tokens=None)
    found = tokens([OK, unsaid])
    assert isnan(found.prompt)
    assert found.completion == 6
    price = Price.model_validate({"input": 1, "output": 1})
    assert isnan(found.dollars(price))
    assert isnan(Tokens(1, 1).dollars(None))
    assert isnan(Tokens(1, 1).dollars(Price.model_validate({"input": 1})))
    assert tokens([]) == Tokens(0, 0)


def test_an_answer_without_words_is_an_answer():
    (one,) = scored([answered("")], None)
    assert (one.em, one.f1) == (0, 0)

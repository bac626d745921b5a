"""Records as arrays over the same questions."""

from __future__ import annotations

import numpy as np
import pytest

from bench.errors import UserError
from bench.stats.columns import answers_by_arm, columns
from bench.types import Context, Record


def record(arm, question, recall, tokens=10, dataset="data"):
    metrics = {"recall": recall, "precision": recall}
    return Record(dataset, arm, question, Context((), tokens), (), 0, {}, metrics)


def test_all_in_the_order_of_the_first_arm():
    records = [record("a", "q2", 0.2), record("a", "q1", 0.1)]
    records += [record("b", "q1", 0.3), record("b", "q2", 0.4), record("a", "q", 1, dataset="x")]
    found = answers_by_arm(records)
    assert list(found) == ["data", "x"]
    recall = columns(found["data"], "recall")
    assert {arm: column.tolist() for arm, column in recall.items()} == {
        "a": [0.2, 0.1],
        "b": [0.4, 0.3],
    }


def test_what_questions_without_gold_cost_is_left_out():
    records = [record("a", "q1", 0.5, 100), record("a", "q2", np.nan, 900)]
    (arms,) = answers_by_arm(records).values()
    assert columns(arms, "tokens")["a"].tolist() == pytest.approx([100, np.nan], nan_ok=True)


def test_unless_there_are_no_others():
    (arms,) = answers_by_arm([record("a", "q1", np.nan, 100)]).values()
    assert columns(arms, "tokens")["a"].tolist() == [100]


def test_unknown_metrics_are_undefined():
    (arms,) = answers_by_arm([record("a", "q1", 0.5)]).values()
    assert np.isnan(columns(arms, "recall_at_1000")["a"]).all()


@pytest.mark.parametrize("short", ["a", "b"])
def test_an_arm_that_lacks_a_question(short):
    records = [record(arm, q, 0.5) for arm in "ab" for q in ("q1", "q2", "q3")]
    records = [r for r in records if (r.arm, r.question) != (short, "q2")]
    with pytest.raises(UserError, match=f"data: {short} has no record for 1 of 3.*'q2'"):
        answers_by_arm(records)


def test_an_arm_that_answered_twice():
    with pytest.raises(UserError, match="data: a has two records for 'q1'"):
        answers_by_arm([record("a", "q1", 0.5), record("a", "q1", 0.6)])

"""Answering: repetitions in turn, and what a strategy must not do."""

from __future__ import annotations

from itertools import count
from time import sleep

import pytest

from bench.answer import Answering, Settings
from bench.arms import Arm
from bench.chunking import Fixed
from bench.corpus import cut
from bench.errors import RunError
from bench.family import Family
from bench.retrieval.retriever import Found
from bench.select import Prepared
from bench.tokens import tokenizer
from bench.types import Dataset, Document, Question
from rse import Hits, Segment
from rse.calibration import Raw

QUESTION = Question("q", "Boats?", ())


class Slow:
    """Takes a while to search the first time only."""

    def __init__(self):
        self.first = True

    def find(self, queries, depth, documents, neighbours=0, *, vectors=False):
        if self.first:
            sleep(0.05)
        self.first = False
        return Found((Hits([0, 1], [0.9, 0.1]),), 0.0, 0.001, 0)


class Noted:
    """Takes the best chunk, and writes down that it was asked."""

    def __init__(self, name, log, choices=None):
        self.name, self.log, self.choices = name, log, choices or (lambda: 0)

    def select(self, hits, layout):
        self.log.append(self.name)
        first = self.choices()
        return [Segment(first, first + 1, 1.0)]


def answering(*strategies, **settings):
    data = Dataset("tiny", "0", {"d": Document("d", "One. Two. Three.")}, (QUESTION,))
    corpus = cut(data, Fixed(size=5), tokenizer("o200k_base"))
    made = Answering(Family("c / r", data, corpus, Slow()), [], Settings(2, **settings))
    made.arms = [Prepared(str(Arm(one.name, "none", "c", "r")), one, Raw()) for one in strategies]
    return made


def test_arms_take_turns_and_each_time_is_kept():
    log = []
    made = answering(*(Noted(name, log) for name in "abc"), repetitions=3)
    _, rows = made.answer(QUESTION)
    assert len(log) == 9
    assert {log[0], log[3], log[6]} == set("abc")
    assert all(sorted(log[i : i + 3]) == list("abc") for i in (0, 3, 6))
    assert [row["arm"][0] for row in rows] == list("abc")
    assert all(len(row["seconds_select"]) == len(row["seconds_search"]) == 3 for row in rows)


def test_the_first_search_is_apart():
    made = answering(Noted("a", []), repetitions=2)
    made.warm_up(QUESTION)
    _, (row,) = made.answer(QUESTION)
    assert made.cold["first_search"] > 0.05 > made.cold["second_search"]
    assert row["seconds_search"] == [0.001, 0.001]


def test_a_choice_that_changes_stops_the_run():
    turn = count()
    made = answering(Noted("a", [], lambda: next(turn) % 2), repetitions=2)
    with pytest.raises(RunError, match=r"a / none / c / r failed on question q: .*asked again, it"):
        made.answer(QUESTION)


def test_or_is_counted_as_a_failure():
    turn = count()
    made = answering(Noted("a", [], lambda: next(turn) % 2), repetitions=2, keep_going=True)
    _, (row,) = made.answer(QUESTION)
    assert (row["failed"], row["spans"]) == (True, [])

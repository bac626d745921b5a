"""Top-k, chance and full knowledge."""

from __future__ import annotations

import numpy as np
import pytest

from baselines import Oracle, Random, TopK
from baselines.ranking import interleave
from rse import Hits, Layout, QuestionView

LAYOUT = Layout([0, 4, 4, 10], [100] * 10, tokens=[10] * 10)


def seen(name="q", documents=None, chunks=(), gold=()):
    numbers = None if documents is None else np.array(documents, np.int64)
    return QuestionView(name, numbers, np.array(chunks, np.int64), np.array(gold, float))


def firsts(segments):
    assert all(s.last == s.first + 1 for s in segments)
    return [s.first for s in segments]


def test_topk_keeps_the_ranking_of_one_query_even_among_ties():
    hits = Hits([5, 1, 3], [0.5, 0.5, 0.5])
    assert firsts(TopK(k=2).select([hits], LAYOUT)) == [5, 1]
    assert firsts(TopK(k=10).select([hits], LAYOUT)) == [5, 1, 3]


def test_topk_without_hits():
    assert TopK().select([], LAYOUT) == []
    assert TopK().select([Hits([], []), Hits([], [])], LAYOUT) == []


def test_several_queries_take_turns_without_repeats():
    hits = [Hits([1, 2, 3], [0.9, 0.8, 0.7]), Hits([2, 1, 5], [0.6, 0.5, 0.4]), Hits([], [])]
    assert interleave(hits)[0].tolist() == [1, 2, 3, 5]
    assert interleave(hits)[1].tolist() == [0.9, 0.6, 0.7, 0.4]
    assert firsts(TopK(k=3).select(hits, LAYOUT)) == [1, 3, 2]  # chosen by rank, shown by score


def test_topk_refuses_chunks_that_do_not_exist():
    with pytest.raises(ValueError, match="a hit names chunk 10"):
        TopK().select([Hits([10], [1.0])], LAYOUT)


def draw(name="q", documents=None, **parameters):
    return firsts(Random(**parameters).for_question(seen(name, documents)).select([], LAYOUT))


def test_random_depends_on_seed_and_question_alone():
    one = Random(k=4).for_question(seen("q"))
    other = Random(k=4).for_question(seen("q", chunks=[1], gold=[5.0]))
    assert one.select([], LAYOUT) == other.select([Hits([1], [1.0])], LAYOUT)
    assert len({tuple(draw(f"q{i}", k=4)) for i in range(20)}) > 10
    assert len({tuple(draw(seed=i, k=4)) for i in range(20)}) > 10


def test_random_stays_in_scope_and_never_repeats():
    for i in range(30):
        assert set(draw(f"q{i}", [0], k=3)) < set(range(4))
        assert len(set(draw(f"q{i}", [0, 2], k=7))) == 7
    assert draw(documents=[1, 2], k=50) == list(range(4, 10))
    assert draw(k=50) == list(range(10))
    assert draw(documents=[1]) == draw(documents=[]) == []


def test_random_is_even():
    counts = np.bincount([c for i in range(2000) for c in draw(f"q{i}", [0, 2], k=1)], minlength=10)
    assert counts.min() > 140
    assert counts.max() < 270


def test_oracle_takes_the_last_chunk_in_full():
    view = seen(chunks=[1, 4, 7], gold=[10.0, 30.0, 20.0])
    assert firsts(Oracle(tokens=11).for_question(view).select([], LAYOUT)) == [4, 7]
    assert firsts(Oracle(tokens=10).for_question(view).select([], LAYOUT)) == [4]
    found = Oracle(tokens=1000).for_question(view).select([], LAYOUT)
    assert [(s.first, s.score) for s in found] == [(4, 3.0), (7, 2.0), (1, 1.0)]


def test_oracle_takes_chunks_that_cost_nothing():
    layout = Layout([0, 2], [9, 3], tokens=[1, 0])
    view = seen(chunks=[0, 1], gold=[9.0, 3.0])
    assert firsts(Oracle(tokens=1).for_question(view).select([], layout)) == [0, 1]


def test_oracle_without_gold_or_tokens():
    assert Oracle().for_question(seen()).select([], LAYOUT) == []
    with pytest.raises(ValueError, match="the layout has none"):
        Oracle().for_question(seen()).select([], Layout([0, 1], [5]))


@pytest.mark.parametrize("made", [Oracle(), Random()])
def test_needs_the_question(made):
    with pytest.raises(ValueError, match="for_question"):
        made.select([], LAYOUT)


@pytest.mark.parametrize(
    ("kind", "parameters", "message"),
    [
        (TopK, {"n": 3}, "no parameter 'n'; there are: k"),
        (TopK, {"k": 0}, "k must be a whole number of 1 or more"),
        (Random, {"seed": -1}, "seed must be"),
        (Oracle, {"tokens": 0.5}, "tokens must be"),
    ],
)
def test_refuses_what_cannot_be(kind, parameters, message):
    with pytest.raises(ValueError, match=message):
        kind(**parameters)

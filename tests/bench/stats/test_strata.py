"""The same figures by kind of question."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.stats.bootstrap import Draws
from bench.stats.holm import holm
from bench.stats.paired import compare, renumbered
from bench.stats.signs import Signs
from bench.stats.strata import Drawing, by_stratum, strata
from bench.types import Question, Span

RNG = np.random.default_rng(3)


def asked(*lengths, **tags):
    gold = tuple((Span("d", 0, length), Span("e", 0, length + 1000)) for length in lengths)
    return Question("q", "?", gold, tags=tags)


def found(questions, by):
    return {one.name: one.members.tolist() for one in strata(questions) if one.by == by}


def test_quartiles_of_gold_characters_with_their_bounds():
    questions = [asked(length) for length in (80, 10, 70, 20, 60, 30, 50, 40)]
    assert found(questions, "gold_characters") == {
        "10-20": [1, 3],
        "30-40": [5, 7],
        "50-60": [4, 6],
        "70-80": [0, 2],
    }


def test_passages_add_up_and_alternatives_do_not():
    assert found([asked(5, 7), asked(12)], "gold_characters") == {"12": [0, 1]}


def test_quartiles_that_fall_together_are_one():
    questions = [asked(9)] * 6 + [asked(20), asked(30)]
    assert found(questions, "gold_characters") == {"9": [*range(6)], "20-30": [6, 7]}


def test_passages_from_three_on_are_one():
    questions = [asked(1, 1, 1), asked(1), asked(), asked(1, 1), asked(*[1] * 9)]
    assert found(questions, "passages") == {"1": [1], "2": [3], "3+": [0, 4]}


def test_language_comes_first_then_every_tag_as_it_comes():
    questions = [asked(1, kind="b", language="en"), asked(1, kind="a", topic="t"), asked(1)]
    by = list(dict.fromkeys(one.by for one in strata(questions)))
    assert by == ["gold_characters", "passages", "tag_language", "tag_kind", "tag_topic"]
    assert found(questions, "tag_kind") == {"a": [1], "b": [0], "(none)": [2]}
    assert found(questions, "tag_language") == {"en": [0], "(none)": [1, 2]}


def test_values_of_a_tag_are_in_order():
    questions = [asked(1, kind=kind) for kind in "gbfadcehji"]
    assert "".join(found(questions, "tag_kind")) == "abcdefghij"


def test_tags_that_are_named_like_our_own_strata():
    assert found([asked(1, passages="many")], "passages") == {"1": [0]}
    assert found([asked(1, passages="many")], "tag_passages") == {"many": [0]}


def test_nothing_to_sort():
    assert strata([]) == []
    assert strata([asked(), asked()]) == []


@given(
    st.lists(st.lists(st.integers(1, 40), max_size=4), max_size=30),
    st.lists(st.sampled_from(["a", "b", None]), min_size=30, max_size=30),
)
def test_everyone_is_in_one_stratum_of_each_kind(lengths, tags):
    questions = [
        asked(*sizes, **({"kind": tag} if tag else {}))
        for sizes, tag in zip(lengths, tags, strict=False)
    ]
    with_gold = [place for place, sizes in enumerate(lengths) if sizes]
    for by in ("gold_characters", "passages"):
        assert sorted(chain(*found(questions, by).values())) == with_gold
    if any(question.tags for question in questions):
        everyone = list(range(len(questions)))
        assert sorted(chain(*found(questions, "tag_kind").values())) == everyone
    for name, members in found(questions, "gold_characters").items():
        sizes = [sum(lengths[place]) for place in members]
        low, high = min(sizes), max(sizes)
        assert name == (f"{low}-{high}" if low < high else f"{high}")
    sizes = [sum(lengths[place]) for place in with_gold]
    if len(set(sizes)) == len(sizes) >= 4:
        counts = [len(members) for members in found(questions, "gold_characters").values()]
        assert max(counts) - min(counts) <= 1


N = 100
QUESTIONS = [
    asked(10, kind="rare" if place < 19 else "common", place=str(place % 2)) for place in range(N)
]
CLUSTER = [place // 2 for place in range(N)]
BASE = RNG.random(N) / 2
VALUES = {"base": BASE, "up": BASE + RNG.random(N) / 4, "other": RNG.random(N) / 2}
FIGURES = by_stratum(VALUES, "base", strata(QUESTIONS), CLUSTER, Drawing(0))


def figure(stratum, arm, by="tag_kind", figures=FIGURES):
    (one,) = [row for row in figures if (row.by, row.stratum, row.arm) == (by, stratum, arm)]
    return one


def test_each_stratum_is_compared_by_itself():
    members = np.arange(19, N)
    numbers = renumbered([CLUSTER[place] for place in members])
    draws, signs = Draws(numbers, 0), Signs(numbers, 0)
    column = VALUES["up"][members]
    (alone,) = compare(column[:, None], BASE[members], draws, signs)
    here = figure("common", "up")
    assert here.mean.value == pytest.approx(column.mean())
    assert tuple(here.mean) == pytest.approx(tuple(draws.interval(column)))
    assert here.comparison.p == alone.p
    assert here.comparison.difference == pytest.approx(alone.difference)
    assert (here.comparison.n, here.verdict) == (81, "better")


def test_no_verdict_below_20_questions():
    here = figure("rare", "up")
    assert here.comparison.n == 19
    assert here.comparison.p < 0.001
    assert here.verdict == "too few questions"
    assert not np.isnan([*here.mean, here.p_holm]).any()


def test_clusters_are_counted_inside_the_stratum():
    assert not figure("rare", "up").by_cluster
    assert figure("common", "up").by_cluster


@pytest.mark.parametrize("by", ["tag_kind", "tag_place", "passages"])
def test_holm_over_arms_and_strata_of_a_kind(by):
    rows = [row for row in FIGURES if row.by == by and row.arm != "base"]
    assert [row.p_holm for row in rows] == holm([row.comparison.p for row in rows]).tolist()
    assert len(rows) == 2 * len({row.stratum for row in rows})


def test_the_baseline_has_a_mean_but_no_verdict():
    here = figure("common", "base")
    assert (here.verdict, here.comparison.ties) == ("", 81)
    assert np.isnan(here.p_holm)
    assert here.mean.low < here.mean.value < here.mean.high


def test_direction():
    lower = Drawing(0, higher_is_better=False)
    figures = by_stratum(VALUES, "base", strata(QUESTIONS), CLUSTER, lower)
    assert figure("common", "up", figures=figures).verdict == "worse"


def test_undefined_in_a_stratum():
    holes = {name: np.where(np.arange(N) < 19, np.nan, column) for name, column in VALUES.items()}
    figures = by_stratum(holes, "base", strata(QUESTIONS), CLUSTER, Drawing(0))
    here = figure("rare", "up", figures=figures)
    assert np.isnan([*here.mean, here.p_holm, here.comparison.p]).all()
    assert (here.comparison.left_out, here.verdict) == (19, "too few questions")
    assert figure("common", "up", figures=figures).mean == figure("common", "up").mean

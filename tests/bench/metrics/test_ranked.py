"""Ranked metrics: against ir-measures, against a plain loop, and by hand."""

from __future__ import annotations

import doctest
from math import inf, isnan, log2, nan
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.export.trec import qrels_lines, run_lines
from bench.metrics import ranked as module
from bench.metrics.judged import judged
from bench.metrics.ranked import cutoffs_used, ranked

KS = (1, 2, 3, 5, 10)
SEARCHED = 12
items = st.integers(0, SEARCHED - 1)
rankings = st.lists(items, max_size=SEARCHED)  # with repeats
answer = st.frozensets(items, max_size=3)
asked = st.lists(st.tuples(rankings, st.lists(answer, max_size=4)), min_size=1, max_size=6)


def by_loop(ranking, answers, ks=KS):
    """Score one ranking the slow way: walk down, drop repeats, note where answers are found."""
    answers = [set(a) for a in {frozenset(a) for a in answers if a}]
    found, seen, rank, relevant = {}, set(), 0, 0
    for item in ranking:
        if item in seen:
            continue
        seen.add(item)
        held = [n for n, one in enumerate(answers) if item in one]
        new = [n for n in held if n not in found]
        if held and not new:
            continue
        rank += 1
        relevant += bool(new)
        found |= dict.fromkeys(new, (rank, relevant))
    whole = len(answers)
    ranks = sorted(place for place, _ in found.values())
    scores = {}
    for k in ks:
        scores[f"recall@{k}"] = sum(r <= k for r in ranks) / whole if whole else nan
        relevant_ranks = {r for r in ranks if r <= k}
        scores[f"precision@{k}"] = len(relevant_ranks) / min(k, SEARCHED) if whole else nan
        most = sum(1 / log2(1 + r) for r in judged(answers, SEARCHED).ideal if r <= k)
        gain = sum(1 / log2(1 + r) for r in ranks if r <= k)
        scores[f"ndcg@{k}"] = min(1.0, gain / most) if whole else nan
    scores["mrr"] = 1 / min(ranks, default=inf) if whole else nan
    scores["map"] = sum(n / r for r, n in found.values()) / whole if whole else nan
    scores["set_precision"] = len(set(ranks)) / max(rank, 1) if whole else nan
    return scores


def test_examples():
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


@given(asked)
def test_agrees_with_a_loop(questions):
    gold = [judged(answers, SEARCHED) for _, answers in questions]
    scores = ranked([ranking for ranking, _ in questions], gold, KS)
    for place, (ranking, answers) in enumerate(questions):
        expected = by_loop(ranking, answers)
        assert list(scores) != []
        assert scores.keys() == expected.keys()
        for name, value in expected.items():
            assert scores[name][place] == pytest.approx(value, abs=1e-12, nan_ok=True), name


@given(asked)
def test_between_0_and_1_or_undefined(questions):
    gold = [judged(answers, SEARCHED) for _, answers in questions]
    for values in ranked([ranking for ranking, _ in questions], gold, KS).values():
        for value, one in zip(values.tolist(), gold, strict=True):
            assert isnan(value) == (len(one.ideal) == 0)
            assert isnan(value) or 0 <= value <= 1


@given(asked, st.permutations(range(SEARCHED)))
def test_a_question_is_scored_as_if_alone(questions, numbers):
    """Whatever other questions there are, and however items are numbered."""
    gold = [judged(answers, SEARCHED) for _, answers in questions]
    together = ranked([ranking for ranking, _ in questions], gold, KS)
    for place, (ranking, answers) in enumerate(questions):
        if any(len(a & b) and a != b for a in answers for b in answers):
            continue  # ties in the greedy ideal go by number
        renamed = judged([[numbers[i] - 5 for i in a] for a in answers], SEARCHED)
        alone = ranked([[numbers[i] - 5 for i in ranking]], [renamed], KS)
        for name, values in alone.items():
            np.testing.assert_allclose(values[0], together[name][place], atol=1e-12)


@given(st.lists(answer.filter(bool), min_size=1, max_size=5))
def test_perfect_is_exactly_one(answers):
    gold = judged(answers, SEARCHED)
    ranking, missing = [], set(range(len(gold.ideal)))
    while missing:  # as the ideal is made: most new answers first, then the lowest number
        new = {i: missing & set(gold.answer[gold.item == i].tolist()) for i in range(SEARCHED)}
        ranking.append(min(new, key=lambda i: (-len(new[i]), i)))
        missing -= new[ranking[-1]]
    scores = ranked([ranking], [gold], [SEARCHED, len(ranking)])
    del scores[f"precision@{SEARCHED}"]  # of twelve, whatever is relevant
    assert {name: values.tolist() for name, values in scores.items()} == {
        name: [1.0] for name in scores
    }


@given(rankings, st.lists(answer, max_size=4))
def test_what_repeats_an_answer_changes_nothing(ranking, answers):
    gold = judged(answers, SEARCHED)
    scores = ranked([ranking], [gold], KS)
    answered = {a for i in ranking for a in gold.answer[gold.item == i].tolist()}
    again = [
        i
        for i in range(SEARCHED)
        if i in gold.item and set(gold.answer[gold.item == i].tolist()) <= answered
    ]
    for name, values in ranked([[*ranking, *again]], [gold], KS).items():
        np.testing.assert_array_equal(values, scores[name])


@given(rankings, st.frozensets(items, min_size=1, max_size=6))
def test_both_treatments_agree_where_nothing_is_repeated(ranking, relevant):
    """Several passages in the very same chunks, and nowhere else."""
    plain = judged([[i] for i in relevant], SEARCHED)
    grouped = judged([[i] for i in relevant for _ in range(2)], SEARCHED)
    for name, values in ranked([ranking], [plain], KS).items():
        np.testing.assert_array_equal(values, ranked([ranking], [grouped], KS)[name])


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(rankings, st.frozensets(items, max_size=6)), min_size=1, max_size=6))
def test_equal_to_ir_measures(tmp_path_factory, questions):
    """Through TREC files, with repeats, empty rankings and rankings shorter than k."""
    import ir_measures as ir

    folder = tmp_path_factory.mktemp("trec")
    ids = [f"q{number}" for number in range(len(questions))]
    relevant = [sorted(gold) for _, gold in questions]
    run = run_lines(ids, [ranking for ranking, _ in questions], "d{}".format, "tag")
    qrels = qrels_lines(ids, relevant, "d{}".format)
    for file, lines in (("run", run), ("qrels", qrels)):
        (folder / file).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    measures = {"mrr": ir.RR, "map": ir.AP, "set_precision": ir.SetP}
    for k in KS:
        measures |= {f"recall@{k}": ir.R @ k, f"precision@{k}": ir.P @ k, f"ndcg@{k}": ir.nDCG @ k}
    # Without a single judgement there is nothing it could compare with.
    theirs = {}
    if any(relevant):
        for one in ir.iter_calc(
            list(measures.values()),
            list(ir.read_trec_qrels(str(folder / "qrels"))),
            list(ir.read_trec_run(str(folder / "run"))),
        ):
            theirs[str(one.measure), one.query_id] = one.value
    gold = [judged([[i] for i in one], SEARCHED) for one in relevant]
    scores = ranked([ranking for ranking, _ in questions], gold, KS)
    assert scores.keys() == measures.keys()
    for name, measure in measures.items():
        for query, value, one in zip(ids, scores[name].tolist(), relevant, strict=True):
            if not one:
                assert isnan(value)
            else:
                assert value == pytest.approx(theirs[str(measure), query], abs=1e-6), name


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
def test_only_the_ranks_given_count(order):
    """P11: scores are none of a metric's business, ties were broken before."""
    found = ranked([order], [judged([[2]], 3)], [1])["mrr"]
    assert found.tolist() == [1 / (1 + order.index(2))]


def test_a_copy_is_as_good():
    """P28: gold in document 0, of which 1 is a copy; nobody searched for 0."""
    scores = ranked([[1, 5], [1, 0, 5]], [judged([[0, 1]], 9)] * 2, [1])
    assert scores["recall@1"].tolist() == scores["mrr"].tolist() == [1.0, 1.0]
    assert scores["set_precision"].tolist() == [0.5, 0.5]


def test_more_than_there_is_to_search_is_clipped():
    gold = [judged([[0], [1]], 2), judged([[0], [1]], 90)]
    scores = ranked([[0, 1]] * 2, gold, [10])
    assert scores["precision@10"].tolist() == [1.0, 0.2]
    assert cutoffs_used(gold, 10).tolist() == [2, 10]


def test_better_than_a_greedy_ideal_is_still_1():
    """Items 0, 1, 2 hold answers 124, 123, 456: greedy begins with 0, and 1, 2 is better."""
    gold = judged([[0, 1, 7], [0, 1, 8], [1], [0, 2], [2, 9], [2, 6]], 10)
    assert gold.ideal.tolist() == [1, 1, 1, 2, 2, 3]
    assert ranked([[1, 2]], [gold], [5])["ndcg@5"].tolist() == [1.0]


def test_no_questions():
    assert all(len(values) == 0 for values in ranked([], [], KS).values())


def test_wrong_use_is_told():
    with pytest.raises(ValueError, match="cutoffs are at least 1"):
        ranked([[0]], [judged([[0]], 9)], [0])
    with pytest.raises(ValueError, match="1 rankings, but judgements of 2 questions"):
        ranked([[0]], [judged([[0]], 9)] * 2)


def test_ten_rankings_of_five_hundred_questions_are_quick():
    rng = np.random.default_rng(0)
    gold = [judged([rng.integers(0, 5000, 3).tolist() for _ in range(4)], 5000)] * 500
    found = [rng.integers(0, 5000, 200) for _ in range(500)]
    began = perf_counter()
    for _ in range(10):
        ranked(found, gold)
    assert perf_counter() - began < 3  # 0.3 s on an idle core

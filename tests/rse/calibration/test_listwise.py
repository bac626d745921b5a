"""The listwise model against a softmax written out, and its gradient against differences."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rse import Hits, Layout, ParameterError
from rse.calibration import Example, Share
from rse.calibration.features import FEATURES
from rse.calibration.listwise import Batch, share_loss
from rse.calibration.weights import PENALTY
from tests.rse.calibration.questions import layout, questions


def shares_written_out(linear, none):
    """Exponentials over their sum, one question at a time."""
    total = math.exp(none) + sum(math.exp(value) for value in linear)
    return [math.exp(value) / total for value in linear], math.exp(none) / total


def loss_written_out(weights, examples):
    """Mean over questions of -sum target log p, with the penalty; features score and rank."""
    losses = []
    for one in examples:
        whole = max(one.total, one.gold.sum())
        if whole == 0 or not len(one.hits):
            continue
        linear = [
            weights[0] * score + weights[1] * math.log(1 + rank)
            for rank, score in enumerate(one.hits.score)
        ]
        share, missed = shares_written_out(linear, weights[2])
        target = [gold / whole for gold in one.gold]
        loss = -sum(t * math.log(p) for t, p in zip(target, share, strict=True))
        losses.append(loss - (1 - sum(target)) * math.log(missed))
    return sum(losses) / len(losses) + PENALTY / 2 * sum(weight**2 for weight in weights)


weights3 = st.lists(st.floats(-5, 5), min_size=3, max_size=3).map(np.array)


@given(weights3, st.integers(0, 50))
def test_loss_is_the_one_written_out(weights, seed):
    examples = questions(seed, 6)
    found, _ = share_loss(weights, Batch.of(examples, ("score", "rank")))
    assert found == pytest.approx(loss_written_out(weights, examples))


@given(weights3, st.integers(0, 50))
def test_gradient_is_the_slope_of_the_loss(weights, seed):
    batch = Batch.of(questions(seed, 6), ("score", "rank"))
    step = 1e-6
    slopes = [
        (share_loss(weights + step * one, batch)[0] - share_loss(weights - step * one, batch)[0])
        / (2 * step)
        for one in np.eye(3)
    ]
    assert share_loss(weights, batch)[1] == pytest.approx(slopes, abs=1e-7)


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=12),
    st.lists(st.floats(-20, 20), min_size=3, max_size=3),
    st.floats(-20, 20),
)
def test_apply_is_the_softmax_written_out(score, weights, none):
    hits, corpus = Hits(range(len(score)), score), layout(np.random.default_rng(3))
    found = Share(weights=tuple(weights), none=none).apply(hits, corpus)
    linear = [
        weights[0] * value
        + weights[1] * math.log(1 + rank)
        + weights[2] * math.log(max(int(corpus.tokens[rank]), 1) / 120)
        for rank, value in enumerate(score)
    ]
    assert found.score.tolist() == pytest.approx(shares_written_out(linear, none)[0])
    assert found.chunk.tolist() == hits.chunk.tolist()


def test_huge_weights_neither_overflow_nor_divide_by_zero():
    for weight, none, expected in [(1e6, 0, [1, 0]), (-1e6, 0, [0, 0]), (1.0, 1e6, [0, 0])]:
        share = Share(features=("score",), weights=(weight,), none=none)
        assert share.apply(Hits([0, 1], [1, 0.5])).score.tolist() == expected


def test_fit_finds_the_least_loss():
    from scipy.optimize import minimize

    examples = questions(4)
    fitted = Share(features=("score", "rank")).fit(examples)
    found = np.array([*fitted.weights, fitted.none])
    start = minimize(loss_written_out, np.zeros(3), args=(examples,), method="Nelder-Mead",
                     options={"xatol": 1e-7, "fatol": 1e-12, "maxiter": 5000})  # fmt: skip
    assert loss_written_out(found, examples) == pytest.approx(start.fun, abs=1e-5)
    assert found == pytest.approx(start.x, abs=0.01)


def test_expected_shares_add_up_to_the_shares_there_were():
    """Where the gradient is 0, so is the mean of (expected - true) over each feature's hits."""
    examples = questions(5)
    fitted = Share(features=FEATURES, allow_fitted=True).fit(examples)
    used = [one for one in examples if one.total > 0]
    expected = sum(fitted.apply(one.hits, one.layout).score.sum() for one in used)
    there = sum(one.gold.sum() / one.total for one in used)
    assert expected / len(used) == pytest.approx(there / len(used), abs=1e-4)
    assert len(fitted.weights) == 5


def test_by_hand_with_equal_hits():
    """Four equal hits, one of which holds half the gold: 1/8 each, 1/2 on none."""
    corpus = Layout([0, 4], [500] * 4)
    example = Example(Hits(range(4), [0.3] * 4), corpus, [0, 50, 0, 0], 100)
    fitted = Share(features=("score",)).fit([example])
    assert fitted.apply(example.hits).score == pytest.approx([1 / 8] * 4, abs=1e-5)


def test_questions_without_gold_or_hits_are_left_out():
    examples = questions(6, 20)
    with_gold = [one for one in examples if one.total > 0]
    nothing = Example(Hits([], []), layout(), [], 100)
    assert len(with_gold) == 16
    fitted, same = Share().fit(examples), Share().fit([*with_gold, nothing])
    assert (fitted.weights, fitted.none) == (same.weights, same.none)


def test_gold_beyond_the_total_counts_as_the_total():
    """Chunks that overlap hold the same gold twice."""
    batch = Batch.of([Example(Hits([0, 1], [0.9, 0.5]), layout(), [60, 60], 80)], ("score",))
    assert (batch.target.tolist(), batch.rest.tolist()) == ([0.5, 0.5], [0])


def test_all_gold_always_found_keeps_none_finite():
    example = Example(Hits([0, 1], [0.9, 0.5]), layout(), [60, 40], 100)
    fitted = Share(features=("score",)).fit([example])
    assert fitted.apply(example.hits).score == pytest.approx([0.6, 0.4], abs=1e-3)


def test_chunks_without_tokens():
    corpus = Layout([0, 2], [5, 5], tokens=[0, 0])
    fitted = Share().fit([Example(Hits([0, 1], [0.9, 0.5]), corpus, [5, 0], 10)])
    assert np.isfinite(fitted.apply(Hits([0, 1], [0.9, 0.5]), corpus).score).all()


def test_missing_features_are_named():
    fitted = Share(features=("score", "tokens", "bm25")).fit(questions())
    with pytest.raises(ValueError, match="'tokens' needs a layout that counts tokens"):
        fitted.apply(Hits([0], [0.5]))
    with pytest.raises(ValueError, match=r"no features\['bm25'\]; they have: none"):
        fitted.apply(Hits([0], [0.5]), layout(names="wxyz"))


@pytest.mark.parametrize(
    "wrong", [{"weights": (1.0,)}, {"weights": 5}, {"none": math.nan}, {"weight": ()}]
)
def test_weights_that_cannot_be(wrong):
    with pytest.raises(ParameterError):
        Share(**wrong)

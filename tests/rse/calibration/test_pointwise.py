"""Logistic and isotonic regression against scikit-learn's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rse import Hits, Layout, ParameterError
from rse.calibration import Example, Isotonic, Logistic
from rse.calibration.pointwise import logistic_loss
from rse.calibration.weights import PENALTY
from tests.rse.calibration.questions import questions


def example(score, gold, **features):
    corpus = Layout([0, len(score)], [500] * len(score))
    return Example(Hits(range(len(score)), score, features), corpus, gold, float(sum(gold)))


def table(examples, *names):
    columns = [[one.hits.score for one in examples]]
    columns += [[one.hits.features[name] for one in examples] for name in names]
    label = np.concatenate([one.gold > 0 for one in examples])
    return np.column_stack([np.concatenate(column) for column in columns]), label


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("names", [(), ("bm25",)])
def test_logistic_is_that_of_scikit_learn(seed, names):
    linear_model = pytest.importorskip("sklearn.linear_model")
    examples = questions(seed)
    columns, label = table(examples, *names)
    inside = (columns - columns.mean(axis=0)) / columns.std(axis=0)
    strength = 1 / (PENALTY * len(label))
    theirs = linear_model.LogisticRegression(C=strength, tol=1e-10, max_iter=10_000)
    expected = theirs.fit(inside, label).predict_proba(inside)[:, 1]
    ours = Logistic(features=("score", *names)).fit(examples)
    found = np.concatenate([ours.apply(one.hits).score for one in examples])
    assert found == pytest.approx(expected, abs=1e-6)


@given(
    st.lists(st.floats(-3, 3), min_size=3, max_size=3),
    st.integers(0, 2**32 - 1),
)
def test_gradient_of_logistic(weights, seed):
    from scipy.optimize import approx_fprime

    rng = np.random.default_rng(seed)
    rows, label = rng.normal(size=(2, 7)), rng.integers(0, 2, 7).astype(float)
    found = logistic_loss(np.array(weights), rows, label)[1]
    expected = approx_fprime(np.array(weights), lambda w: logistic_loss(w, rows, label)[0], 1e-6)
    assert found == pytest.approx(expected, abs=1e-5)


def test_logistic_loss_of_huge_logits_is_finite():
    loss, gradient = logistic_loss(np.array([1e4, 0.0]), np.array([[1.0, -1.0]]), np.array([0, 1]))
    assert loss == pytest.approx(1e4 + 50)
    assert np.isfinite(gradient).all()


def test_logistic_of_equal_scores_is_the_share_of_hits_with_gold():
    fitted = Logistic().fit([example([0.4] * 4, [5, 0, 0, 0])])
    assert fitted.weights == pytest.approx([0])
    assert fitted.apply(Hits([0], [0.4])).score.tolist() == pytest.approx([0.25], abs=1e-6)
    assert Logistic().fit([example([0, 0], [5, 0])]).apply(Hits([0], [0])).score == pytest.approx(
        [0.5], abs=1e-6
    )


def test_logistic_stays_finite_where_scores_separate():
    fitted = Logistic().fit([example([0.9, 0.8, 0.2, 0.1], [5, 5, 0, 0])])
    found = fitted.apply(Hits([0, 1], [0.8, 0.2])).score
    assert found[0] > 0.99
    assert found[1] < 0.01
    assert fitted.apply(Hits([0], [1])).score[0] <= 1


def test_logistic_fitted_with_bm25_needs_it():
    examples = [example([0.9, 0.8, 0.2], [5, 0, 1], bm25=[3.0, 1.0, 2.0])]
    fitted = Logistic(features=("score", "bm25")).fit([*examples, example([], [])])
    assert len(fitted.weights) == 2
    with pytest.raises(ValueError, match=r"no features\['bm25'\]"):
        fitted.apply(Hits([0], [0.5]))
    assert len(fitted.apply(Hits([], []))) == 0
    with pytest.raises(ValueError, match=r"no features\['bm25'\]"):
        Logistic(features=("score", "bm25")).fit([*examples, example([0.1], [0])])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("digits", [15, 1])
def test_isotonic_is_that_of_scikit_learn(seed, digits):
    isotonic = pytest.importorskip("sklearn.isotonic")
    examples = [
        one.under(Hits(one.hits.chunk, one.hits.score.round(digits))) for one in questions(seed)
    ]
    columns, label = table(examples)
    theirs = isotonic.IsotonicRegression(out_of_bounds="clip").fit(columns[:, 0], label)
    ours = Isotonic().fit(examples)
    score = np.linspace(1, 0, 200)
    found = ours.apply(Hits(range(200), score)).score
    assert found == pytest.approx(theirs.predict(score), abs=1e-12)
    assert (np.diff(found) <= 1e-15).all()
    assert len(ours.knots) <= len(np.unique(columns))


def test_isotonic_by_hand():
    fitted = Isotonic().fit([example([0.8, 0.6, 0.6, 0.4, 0.2], [1, 1, 0, 1, 0])])
    thirds = pytest.approx(2 / 3)
    assert fitted.knots == ((0.2, 0), (0.4, thirds), (0.6, thirds), (0.8, 1))
    found = fitted.apply(Hits(range(6), [1, 0.7, 0.5, 0.3, 0.2, 0])).score.tolist()
    assert found == pytest.approx([1, 5 / 6, 2 / 3, 1 / 3, 0, 0])


def test_isotonic_of_equal_scores_is_the_share_of_hits_with_gold():
    fitted = Isotonic().fit([example([0.4, 0.4], [1, 0])])
    assert fitted.knots == ((0.4, 0.5),)
    assert fitted.apply(Hits([0, 1], [1, 0])).score.tolist() == [0.5, 0.5]


def test_questions_without_gold_teach_what_no_gold_looks_like():
    examples = [example([0.9, 0.1], [1, 0])]
    assert Isotonic().fit([*examples, example([0.9], [0])]).knots[-1] == (0.9, 0.5)


@pytest.mark.parametrize("calibration", [Logistic(), Isotonic()])
def test_all_or_no_hits_with_gold(calibration):
    with pytest.raises(ValueError, match=r"with and without gold .* 2 of 2 hits hold gold"):
        calibration.fit([example([0.9, 0.1], [1, 1])])


@pytest.mark.parametrize(
    ("make", "wrong"),
    [
        (Logistic, {"weights": (1.0, 2.0)}),
        (Logistic, {"weights": [1.0]}),
        (Logistic, {"weights": (math.nan,)}),
        (Logistic, {"constant": math.inf}),
        (Isotonic, {"knots": ()}),
        (Isotonic, {"knots": 5}),
        (Isotonic, {"knots": ((0.5,),)}),
        (Isotonic, {"knots": ((0.5, 0.1), (0.5, 0.2))}),
        (Isotonic, {"knots": ((0.4, 0.3), (0.5, 0.2))}),
        (Isotonic, {"knots": ((0.4, 0.3), (0.5, 1.2))}),
        (Isotonic, {"knots": ((0.4, -0.3),)}),
    ],
)
def test_weights_that_cannot_be(make, wrong):
    with pytest.raises(ParameterError):
        make(**wrong)

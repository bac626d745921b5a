"""Who is judged by which fit."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from bench.engine.crossfit import OPENING, CrossFit, Form, foreign
from bench.engine.families import Measured
from rse.calibration import Chain, FittedOnError, Share

PLAIN, BLURRED = Form("score", 1.0), Form("score", 0.3)


def test_no_question_is_judged_by_a_fit_on_its_own_documents(held, monkeypatch):
    fitted = []

    def fit(self, examples):
        fitted.append(examples)
        return Share(weights=(1.0,) * 3)

    monkeypatch.setattr(Share, "fit", fit)
    monkeypatch.setattr("bench.engine.crossfit.measure", lambda *_: None)
    cross = CrossFit(held)
    cross.run((PLAIN,), (80,))
    assert len(fitted) == 3
    for fold, examples in enumerate(fitted):
        seen = {
            document
            for one in examples
            for document in held.corpus.layout.document(one.hits.chunk).tolist()
        }
        taught = {name for one in examples for name in one.documents}
        judged = {d for asked in held.asked if asked.fold == fold for d in asked.documents}
        assert seen
        assert taught
        assert not seen & judged
        assert not taught & {held.corpus.layout.identity[d] for d in judged}


def stand_in(held, values):
    """A cross-fit whose recall of every question is a number of form, opening and fold left out."""
    cross = CrossFit(held)
    shape = len(held.asked), 2
    tokens = np.broadcast_to([0.0, 5000.0], shape)
    for (form, opening), fold in product(product((PLAIN, BLURRED), OPENING), cross.folds):
        recall = np.full(shape, values(form, opening, fold))
        cross.measured[form, opening, fold] = Measured(tokens, recall, tokens, tokens)
    return cross


def test_each_question_gets_the_values_of_the_fit_without_its_fold(held):
    cross = stand_in(held, lambda form, opening, fold: form.own + opening / 1e4 + fold / 10)
    found = cross.family(BLURRED, 80)
    expected = [0.3 + 0.008 + asked.fold / 10 for asked in held.asked]
    np.testing.assert_allclose(found.recall[:, 0], expected)
    assert len(set(expected)) == 3


def test_the_choice_for_a_fold_is_joined_from_that_fold(held):
    choice = {0: (PLAIN, 0), 1: (BLURRED, 320), 2: (PLAIN, 640)}
    cross = stand_in(held, lambda form, opening, fold: form.own + opening / 1e4 + fold / 10)
    found = cross.traced(choice)
    values = {0: 1.0, 1: 0.3 + 0.032 + 0.1, 2: 1.0 + 0.064 + 0.2}
    np.testing.assert_allclose(found.recall[:, 0], [values[asked.fold] for asked in held.asked])


def test_a_fold_is_never_looked_at_when_the_choice_for_it_is_made(held):
    """For each fold another opening is best, and on the fold itself it is the worst of all."""
    best = {0: (BLURRED, 40), 1: (PLAIN, 160), 2: (BLURRED, 640)}
    cross = stand_in(held, lambda form, opening, fold: 0.5 + 0.1 * (best[fold] == (form, opening)))
    for (form, opening, fold), found in cross.measured.items():
        judged = cross.fold == fold
        found.recall[judged] = 0.0 if best[fold] == (form, opening) else 1.0
    assert cross.chosen((PLAIN, BLURRED)) == best


def test_the_best_of_a_pool_is_that_of_its_questions_cross_fitted(held):
    cross = stand_in(held, lambda form, opening, fold: 0.1)
    for fold in cross.folds:
        cross.measured[PLAIN, 320, fold].recall[cross.fold == fold] = 0.2
        cross.measured[BLURRED, 0, fold].recall[cross.fold != fold] = 0.9  # judged by no one
    assert cross.best((PLAIN, BLURRED)) == (PLAIN, 320)


def test_what_is_fitted_elsewhere_is_smoothed_too_and_refuses_its_own_documents(held):
    found = foreign([held], BLURRED)
    assert isinstance(found, Chain)
    assert found.steps[0].own == 0.3
    with pytest.raises(FittedOnError):
        found.apply(held.asked[0].hits, held.corpus.layout)

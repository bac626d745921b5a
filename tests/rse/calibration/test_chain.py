"""Steps one after the other, fitted and applied alike."""

from __future__ import annotations

import numpy as np
import pytest

from rse import Hits, ParameterError
from rse.calibration import Chain, FittedOnError, Isotonic, Logistic, Max, MinMax, Share, Smooth
from tests.rse.calibration.questions import questions


def test_applies_in_order():
    hits = Hits([0, 1], [0.9, 0.5], {"neighbours": np.array([[0.1, 0.1], [0.9, 0.9]])})
    found = Chain((Smooth(window=1, own=0.5), MinMax())).apply(hits)
    assert (found.chunk.tolist(), found.score.tolist()) == ([1, 0], [1, 0])


def test_no_hits():
    assert len(Chain((Smooth(), MinMax())).apply(Hits([], []))) == 0


def test_chains_in_chains_are_flat_and_lists_will_do():
    assert Chain([Chain([Smooth(), Max()]), MinMax()]) == Chain((Smooth(), Max(), MinMax()))
    assert hash(Chain([Max()])) == hash(Chain((Max(),)))


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ((), "at least one step"),
        (("minmax",), "a step must be a calibration, got 'minmax'"),
        ((MinMax(), Smooth()), "smooth must be the first step"),
        ((Chain((Smooth(),)), Smooth()), "smooth must be the first step"),
    ],
)
def test_says_what_is_wrong(steps, message):
    with pytest.raises(ParameterError, match=message):
        Chain(steps)


@pytest.mark.parametrize("last", [Logistic(), Isotonic(), Share()])
def test_each_step_is_fitted_on_what_the_steps_before_it_make(last):
    examples, smooth = questions(), Smooth(own=0.3)
    smoothed = [one.under(smooth.apply(one.hits)) for one in examples]
    assert any((a.gold != b.gold).any() for a, b in zip(examples, smoothed, strict=True))
    assert Chain((smooth, last)).fit(examples) == Chain((smooth, last.fit(smoothed)))


def test_two_fitted_steps_learn_from_the_same_documents_and_refuse_them():
    examples = questions()
    fitted = Chain((Logistic(), Isotonic())).fit(examples)
    assert fitted.steps[0].fitted_on == fitted.steps[1].fitted_on == ("a", "c", "d")
    assert not any(step.allow_fitted for step in fitted.steps)
    with pytest.raises(FittedOnError, match="Logistic was fitted on"):
        fitted.apply(examples[0].hits, examples[0].layout)

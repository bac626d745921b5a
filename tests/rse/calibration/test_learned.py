"""No calibration is judged on the documents it was fitted on, unless told so."""

from __future__ import annotations

import numpy as np
import pytest

from rse import Hits, Layout, ParameterError
from rse.calibration import (
    Chain,
    Example,
    FittedOnError,
    Isotonic,
    Logistic,
    MinMax,
    Share,
    permitted,
)
from tests.rse.calibration.questions import layout, questions

LEARNED = [Logistic(), Isotonic(), Share(features=("score",))]
HITS = Hits([0, 9], [0.9, 0.5])


@pytest.mark.parametrize("calibration", LEARNED)
def test_unfitted_ones_say_what_to_do(calibration):
    for hits in (HITS, Hits([], [])):
        with pytest.raises(ValueError, match=r"not fitted: use what .*fit\(examples\).*from_json"):
            calibration.apply(hits)


@pytest.mark.parametrize("calibration", LEARNED)
def test_remembers_the_documents_of_hits_and_gold(calibration):
    examples = questions()
    one = examples[0]
    examples[0] = Example(one.hits, one.layout, one.gold, one.total, ("z", "b"))
    fitted = calibration.fit(examples)
    assert fitted.fitted_on == ("a", "b", "c", "d", "z")
    assert calibration.fitted_on == ()


@pytest.mark.parametrize("calibration", LEARNED)
def test_refuses_documents_it_was_fitted_on(calibration):
    fitted = calibration.fit(questions())
    with pytest.raises(FittedOnError, match=r"on document 2, identity 'c': .*allow_fitted=True"):
        fitted.apply(HITS, layout(names="xyc-"))
    expected = fitted.apply(HITS).score.tolist()
    others = fitted.apply(HITS, layout(names="xy-c"))
    allowed = permitted(fitted).apply(HITS, layout())
    nameless = fitted.apply(HITS, Layout(layout().start, np.ones(40), tokens=np.ones(40)))
    assert others.score.tolist() == allowed.score.tolist() == expected
    assert nameless.score.tolist() == expected


def test_permission_reaches_every_step_and_nothing_else():
    fitted = Isotonic().fit(questions())
    assert permitted(MinMax()) == MinMax()
    chain = permitted(Chain((MinMax(), fitted)))
    assert chain.steps[1].allow_fitted
    assert chain.steps[1].fitted_on == fitted.fitted_on


@pytest.mark.parametrize("calibration", LEARNED)
def test_order_stays_and_scores_are_in_bounds(calibration):
    fitted = calibration.fit(questions())
    for score in ([], [0.7], [0.5, 0.5, 0.5], [0, 0], [1, 0.6, 0.6, 0]):
        found = fitted.apply(Hits(range(len(score)), score, scorer="tiny"))
        assert found.chunk.tolist() == list(range(len(score)))
        assert (np.diff(found.score) <= 1e-15).all()
        assert found.scorer == "tiny"


@pytest.mark.parametrize("calibration", LEARNED)
def test_fitting_again_gives_the_same_bits_and_starts_afresh(calibration):
    first = calibration.fit(questions(1))
    assert calibration.fit(questions(1)) == first
    assert calibration.fit(questions(2)).fit(questions(1)) == first


@pytest.mark.parametrize("calibration", LEARNED)
def test_a_hit_outside_the_corpus_is_named(calibration):
    fitted = calibration.fit(questions())
    with pytest.raises(ValueError, match="a hit names chunk 40, but there are 40"):
        fitted.apply(Hits([40], [0.5]), layout())


@pytest.mark.parametrize("calibration", LEARNED)
def test_nothing_to_learn_from(calibration):
    empty = Example(Hits([], []), layout(), [], 50)
    without = Example(HITS, layout(), [0, 0], 50)
    for examples in ([], [empty], [without], [empty, without]):
        with pytest.raises(ValueError, match="needs hits"):
            calibration.fit(examples)


@pytest.mark.parametrize(
    "wrong",
    [{"fitted_on": ["a"]}, {"fitted_on": "a"}, {"fitted_on": (1,)}, {"allow_fitted": 1}],
)
def test_refuses_what_cannot_be(wrong):
    with pytest.raises(ParameterError):
        Isotonic(**wrong)


def test_layouts_name_every_document():
    assert Layout([0, 1], [5], identity=["a"]).identity == ("a",)
    for names in ([], ["a", "b"], "a", [1]):
        with pytest.raises(ValueError, match=r"Layout\.identity needs one name for each of 1 doc"):
            Layout([0, 1], [5], identity=names)

"""Written to JSON and read back, every calibration is the same value to the last bit."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rse import ParameterError
from rse.calibration import (
    Beta,
    Chain,
    Isotonic,
    Logistic,
    Max,
    MinMax,
    Rank,
    Raw,
    Share,
    Sigmoid,
    Smooth,
    from_json,
    permitted,
    to_json,
)
from rse.calibration.serial import KINDS
from tests.rse.calibration.questions import questions

EXAMPLES = questions()
ALL = [
    Raw(),
    MinMax(),
    Max(),
    Beta(a=0.1),
    Sigmoid(slope=20, center=-0.3),
    Rank(constant=1),
    Smooth(window=3, own=0.1),
    Logistic(),
    Logistic(features=("score", "bm25")).fit(EXAMPLES),
    Isotonic().fit(EXAMPLES),
    permitted(Share().fit(EXAMPLES)),
    Chain((Smooth(), Share(features=("score", "rank")))).fit(EXAMPLES),
]


@pytest.mark.parametrize("calibration", ALL)
def test_round_trip(calibration):
    assert from_json(json.loads(json.dumps(to_json(calibration), allow_nan=False))) == calibration


def test_every_kind_is_tried():
    assert {type(one) for one in ALL} == set(KINDS.values())


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(-1e300, 1e300))
def test_floats_come_back_to_the_last_bit(weight, constant):
    calibration = Logistic(weights=(weight,), constant=constant, fitted_on=("ü", "文"))
    assert from_json(json.loads(json.dumps(to_json(calibration)))) == calibration


def test_form():
    assert to_json(Beta()) == {"calibration": "beta", "version": 1, "a": 0.4, "b": 0.4}
    assert to_json(Chain((Smooth(), MinMax()))) == {
        "calibration": "chain",
        "version": 1,
        "steps": [
            {"calibration": "smooth", "version": 1, "window": 2, "own": 0.6},
            {"calibration": "minmax", "version": 1},
        ],
    }
    assert to_json(Share(features=("score",), weights=(2.5,), none=1.0, fitted_on=("a",))) == {
        "calibration": "share",
        "version": 1,
        "fitted_on": ["a"],
        "allow_fitted": False,
        "features": ["score"],
        "weights": [2.5],
        "none": 1.0,
    }
    numpy = to_json(Sigmoid(slope=np.float32(2), center=np.int64(1)))
    assert json.loads(json.dumps(numpy))["slope"] == 2
    assert from_json({"calibration": "beta", "version": 1, "b": 1.8}) == Beta(b=1.8)


BETA = {"calibration": "beta", "version": 1}
ISOTONIC = {"calibration": "isotonic", "version": 1}
LOGISTIC = {"calibration": "logistic", "version": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "an object of keys and values"),
        ({"version": 1}, "the key 'calibration' is missing"),
        ({"calibration": "beta"}, "the key 'version' is missing"),
        (BETA | {"calibration": "bta"}, "no calibration 'bta'; there are: none, minmax, .*share"),
        (BETA | {"calibration": ["beta"]}, "no calibration"),
        (BETA | {"version": 2}, "beta: version 2 cannot be read, only 1"),
        (BETA | {"version": True}, "version True"),
        (BETA | {"c": 1}, "beta has no key 'c'; there are: a, b"),
        ({"calibration": "minmax", "version": 1, "a": 1}, "there are: none"),
        (BETA | {"a": math.nan}, "beta: a must hold finite numbers, got nan"),
        (BETA | {"a": "0.4"}, "beta: a must be a number above 0, got '0.4'"),
        (BETA | {"a": {"b": 1}}, "a holds {'b': 1}"),
        (ISOTONIC | {"knots": [[0.1, math.inf]]}, "isotonic: knots must hold finite numbers"),
        (ISOTONIC | {"knots": [[0.1]]}, "isotonic: knots must be a tuple of 2 numbers"),
        (ISOTONIC | {"knots": [[0.1, None]]}, "isotonic: knots must be finite numbers"),
        (ISOTONIC | {"seen": []}, "isotonic has no key 'seen'"),
        (LOGISTIC | {"weights": [1, 2]}, "logistic: weights must be a tuple of 1 numbers"),
        (LOGISTIC | {"features": [["score"]]}, "logistic: no feature"),
        (LOGISTIC | {"features": [1]}, "logistic: no feature 1"),
        (LOGISTIC | {"fitted_on": None}, "fitted_on must be a tuple of names"),
        ({"calibration": "chain", "version": 1}, "steps must be a list of calibrations, got None"),
        (
            {"calibration": "chain", "version": 1, "steps": []},
            "chain: steps must name at least one calibration",
        ),
        (
            {"calibration": "chain", "version": 1, "steps": [{"calibration": "chain"}]},
            "chain: a step cannot be a chain",
        ),
        ({"calibration": "chain", "version": 1, "steps": [BETA | {"x": 1}]}, "no key 'x'"),
    ],
)
def test_says_what_would_work(content, message):
    with pytest.raises(ParameterError, match=message):
        from_json(content)


def test_only_ours_and_only_finite_numbers_are_written():
    with pytest.raises(ParameterError, match="cannot write a object; there are: none, minmax"):
        to_json(object())

"""Parameters and presets: dsRAG's values, and errors that say what would have worked."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest

from rse import PRESETS, RSE, Hits, Layout, Optimal, ParameterError, preset
from tests.rse.reference import dsrag


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("irrelevant_chunk_penalty", 0),
        ("irrelevant_chunk_penalty", -0.1),
        ("irrelevant_chunk_penalty", 1.5),
        ("irrelevant_chunk_penalty", float("nan")),
        ("decay_rate", 0),
        ("decay_rate", float("inf")),
        ("max_length", 0),
        ("max_length", 1.5),
        ("max_length", True),
        ("overall_max_length", 0),
        ("overall_max_length_extension", -1),
        ("top_k_for_document_selection", 0),
        ("minimum_value", "0.5"),
        ("minimum_value", None),
        ("chunk_length_adjustment", "yes"),
    ],
)
@pytest.mark.parametrize("strategy", [RSE, Optimal])
def test_a_value_out_of_range_is_named(strategy, name, value):
    with pytest.raises(ValueError, match=f"{name} must be .*got"):
        strategy(**{name: value})


def test_an_unknown_parameter_lists_the_known():
    with pytest.raises(
        ValueError, match="RSE has no parameter 'irelevant_chunk_penalty'; there are: irr"
    ):
        RSE(irelevant_chunk_penalty=0.4)
    with pytest.raises(ValueError, match="no parameter 'irelevant_chunk_penalty'"):
        preset({"irelevant_chunk_penalty": 0.4})


def test_an_unknown_preset_lists_the_known():
    with pytest.raises(
        ValueError, match="no preset 'precise'; there are: balanced, precision, find_all"
    ):
        preset("precise")


def test_presets_are_those_dsrag_ships():
    theirs = dsrag().RSE_PARAMS_PRESETS
    assert {name: asdict(strategy) for name, strategy in PRESETS.items()} == theirs


def test_a_dict_is_filled_up_from_balanced():
    assert preset({"minimum_value": 0.1}) == RSE(minimum_value=0.1)
    assert preset("find_all", decay_rate=50).max_length == 40
    assert RSE() == preset("balanced")


@pytest.mark.parametrize("name", [None, 5, ["balanced"], {1: 2}])
def test_a_preset_is_a_name_or_a_dict(name):
    with pytest.raises(ParameterError, match="a preset is a name or a dict of parameters"):
        preset(name)


def test_a_rate_beyond_all_floats_is_refused_and_a_tiny_one_works():
    with pytest.raises(ParameterError, match="decay_rate must be a number above 0"):
        RSE(decay_rate=10**400)
    layout = Layout([0, 2], [100, 100])
    found = RSE(decay_rate=1e-320).select([Hits([0, 1], [1.0, 0.9])], layout)
    assert [(s.first, s.last) for s in found] == [(0, 1)]


def test_numbers_of_numpy_are_numbers():
    layout = Layout([0, 8], [100] * 8, tokens=[300] * 8)
    hits = [Hits([2, 4, 1], [0.9, 0.8, 0.7])] * 3
    for given, plain in (
        (
            RSE(overall_max_length=np.int8(125), max_length=np.uint64(3)),
            RSE(overall_max_length=125, max_length=3),
        ),
        (Optimal(token_budget=np.uint64(900)), Optimal(token_budget=900)),
        (
            Optimal(value="share", token_budget=np.int16(32000), segment_tokens=np.int16(32000)),
            Optimal(value="share", token_budget=32000, segment_tokens=32000),
        ),
    ):
        assert given == plain
        assert given.select(hits, layout) == plain.select(hits, layout)

"""Settings of a sweep: all of a grid, some of a search, wrong ones with the reason."""

from __future__ import annotations

import pytest

from bench.spec import SpecError
from bench.sweep.settings import all_settings
from bench.sweep.spec import check

BASE = {"name": "x", "datasets": ["d"], "chunkers": ["fixed[size=9]"]}


def settings(grids, **more):
    return all_settings(check({**BASE, "grids": grids, **more}, "here"))


def test_a_grid_is_every_combination_once():
    grid = {"strategy": "topk", "params": {"k": [1, 2, 1]}, "scores": ["none", "minmax"]}
    found = settings(grid, chunkers=["fixed[size=9|18]"])
    assert len(found) == 8
    assert [str(one.arm) for one in found[:2]] == [
        "topk[k=1] / none / fixed[size=9] / minilm",
        "topk[k=1] / none / fixed[size=18] / minilm",
    ]
    assert found[0].chosen == {
        **{"strategy": "topk", "k": 1, "scores": "none"},
        **{"chunker": "fixed[size=9]", "retriever": "minilm"},
    }


def test_a_list_of_grids():
    grids = [
        {"strategy": "topk", "params": {"k": [1]}},
        {
            "strategy": "rse",
            "params": {"irrelevant_chunk_penalty": [0.1, 0.2]},
            "scores": ["minmax"],
        },
    ]
    assert [one.arm.strategy for one in settings(grids)] == [
        "topk[k=1]",
        "rse[irrelevant_chunk_penalty=0.1]",
        "rse[irrelevant_chunk_penalty=0.2]",
    ]


def test_one_that_cannot_be_built_is_kept_with_its_reason():
    found = settings({"strategy": "rse", "params": {"irrelevant_chunk_penalty": [0.2, -1, 0]}})
    assert [bool(one.error) for one in found] == [False, True, True]
    assert "irrelevant_chunk_penalty" in found[1].error


@pytest.mark.parametrize(
    ("grid", "said"),
    [
        ({"strategy": "rsee"}, r"no strategy 'rsee'; there are: topk, rse"),
        ({"strategy": "rse", "params": {"irelevant": [1]}}, r"here: rse: .*irelevant"),
        ({"strategy": "rse", "params": {"decay_rate": []}}, r"lists no values"),
        ({"strategy": "rse", "params": {"decay_rate": [0, -1]}}, r"decay_rate"),
        ({"strategy": "rse", "scores": ["minmx"]}, r"no scores 'minmx'"),
        ({"strategy": "rse", "param": {}}, r"unknown key 'grids.0.param'; there are: strategy"),
        (
            {"strategy": "rse", "params": {"decay_rate": {"low": 1, "high": 9}}},
            r"a range can be drawn from, not gone through: search: random",
        ),
    ],
)
def test_what_no_setting_can_have_is_refused(grid, said):
    with pytest.raises(SpecError, match=said):
        settings(grid)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"folds": 1}, r"folds: .*greater than or equal to 2"),
        (
            {"goals": ["best"]},
            r"goals: a goal is one of precision, balanced, find_all",
        ),
        ({"goals": [0]}, r"goals: a goal's tokens are 1 or more, got 0"),
        ({"split": "datasets"}, r"name two or more"),
        ({"serch": "grid"}, r"unknown key 'serch'; there are: name, datasets"),
        ({"datasets": []}, r"datasets: "),
    ],
)
def test_a_wrong_sweep_is_told_with_its_place(more, said):
    with pytest.raises(SpecError, match=said):
        settings({"strategy": "topk"}, **more)


def test_a_random_search_draws_so_many_different_ones_and_the_same_again():
    grid = {"strategy": "rse", "params": {"decay_rate": {"low": 1.0, "high": 99.0, "log": True}}}
    found = settings(grid, search="random", trials=30)
    assert len({str(one.arm) for one in found}) == 30
    assert found == settings(grid, search="random", trials=30)
    assert found != settings(grid, search="random", trials=30, seed=1)


def test_a_search_over_few_values_ends():
    found = settings({"strategy": "topk", "params": {"k": [1, 2]}}, search="random", trials=50)
    assert {one.arm.strategy for one in found} == {"topk[k=1]", "topk[k=2]"}

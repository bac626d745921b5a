"""Specs: what they expand to, and every mistake in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.arms import Arm
from bench.catalog import DATASETS
from bench.spec import SpecError, check, grid_of, read
from bench.sweep.spec import read as read_sweep

SPECS = Path(__file__).resolve().parents[2] / "specs"

GOOD = """
datasets: [pydata-docs]
chunkers: ["recursive[size=800]"]
grids:
  - strategy: topk
    params: {k: [5, 10]}
  - strategy: rse
    params: {decay_rate: [0.00001, 30]}
    scores: [none, minmax]
"""


def test_expands_in_order_each_once(tmp_path):
    path = tmp_path / "tiny.yaml"
    path.write_text(GOOD + "  - strategy: topk[k=5]\n", encoding="utf-8")
    spec = read(path, limit=3, depth=None)
    assert (spec.name, spec.limit, spec.depth) == ("tiny", 3, 200)
    assert spec.content == "tutorial"
    assert spec.families() == [("recursive[size=800]", "minilm")]
    assert [str(arm) for arm in spec.arms("c", "r")] == [
        "topk[k=5] / none / c / r",
        "topk / none / c / r",
        "rse[decay_rate=1e-05] / none / c / r",
        "rse[decay_rate=1e-05] / minmax / c / r",
        "rse / none / c / r",
        "rse / minmax / c / r",
    ]


def test_parameters_stand_in_the_name_and_in_the_grid(tmp_path):
    path = tmp_path / "tiny.yaml"
    grid = "strategy: 'rse[preset=precision,max_length=3]'\n    params: {max_length: [4]}\n  - "
    path.write_text(GOOD.replace("strategy: topk", f"{grid}strategy: topk"), encoding="utf-8")
    assert read(path).arms("c", "r")[0].strategy == (
        "rse[irrelevant_chunk_penalty=0.2,minimum_value=0.7,max_length=4]"
    )


def test_a_dataset_named_twice_is_run_once(tmp_path):
    path = tmp_path / "tiny.yaml"
    path.write_text(GOOD.replace("[pydata-docs]", "[a, b, a]"), encoding="utf-8")
    assert read(path).datasets == ["a", "b"]
    assert read(path, datasets=["c", "c"]).datasets == ["c"]


def test_grid_of_one():
    assert grid_of("rse[max_length=3] / minmax") == {
        "strategy": "rse[max_length=3]",
        "scores": ["minmax"],
    }
    grid = grid_of("topk")
    content = {"name": "x", "datasets": ["d"], "chunkers": ["fixed[size=9]"], "grids": [grid]}
    assert check(content, "here").arms("c", "r") == [Arm("topk", "none", "c", "r")]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("datasets:", "dataset: 1\ndatasets:", "unknown key 'dataset'; there are: name, datasets"),
        ("    params: {k", "    parms: {k", "'grids.0.parms'; there are: strategy, params, scores"),
        ("chunkers:", "#", "the key 'chunkers' is missing"),
        ("- strategy: topk\n", "- scores: [none]\n", "the key 'grids.0.strategy' is missing"),
        ("[pydata-docs]", "pydata-docs", "datasets: .*list, got 'pydata-docs'"),
        ("[pydata-docs]", "[]", "datasets: .*at least 1 item"),
        ("{k: [5, 10]}", "{k: 5}", "grids.0.params.k: .*list, got 5"),
        ("{k: [5, 10]}", "{k: [[5]]}", "a parameter's value is a number"),
        ("{k: [5, 10]}", "{k: [null]}", "a parameter's value is a number"),
        ("{k: [5, 10]}", "{k: ['5']}", "k must be a whole number of 1 or more, got '5'"),
        ("[0.00001, 30]", "['30']", "decay_rate must be a number above 0, got '30'"),
        ("decay_rate: [0.00001, 30]", "chunk_length_adjustment: ['false']", "got 'false'"),
        ("{k: [5, 10]}", "{n: [5]}", "no parameter 'n'; there are: k"),
        ("strategy: topk", "strategy: nope", "no strategy 'nope'; there are: topk, rse"),
        ("minmax", "nope", "no scores 'nope'; there are"),
        ("recursive[size=800]", "nope", "no chunker 'nope'; there are"),
        ("datasets:", "retrievers: [nope]\ndatasets:", "no retriever 'nope'; there are"),
        ("datasets:", "depth: 0\ndatasets:", "depth: .*greater than 0, got 0"),
        ("datasets:", "name: a/b\ndatasets:", "name: .*got 'a/b'"),
        ("datasets:", "datasets: [", "cannot be read: "),
        ("datasets:", "depth: '20'\ndatasets:", "depth: .*integer, got '20'"),
        ("datasets:", "depth: 1.0\ndatasets:", "depth: .*integer, got 1.0"),
        ("datasets:", "seed: true\ndatasets:", "seed: .*integer, got True"),
        ("datasets:", "depth: 1\ndepth: 2\ndatasets:", "the key 'depth' stands there twice"),
        ("recursive[size=800]", "recursive[size=1:40]", "size must be a whole number"),
        (
            "datasets:",
            "content: images\ndatasets:",
            "content: .*'tutorial', 'text', 'page_images' or 'dynamic', got 'images'",
        ),
        (GOOD, "- a", "must hold keys and values: name, datasets"),
        (GOOD, "", "must hold keys and values"),
    ],
)
def test_one_line_that_says_where_and_what_would_work(tmp_path, old, new, message):
    path = tmp_path / "tiny.yaml"
    assert old in GOOD
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SpecError, match=message) as error:
        read(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_name_that_no_run_can_have(tmp_path):
    path = tmp_path / "my spec.yaml"
    path.write_text(GOOD, encoding="utf-8")
    with pytest.raises(SpecError, match="add `name:` or rename the file"):
        read(path)
    path.write_text(f"name: mine\n{GOOD}", encoding="utf-8")
    assert read(path).name == "mine"


def test_long_values_are_shown_in_part(tmp_path):
    path = tmp_path / "tiny.yaml"
    path.write_text(GOOD.replace("[pydata-docs]", "x" * 5000), encoding="utf-8")
    with pytest.raises(SpecError) as error:
        read(path)
    assert len(str(error.value)) < 300


def test_not_utf8_or_not_there(tmp_path):
    path = tmp_path / "tiny.yaml"
    with pytest.raises(SpecError, match=r"cannot read the spec .*tiny.yaml: No such file"):
        read(path)
    path.write_bytes(b"name: \xff\n")
    with pytest.raises(SpecError, match="it is not UTF-8"):
        read(path)


@pytest.mark.parametrize("name", ["parent", "merge"])
def test_strategies_over_sections_need_a_chunker_that_makes_some(name):
    content = {"name": "x", "datasets": ["tiny"], "grids": [{"strategy": name}]}
    with pytest.raises(SpecError) as error:
        check(content | {"chunkers": ["markdown[size=200]", "recursive[size=200]"]}, "x")
    assert str(error.value) == (
        f"x: {name} needs sections, and recursive[size=200] makes none; "
        f"chunkers that do: markdown, page, parent_child"
    )
    check(content | {"chunkers": ["parent_child[size=100,parent_size=400]", "page"]}, "x")


@pytest.mark.parametrize("path", sorted(SPECS.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_spec_that_comes_with_it_can_be_run(path):
    spec = (read_sweep if path.stem.startswith("sweep") else read)(path)
    assert spec.name == path.stem
    for name in spec.datasets:
        assert name in DATASETS or (SPECS.parent / "datasets" / name / "manifest.json").is_file()


def test_the_spec_of_all_sets_has_one_split_of_each():
    named = read(SPECS / "all-local.yaml").datasets
    unverified = {"qasper", "squad", "squad-1.1"}
    assert set(DATASETS) - set(named) == {*unverified, "qmsum-test", "cmrc2018-trial"}

"""Datasets by name and by folder: which one is meant is never a guess."""

from __future__ import annotations

import pytest

from bench.data.errors import DatasetError
from bench.data.load import load


@pytest.fixture
def here(made, tmp_path, monkeypatch):
    """Stand beside folders called `tiny` and `mine`."""
    made("tiny", name="not ours")
    made("mine")
    monkeypatch.chdir(tmp_path / "data")


def test_names_and_paths(here, tmp_path):
    assert load("mine").name == load("./mine").name == load(str(tmp_path / "data/mine")).name
    assert load("./tiny").name == load("../data/tiny").name == "not ours"
    with pytest.raises(DatasetError, match=r"comes with rse-bench, and a folder here: .*'./tiny'"):
        load("tiny")


def test_a_name_is_ours_where_no_folder_has_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load("tiny").name == "tiny"


@pytest.mark.parametrize(
    "name", ["./tiny", "../datasets/tiny", "..", "", "nosuch", "x" * 5000, "a\0b", "/nowhere"]
)
def test_what_is_not_there(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DatasetError, match=r"^no dataset .*; there are: pydata-docs"):
        load(name)


@pytest.mark.parametrize(
    ("texts", "asked", "message"),
    [
        ({}, {"q": []}, "has no text"),
        ({"a": "", "b": " \n"}, {"q": []}, "has no text"),
        ({"a": "One."}, {}, "has no questions"),
    ],
)
def test_nothing_to_measure(made, texts, asked, message):
    with pytest.raises(DatasetError, match=message):
        load(made("empty", texts=texts, asked=asked))


@pytest.fixture
def beir(tmp_path):
    """Write a folder in BEIR's form, whose query has a document's id."""
    folder = tmp_path / "my [set]"
    (folder / "qrels").mkdir(parents=True)
    texts = {"corpus": '{"_id": "a", "title": "", "text": "One."}\n{"_id": "q", "text": "Two."}\n'}
    texts["queries"] = '{"_id": "q", "text": "Which?"}\n'
    for name, text in texts.items():
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    (folder / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq\ta\t1\n", "utf-8")
    return folder


def test_a_beir_folder_takes_its_split_and_what_to_ignore(beir):
    found = load(f"{beir}[split=dev]")
    assert [question.scope for question in found.questions] == [None]
    found = load(f"{beir}[split=dev, ignore_same_id=true]")
    assert [question.scope for question in found.questions] == [("a",)]
    for options, message in (
        ("split=test", "test"),
        ("splitt=dev", "takes split=NAME and ignore_same_id=true, got splitt=dev"),
        ("ignore_same_id=7", "got ignore_same_id=7"),
        ("split", "cannot read 'split'"),
    ):
        with pytest.raises(DatasetError, match=message):
            load(f"{beir}[{options}]")

"""Upstream's files: where they may stand, and what is said when they do not."""

from __future__ import annotations

import json

import pytest

from bench.catalog import DATASETS
from bench.data.cards import card, folder_of, raw_folder
from bench.data.errors import DatasetError, MissingError

INSIDE = "chunking_evaluation/evaluation_framework/general_evaluation_data"


@pytest.mark.parametrize(
    "place",
    [
        "",
        "chunking_evaluation",
        INSIDE,
        f"chunking_evaluation/{INSIDE}",
        f"chunking_evaluation/src/{INSIDE}",
    ],
)
def test_files_are_found_in_a_clone_as_well(tmp_path, place):
    folder = tmp_path / place
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "questions_df.csv").write_text("", encoding="utf-8")
    assert raw_folder(tmp_path, "chunking_evaluation", "questions_df.csv") == folder


@pytest.mark.parametrize("name", ["chunking_evaluation", "qmsum"])
def test_the_command_that_gets_them_names_the_folder_and_the_revision(tmp_path, name):
    with pytest.raises(DatasetError) as error:
        raw_folder(tmp_path, name, "needed")
    said, target = card(name), tmp_path / name
    assert f"expected {target}/needed" in str(error.value)
    command = f"git clone {said['source']} {target} && git -C {target} checkout {said['revision']}"
    assert f"`{command}`" in str(error.value)
    with pytest.raises(DatasetError, match=f"expected RAW/{name}/needed"):
        raw_folder(None, name, "needed")


def test_without_a_checkout_it_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("bench.data.cards.CARDS", tmp_path)
    with pytest.raises(DatasetError, match=r"run rse-bench from a checkout"):
        folder_of("pydata-docs")
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "card.json").write_text(json.dumps({"name": "x"}), encoding="utf-8")
    assert card("x") == {"name": "x"}


@pytest.mark.parametrize(
    ("card_name", "needed", "dataset"),
    [
        ("xquad", "xquad.zh.json", "xquad-zh"),
        ("dragonball", "finance/en/config", "dragonball-en"),
        ("qmsum", "data/ALL/test", "qmsum-test"),
        ("cmrc2018", "squad-style-data/cmrc2018_dev.json", "cmrc2018"),
        ("covid_qa", "200423_covidQA.json", "covid_qa"),
    ],
)
def test_the_command_names_the_dataset_that_needs_the_file(tmp_path, card_name, needed, dataset):
    with pytest.raises(MissingError, match=f"`rse-bench data get {dataset}` downloads them"):
        raw_folder(tmp_path, card_name, needed)
    assert dataset in DATASETS

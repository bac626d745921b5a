"""The page over several runs says what their summaries say."""

from __future__ import annotations

import csv
import json
import shutil
from dataclasses import replace

import pytest

from bench.errors import UserError
from bench.report.readme import read_summary
from bench.report.retrieval import page, write
from bench.report.table import interval

GRIDS = [{"strategy": "topk", "params": {"k": [2]}}, {"strategy": "rse", "scores": ["minmax"]}]


@pytest.fixture
def runs(bench, made, tmp_path):
    def keep(name, retrievers):
        outcome = bench(made(name), grids=GRIDS, retrievers=retrievers)
        shutil.copytree(outcome.folder, tmp_path / f"run {name}")
        return replace(outcome, folder=tmp_path / f"run {name}")

    return [keep("one", ["minilm", "bm25"]), keep("two", ["hybrid"])]


def test_one_table_for_each_dataset(runs, tmp_path):
    write(tmp_path / "out", [run.folder for run in runs])
    text = (tmp_path / "out" / "retrieval.md").read_text(encoding="utf-8")
    assert [line for line in text.split("\n") if line.startswith("## ")] == [
        "## one",
        "## two",
        "## Made with",
    ]
    rows = [line.split(" | ")[:3] for line in text.split("\n") if line.startswith("| ")]
    assert [[cell.strip("| ") for cell in row[:2]] for row in rows] == [
        ["retriever", "strategy"],
        ["minilm", "topk\\[k=2\\]"],
        ["minilm", "rse / minmax"],
        ["bm25", "topk\\[k=2\\]"],
        ["bm25", "rse / minmax"],
        ["retriever", "strategy"],
        ["hybrid", "topk\\[k=2\\]"],
        ["hybrid", "rse / minmax"],
    ]
    summary = [row for run in runs for row in run.summary]
    said = [row[2].replace("\\", "") for row in rows if row[0] != "| retriever"]
    assert said == [interval(row, "recall") for row in summary]


def test_numbers_are_kept_as_they_were(runs, tmp_path):
    write(tmp_path, [run.folder for run in runs])
    facts = json.loads((tmp_path / "retrieval.json").read_text(encoding="utf-8"))
    summary = [row for run in runs for row in run.summary]
    for row, expected in zip(facts["rows"], summary, strict=True):
        assert row["retriever"] == expected["retriever"]
        assert row["mean_recall"] == pytest.approx(expected["mean_recall"], abs=1e-6)
    assert [family["dataset"] for family in facts["families"]] == ["one", "one", "two"]


@pytest.mark.parametrize(("share", "marked"), [("0.4", True), ("0.1", False), ("", False)])
def test_a_language_that_is_not_covered_is_marked(runs, share, marked):
    manifest = json.loads((runs[1].folder / "manifest.json").read_text(encoding="utf-8"))
    path = runs[1].folder / "summary.csv"
    with path.open(encoding="utf-8", newline="") as lines:
        rows = [row | {"unknown_token_share": share} for row in csv.DictReader(lines)]
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    text = page([manifest], read_summary(path))
    assert ("| hybrid (does not cover the language) | topk" in text) == marked


def test_a_folder_without_a_run(tmp_path):
    with pytest.raises(UserError, match="holds no finished run"):
        write(tmp_path / "out", [tmp_path])

"""Stored answers measured anew: the same numbers, and metrics of one's own."""

from __future__ import annotations

import csv
import json
from math import isnan
from pathlib import Path

import pytest

from bench.errors import RunError, UserError
from bench.score import score
from bench.store.folder import ResultsError
from bench.store.records import CURVES, RECORDS, read, save

GRIDS = [{"strategy": "topk", "params": {"k": [1, 3]}}, {"strategy": "rse", "scores": ["minmax"]}]
DERIVED = ("summary", "comparisons", "frontiers", "strata", "rankings")
METRICS = """
from math import nan

def words(spans, gold):
    return len(spans) + 0.5

def sometimes(spans, gold):
    return None if len(spans) == 1 else 1

def broken(spans, gold):
    raise KeyError("no")

def endless(spans, gold):
    return float("inf")

def numeral(spans, gold):
    return "0.5"

def leaving(spans, gold):
    raise SystemExit(3)

def wordy(spans, gold):
    return "many"

number = 3

def recall(spans, gold):
    return 0
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    (tmp_path / "my_metrics.py").write_text(METRICS, encoding="utf-8")
    (tmp_path / "wrong_metrics.py").write_text("raise ValueError('at once')", encoding="utf-8")
    (tmp_path / "leaving_metrics.py").write_text("raise SystemExit(5)", encoding="utf-8")
    (tmp_path / "torn_metrics.py").write_text("def words(", encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def column(folder, name):
    with (folder / "summary.csv").open(encoding="utf-8", newline="") as lines:
        return [row[name] for row in csv.DictReader(lines)]


def test_a_run_scored_again_is_the_same(bench, made):
    folder = bench(made(), grids=GRIDS).folder
    before = {name: (folder / f"{name}.csv").read_bytes() for name in DERIVED}
    kept = read(folder / RECORDS), read(folder / CURVES)
    found = score(folder, None)
    assert found.changed == {}
    assert found.records == len(kept[0])
    assert {name: (folder / f"{name}.csv").read_bytes() for name in DERIVED} == before
    assert (read(folder / RECORDS), read(folder / CURVES)) == kept


def test_a_wrong_number_is_put_right_and_counted(bench, made):
    folder = bench(made(), grids=GRIDS).folder
    rows = read(folder / RECORDS)
    right = column(folder, "mean_recall")
    for row in rows[:2]:
        row |= {"recall": 0.125, "tokens": row["tokens"] + 1}
    save(folder / RECORDS, rows)
    found = score(folder, None)
    assert found.changed == {"recall": 2, "tokens": 2}
    assert column(folder, "mean_recall") == right


def test_metrics_of_ones_own(bench, made, mine):
    folder = bench(made(), grids=GRIDS).folder
    found = score(folder, None, ["my_metrics:words", "my_metrics:sometimes"])
    top1, top3, _ = found.summary
    assert top1["mean_words"] == 1.5
    assert (top3["mean_words"], top3["mean_sometimes"]) == (3.5, 1)
    assert isnan(top1["mean_sometimes"])
    assert "| words | sometimes |" in (folder / "report.md").read_text(encoding="utf-8")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    added = {"words": "my_metrics:words", "sometimes": "my_metrics:sometimes"}
    assert manifest["scored"]["added"] == added


def test_what_was_added_stays(bench, made, mine):
    place = made()
    folder = bench(place, grids=GRIDS).folder
    score(folder, None, ["my_metrics:words"])
    before = column(folder, "mean_words")
    again = score(folder, None, ["my_metrics:sometimes"])
    assert again.kept == {"words": "my_metrics:words"}
    bench(place, grids=[*GRIDS, {"strategy": "topk", "params": {"k": [2]}}])
    assert column(folder, "mean_words") == [*before, ""]
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert set(manifest["scored"]["added"]) == {"words", "sometimes"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("words", r"cannot read the metric 'words'; write it like my_metrics:first_word"),
        ("my_metrics:", r"cannot read the metric"),
        ("my_metrics:word", r"there is no metric 'my_metrics:word': "),
        ("no_such_module:words", r"there is no metric 'no_such_module:words'"),
        ("my_metrics:number", r"'my_metrics:number' is no function"),
        ("wrong_metrics:words", r"'wrong_metrics:words' cannot be imported: ValueError: at once"),
        ("torn_metrics:words", r"'torn_metrics:words' cannot be imported: SyntaxError: "),
        ("leaving_metrics:words", r"'leaving_metrics:words' cannot be imported: SystemExit: 5"),
        ("my_metrics:failed", r"'my_metrics:failed' has the name of one that is there"),
        ("my_metrics:seconds_select", r"'my_metrics:seconds_select' has the name of one"),
        ("my_metrics:recall", r"'my_metrics:recall' has the name of one that is there"),
    ],
)
def test_what_is_no_metric(bench, made, mine, text, said):
    folder = bench(made(), grids=GRIDS).folder
    before = (folder / RECORDS).read_bytes()
    with pytest.raises(UserError, match=said):
        score(folder, None, [text])
    assert (folder / RECORDS).read_bytes() == before


@pytest.mark.parametrize("name", ["broken", "endless", "wordy", "numeral", "leaving"])
def test_a_metric_that_fails_changes_nothing(bench, made, mine, name):
    folder = bench(made(), grids=GRIDS).folder
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    with pytest.raises(RunError, match=rf"the metric {name} failed on question q1, topk\[k=1\]"):
        score(folder, None, [f"my_metrics:{name}"])
    assert {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()} == before


def test_two_of_the_same_name(bench, made, mine):
    folder = bench(made(), grids=GRIDS).folder
    with pytest.raises(UserError, match="two metrics are called 'words'"):
        score(folder, None, ["my_metrics:words", "my_metrics:words"])


def test_data_that_has_changed_is_refused(bench, made):
    place = made()
    folder = bench(place, grids=GRIDS).folder
    with (Path(place) / "documents.jsonl").open("a", encoding="utf-8") as out:
        out.write(json.dumps({"id": "new", "text": "More."}) + "\n")
    with pytest.raises(ResultsError, match="has changed since the run"):
        score(folder, None)


def test_where_there_are_no_results(tmp_path):
    with pytest.raises(ResultsError, match="holds no results"):
        score(tmp_path, None)

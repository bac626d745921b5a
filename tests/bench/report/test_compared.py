"""Every arm against a baseline: rows, section and CSV."""

from __future__ import annotations

import csv
import io
from itertools import groupby
from math import isnan, nan

import numpy as np
import pytest

from bench.errors import UserError
from bench.report.cells import csv_of
from bench.report.compared import comparisons_markdown
from bench.stats.holm import holm
from bench.store.records import RECORDS, read, record_of
from bench.summary.arms import summarise
from bench.summary.comparisons import MEASURES
from bench.summary.comparisons import comparisons as compared
from bench.summary.resampling import Resampling
from bench.types import Context, Record

N = 24
TOP, RSE, FLAT, OTHER = (
    f"{name} / c / r" for name in ("topk / none", "rse / minmax", "rse / none", "topk[k=3] / none")
)
BM25 = "rse / none / c / bm25"
RNG = np.random.default_rng(11)


def comparisons(records, numbers, seed, baseline=None):
    return compared(records, Resampling(numbers, seed), baseline)


def record(arm, number, recall, tokens, dataset="data"):
    metrics = {"recall": recall, "recall_at_1000": recall, "precision": recall / 2}
    seconds = dict.fromkeys(("select",), (0.001,))
    return Record(dataset, arm, f"q{number}", Context((), tokens), (), 0, seconds, metrics)


def arm(name, shift, tokens, n=N, dataset="data"):
    recall = [(place % 4) / 8 + shift for place in range(n)]
    return [record(name, place, r, tokens + place, dataset) for place, r in enumerate(recall)]


def cluster(n=N, *datasets):
    return {name: {f"q{place}": place for place in range(n)} for name in datasets or ("data",)}


RECORDS_OF_FOUR = [
    *arm(RSE, 0.25, 50),
    *arm(TOP, 0, 100),
    *arm(FLAT, 0, 150),
    *arm(OTHER, -0.25, 9),
]
ROWS = comparisons(RECORDS_OF_FOUR, cluster(), 0)


def one(rows, name, measure="recall"):
    (found,) = [row for row in rows if (row["arm"], row["measure"]) == (name, measure)]
    return found


def test_one_row_per_measure_and_arm_but_the_baseline():
    names = [(row["measure"], row["arm"]) for row in ROWS]
    assert names == [(m.name, name) for m in MEASURES for name in (RSE, FLAT, OTHER)]
    assert {row["baseline"] for row in ROWS} == {TOP}


def test_by_hand():
    row = one(ROWS, RSE)
    assert [row[name] for name in ("difference", "low_difference", "high_difference")] == (
        pytest.approx([0.25] * 3)
    )
    assert (row["mean"], row["mean_baseline"]) == pytest.approx((0.1875 + 0.25, 0.1875))
    assert (row["p"], row["p_holm"]) == (0.0001, pytest.approx(0.0003))
    assert (row["wins"], row["ties"], row["losses"], row["n"], row["left_out"]) == (N, 0, 0, N, 0)
    assert isnan(row["effect_size"])
    assert row["resampled_by"] == "cluster"
    said = {name: one(ROWS, name)["verdict"] for name in (RSE, FLAT, OTHER)}
    assert said == {RSE: "better", FLAT: "no difference shown", OTHER: "worse"}


def test_fewer_tokens_are_better():
    found = {name: one(ROWS, name, "tokens") for name in (RSE, FLAT)}
    assert (found[RSE]["difference"], found[FLAT]["difference"]) == (-50, 50)
    assert (found[RSE]["wins"], found[FLAT]["wins"]) == (N, 0)
    assert (found[RSE]["verdict"], found[FLAT]["verdict"]) == ("better", "worse")


def test_holm_over_the_arms_of_a_table():
    noisy = [
        record(name, place, RNG.random() + shift, 10)
        for name, shift in ((TOP, 0), (RSE, 0.25), (FLAT, 0.1), (OTHER, 0))
        for place in range(N)
    ]
    for _, table in groupby(comparisons(noisy, cluster(), 0), lambda row: row["measure"]):
        rows = list(table)
        assert [row["p_holm"] for row in rows] == holm([row["p"] for row in rows]).tolist()


def test_every_family_has_its_own_baseline():
    records = [*arm(BM25, 0, 9), *arm("random / none / c / bm25", 0, 9), *arm(RSE, 0, 9)]
    rows = comparisons([*records, *arm(TOP, 0, 9), *arm(OTHER, 0, 9)], cluster(), 0)
    baselines = {row["arm"]: row["baseline"] for row in rows}
    assert baselines == {"random / none / c / bm25": BM25, RSE: TOP, OTHER: TOP}


def test_one_baseline_for_all_families():
    records = [*arm(BM25, 0, 9), *arm(RSE, 0.25, 9), *arm(TOP, 0, 9)]
    rows = comparisons(records, cluster(), 0, baseline=RSE)
    assert {row["arm"]: row["baseline"] for row in rows} == {BM25: RSE, TOP: RSE}
    assert one(rows, BM25)["verdict"] == "worse"
    assert f"| {BM25} |" in comparisons_markdown(rows)


def test_a_baseline_that_is_not_there():
    with pytest.raises(
        UserError, match=r"data has no arm 'topk'; there are: rse / minmax / c / r; "
    ):
        comparisons(RECORDS_OF_FOUR, cluster(), 0, baseline="topk")


def test_nothing_to_compare():
    rows = comparisons(arm(TOP, 0, 9), cluster(), 0)
    assert rows == comparisons([], {}, 0) == []
    assert comparisons_markdown(rows) == ""
    assert comparisons(arm(TOP, 0, 9), cluster(), 0, baseline=TOP) == []


def test_datasets_stand_apart():
    records = [*arm(TOP, 0, 9, 19, "one"), *arm(RSE, 0.25, 9, 19, "one")]
    records += [*arm(TOP, 0, 9, dataset="two"), *arm(RSE, 0.25, 9, dataset="two")]
    rows = comparisons(records, cluster(N, "one", "two"), 0)
    found = {row["dataset"]: row for row in rows if row["measure"] == "recall"}
    assert found["one"]["verdict"] == "too few questions"
    assert (found["two"]["verdict"], found["two"]["p_holm"]) == ("better", 0.0001)
    assert [found[name]["resampled_by"] for name in found] == ["question", "cluster"]
    text = comparisons_markdown(rows)
    assert text.index("### one: compared") < text.index("### two: compared")
    assert text.count("fewer than 20 clusters") == 1


def test_questions_without_gold_are_left_out_and_counted():
    extra = [record(name, N, nan, tokens) for name, tokens in ((TOP, 0), (RSE, 9999))]
    rows = comparisons([*RECORDS_OF_FOUR[: 2 * N], *extra], cluster(N + 1), 0)
    for row in rows:
        assert (row["n"], row["left_out"]) == (N, 1)
    assert one(rows, RSE, "tokens")["difference"] == -50
    assert "| 24 (1 left out) |" in comparisons_markdown(rows)


def test_means_are_those_of_the_pairs():
    hole = record(RSE, 3, nan, 50)
    rows = comparisons([r for r in RECORDS_OF_FOUR if r.question != "q3"], cluster(), 0)
    holed = [hole if (r.arm, r.question) == (RSE, "q3") else r for r in RECORDS_OF_FOUR]
    with_hole = one(comparisons(holed, cluster(), 0), RSE)
    assert (with_hole["n"], with_hole["left_out"]) == (N - 1, 1)
    for name in ("mean", "mean_baseline", "difference"):
        assert with_hole[name] == pytest.approx(one(rows, RSE)[name])


def test_without_any_gold_only_tokens_are_compared():
    records = [record(name, place, nan, 9 + place) for name in (TOP, RSE) for place in range(N)]
    rows = comparisons(records, cluster(), 0)
    assert (one(rows, RSE, "tokens")["n"], one(rows, RSE)["n"]) == (N, 0)
    assert one(rows, RSE)["verdict"] == "too few questions"
    assert "| rse / minmax | - | - | - | 0 / 0 / 0 | - | 0 (24 left out) |" in (
        comparisons_markdown(rows)
    )


def test_the_section():
    up, down = "(+25.0 to +25.0)", "(-25.0 to -25.0)"
    lines = comparisons_markdown(ROWS).splitlines()
    assert lines[0] == "### data: compared with topk / none / c / r"
    assert "corrected for the 3 arms of a table. Both draw whole clusters." in lines[2]
    begin = lines.index("Recall, points:")
    assert lines[begin + 2 : begin + 7] == [
        "| arm | difference | p | p Holm | wins / ties / losses | d | n | verdict |",
        "|---|--:|--:|--:|--:|--:|--:|---|",
        f"| rse / minmax | +25.0 {up} | 0.0001 | 0.0003 | 24 / 0 / 0 | - | 24 | better |",
        "| rse | 0.0 (0.0 to 0.0) | 1 | 1 | 0 / 24 / 0 | - | 24 | no difference shown |",
        f"| topk\\[k=3\\] | -25.0 {down} | 0.0001 | 0.0003 | 0 / 0 / 24 | - | 24 | worse |",
    ]
    assert "| -50 (-50 to -50) |" in lines[lines.index("Tokens; fewer is better:") + 4]
    assert "patterns are too few" not in lines[3]


def test_too_many_arms_for_the_patterns_drawn():
    many = [{**ROWS[0], "arm": f"{place}"} for place in range(501)]
    assert "With 501 arms, 9,999 patterns are too few for any verdict." in (
        comparisons_markdown(many)
    )
    assert "too few for any" not in comparisons_markdown(many[:500])


def test_csv_reads_back_and_undefined_is_empty():
    rows = list(csv.DictReader(io.StringIO(csv_of(ROWS))))
    assert [row["arm"] for row in rows] == [row["arm"] for row in ROWS]
    assert rows[0]["effect_size"] == ""
    assert (rows[0]["difference"], rows[0]["wins"], rows[0]["p_holm"]) == ("0.25", "24", "0.0003")
    assert "nan" not in csv_of(ROWS)
    assert csv_of([]) == "dataset\n"


def test_the_same_again_whatever_the_order_of_the_records():
    mixed = [RECORDS_OF_FOUR[place] for place in np.random.default_rng(0).permutation(4 * N)]
    mixed.sort(key=lambda found: (RSE, TOP, FLAT, OTHER).index(found.arm))
    again = comparisons(mixed, cluster(), 0)
    assert csv_of(comparisons(RECORDS_OF_FOUR, cluster(), 0)) == csv_of(ROWS)
    kept = ("arm", "difference", "wins", "n", "verdict")
    assert [[r[k] for k in kept] for r in again] == [[r[k] for k in kept] for r in ROWS]


def test_agrees_with_the_summary_of_a_run(bench, made):
    folder = bench(made(), grids=[{"strategy": "topk", "params": {"k": [1, 2]}}]).folder
    records = [record_of(row) for row in read(folder / RECORDS)]
    numbers = {"made": {f"q{place}": place for place in range(1, 5)}}
    rows = comparisons(records, numbers, 0)
    means = {row["arm"]: row for row in summarise(records, [], Resampling(numbers, 0))}
    for row in rows:
        name = f"mean_{row['measure']}"
        assert row["mean"] == pytest.approx(means[row["arm"]][name])
        assert row["mean_baseline"] == pytest.approx(means[row["baseline"]][name])
        assert row["verdict"] == "too few questions"
    assert len(rows) == len(MEASURES)

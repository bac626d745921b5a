"""Kinds of questions: kept with the run, compared with the baseline in each."""

from __future__ import annotations

from bench.summary.resampling import Resampling
from bench.summary.strata import MOST, strata_rows, to_keep
from bench.types import Context, Question, Record, Span

N = 48
NAMES = [f"q{i}" for i in range(N)]


def asked(number, **tags):
    gold = ((Span("d", 0, 10 + number % 2),),)
    return Question(f"q{number}", "?", gold, tags=tags)


def records(arm, recall):
    return [
        Record("data", f"{arm} / c / r", name, Context((), 9), (), 0, {}, {"recall": value})
        for name, value in zip(NAMES, recall, strict=True)
    ]


def test_what_tells_none_apart_is_not_kept():
    same = [asked(0, language="en", kind="a") for _ in range(3)]
    assert to_keep(same) == []
    found = to_keep([asked(0, kind="a"), asked(1, kind="b"), asked(2, kind="a")])
    assert [(one["by"], one["name"], one["questions"]) for one in found] == [
        ("gold_characters", "10", [0, 2]),
        ("gold_characters", "11", [1]),
        ("tag_kind", "a", [0, 2]),
        ("tag_kind", "b", [1]),
    ]


def test_a_tag_of_many_values_is_a_name():
    def bys(values):
        return {one["by"] for one in to_keep([asked(0, page=str(i)) for i in range(values)])}

    assert (bys(MOST), bys(MOST + 1)) == ({"tag_page"}, set())


def test_an_arm_that_is_better_on_one_kind_only():
    kept = to_keep([asked(i, kind="hard" if i % 2 else "easy") for i in range(N)])
    resampling = Resampling({"data": {name: i for i, name in enumerate(NAMES)}}, 0)
    rows = strata_rows(
        [*records("topk / none", [0.5] * N), *records("rse / none", [0.5, 0.75] * (N // 2))],
        {"data": kept},
        resampling,
    )
    found = {
        (row["stratum"], row["arm"].split(" / ")[0]): row for row in rows if row["by"] == "tag_kind"
    }
    assert found["hard", "rse"]["verdict"] == "better"
    assert found["easy", "rse"]["verdict"] == "no difference shown"
    assert found["hard", "topk"]["verdict"] == ""
    assert (found["hard", "rse"]["mean"], found["hard", "rse"]["n"]) == (0.75, N // 2)
    assert {row["baseline"] for row in rows} == {"topk / none / c / r"}


def test_a_run_without_kinds_has_no_rows():
    assert strata_rows(records("topk / none", [1.0] * N), {}, Resampling({}, 0)) == []

"""Questions a second, so many at a time: measured in turn, written down, shown in the report."""

from __future__ import annotations

import csv
import threading
from time import sleep

import pytest

from bench import throughput as module
from bench.answer import Answering
from bench.progress import Progress
from bench.report.write import rebuild
from bench.spec import check
from bench.throughput import Plan, throughput

GRIDS = [{"strategy": "topk", "params": {"k": [1, 3]}}]


@pytest.fixture
def measured(bench, made, tmp_path):
    """Measure the made-up set after a run of it."""
    place = made()
    folder = bench(place, grids=GRIDS).folder

    def measure(**plan):
        content = {"name": "x", "datasets": [place], "chunkers": ["fixed[size=36]"]}
        spec = check({**content, "grids": GRIDS}, "x")
        return throughput(spec, folder, None, Plan(**plan), Progress())[0]

    measure.folder = folder
    return measure


def test_a_row_for_each_number_at_a_time(measured):
    rows = measured(questions=2, repetitions=3)
    assert [(row["arm"], row["concurrency"]) for row in rows] == [
        ("topk[k=1] / none", number) for number in (1, 2, 4)
    ]
    for row in rows:
        assert 0 < row["slowest"] <= row["questions_per_second"] <= row["fastest"]
        assert (row["questions"], row["repetitions"]) == (2, 3)
    assert rows[0]["ratio"] == 1
    with (measured.folder / "throughput.csv").open(encoding="utf-8", newline="") as lines:
        assert [row["concurrency"] for row in csv.DictReader(lines)] == ["1", "2", "4"]


def test_all_arms(measured):
    rows = measured(questions=1, repetitions=1, all_arms=True, concurrency=(1,))
    assert [row["arm"] for row in rows] == ["topk[k=1] / none", "topk[k=3] / none"]


@pytest.mark.parametrize("number", [1, 4])
def test_so_many_are_under_way_at_a_time(measured, monkeypatch, number):
    under_way, most, lock = [], [], threading.Lock()
    serve = Answering.serve

    def slow(self, arm, question, before=()):
        with lock:
            under_way.append(question)
            most.append(len(under_way))
        sleep(0.05)
        try:
            return serve(self, arm, question, before)
        finally:
            with lock:
                under_way.remove(question)

    monkeypatch.setattr(module.Answering, "serve", slow)
    (row,) = measured(questions=4, repetitions=1, concurrency=(number,))
    assert max(most) == number
    assert row["questions_per_second"] < 20 * number


def test_the_report_shows_it_from_then_on(measured):
    report = measured.folder / "report.md"
    assert "## Throughput" not in report.read_text(encoding="utf-8")
    measured(questions=2, repetitions=1)
    rebuild(measured.folder)
    text = report.read_text(encoding="utf-8")
    assert "## Throughput\n" in text
    assert "| 2 | 1 |" in text
    (measured.folder / "throughput.csv").write_text("", encoding="utf-8")
    for damage in ("", "a,b\n1,2\n", "\x00"):
        (measured.folder / "throughput.csv").write_text(damage, encoding="utf-8")
        rebuild(measured.folder)
    assert "throughput.csv is damaged" in report.read_text(encoding="utf-8")


def test_what_is_not_here_is_left_out_and_the_limit_holds(bench, made, tmp_path):
    bench(made(), grids=GRIDS)
    content = {"name": "x", "datasets": ["qmsum", str(tmp_path / "data" / "made")], "limit": 2}
    spec = check({**content, "chunkers": ["fixed[size=36]"], "grids": GRIDS}, "x")
    plan = Plan(questions=3, repetitions=1)
    rows, missing = throughput(spec, tmp_path / "other", tmp_path, plan, Progress())
    assert {row["questions"] for row in rows} == {2}
    assert "qmsum" in missing[0]

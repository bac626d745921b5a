"""A thousand settings on 472 questions: in seconds, and as dsRAG's functions select."""

from __future__ import annotations

import pytest

from bench.data.load import load
from bench.perf.sweeping.__main__ import BOUND, MEMORY, page
from bench.perf.sweeping.contest import contest, settings
from bench.progress import Progress
from bench.sweep.prepare import held
from bench.sweep.searched import Wanted


def test_a_thousand_different_settings():
    names = [one.arm.strategy for one in settings()]
    assert len(names) == len(set(names)) == 1000


def test_the_page_of_a_small_one(tmp_path, monkeypatch):
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))
    found = held(load("tiny", None), "recursive[size=200] / bm25", Wanted(50), None, Progress())
    pytest.importorskip("dsrag", reason="make setup installs it")
    timed = contest(found.searched, settings()[::50], 50)
    assert (timed.settings, timed.dsrag_settings) == (20, 10)
    assert timed.ratio > 1
    assert "times** as long for a setting" in page(timed, "tiny", None)


@pytest.mark.outside
def test_what_is_promised(shared, tmp_path, monkeypatch):
    """By BM25: nothing is embedded, and a setting has as many hits to look at."""
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))
    dataset = load("chunking_evaluation", shared / "data")
    found = held(dataset, "recursive[size=800] / bm25", Wanted(200), None, Progress()).searched
    timed = contest(found, settings(), 200)
    assert (timed.settings, timed.questions) == (1000, 472)
    assert timed.measured + timed.summed_up < BOUND
    assert timed.peak_megabytes < MEMORY
    assert timed.ratio is None or timed.ratio > 20

"""Where nobody watches there are no bars; long work says a line now and then."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from bench import progress
from bench.progress import Progress


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def shown():
    """Progress on something that is no terminal."""
    made, written = Progress(), io.StringIO()
    made._console = Console(file=written, width=20)
    return made, written


def test_short_work_says_nothing(shown, clock):
    made, written = shown
    with made.bar("work") as report:
        for done in range(100):
            clock[0] += 0.09
            report(done, 100)
        clock[0] += 100
        report(100, 100)  # what is done needs no line
    assert written.getvalue() == ""


def test_long_work_says_a_line_now_and_then(shown, clock):
    made, written = shown
    with made.bar("embedding with [a] model") as report:
        report(1000, 2000)  # was in the cache
        for done in range(1001, 1081):
            clock[0] += 1
            report(done, 2000)
    assert written.getvalue().splitlines() == [
        "embedding with [a] model: 1,010 of 2,000, 990 s left",
        "embedding with [a] model: 1,070 of 2,000, 930 s left",
    ]


def test_every_item_is_given(shown):
    made, _ = shown
    assert list(made.track(["a", "b"], "work")) == ["a", "b"]
    with made.bar("work") as report:
        report(0, 0)

"""Several at once, in order, and no more after the first failure."""

from __future__ import annotations

import threading
import time

import pytest

from bench.endpoints.together import together


def test_results_are_in_order_though_the_work_is_not():
    gate = threading.Barrier(3)  # breaks unless three are under way at once

    def action(n):
        gate.wait(5)
        time.sleep(0.02 * (3 - n % 3))
        return n * n

    told = []
    found = together(action, range(6), lambda done, of: told.append((done, of)), at_once=3)
    assert found == [0, 1, 4, 9, 16, 25]
    assert told == [(n, 6) for n in range(7)]


def test_nothing():
    told = []
    assert together(str, [], lambda done, of: told.append((done, of))) == []
    assert told == [(0, 0)]


def test_the_first_failure_in_order_is_raised_and_the_rest_not_begun():
    begun = []

    def action(n):
        begun.append(n)
        time.sleep(0.05 if n == 1 else 0.0)
        if n in (1, 2):
            raise ValueError(f"number {n}")
        time.sleep(0.02)

    with pytest.raises(ValueError, match="number 1"):
        together(action, range(100), at_once=2)
    assert len(begun) < 50

"""The comparison with earlier figures, and the tables of the page, on made-up rows."""

from __future__ import annotations

from math import nan

import pytest

from bench.engine import earlier
from bench.engine.earlier import (
    RSE,
    SHORT,
    Figure,
    margin,
    preset,
    recall,
    segments,
    table,
    weights,
)
from bench.engine.families import BUDGETS
from bench.engine.page import AIM, SHOWN, aim
from bench.engine.page import table as page_table

POOL = f"{SHORT} / recursive[size=800]"


def row(family, recall, margin, low, high, pool=POOL):
    """One family at every budget; its margin over RSE is a tenth of that over top-k."""
    return [
        {
            "pool": pool,
            "family": family,
            "mean_tokens": budget,
            "recall": recall,
            "margin": margin,
            "low_margin": low,
            "high_margin": high,
            "margin_rse": margin / 10,
            "low_rse": low / 10,
            "high_rse": high / 10,
        }
        for budget in BUDGETS
    ]


TABLES = {
    "families": row("topk", 0.7, 0, 0, 0) + row(RSE, nan, 0.031, 0.01, 0.05),
    "presets": [
        {
            "pool": POOL, "preset": "balanced / none", "mean_tokens": 1234.4, "empty": 0.1,
            "margin": -0.05, "low_margin": -0.06, "high_margin": 0.01,
        }
    ],
    "costs": [
        {"pool": POOL, "segment_cost": cost, "segments": count}
        for cost, count in ((0.0, 2.46), (0.0, 3.0), (0.3, 9.0))
    ],
    "weights": [
        {"pool": POOL, "form": form, "mean": mean}
        for form, mean in (("share[score]", 13.86), ("share[score]", -0.5), ("other", 1.0))
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("read", "shown"),
    [
        (recall("topk"), "70.0 70.0 70.0 70.0"),
        (recall(RSE), "- - - -"),
        (margin(RSE), "+3.1* +3.1* +3.1* +3.1*"),
        (preset("balanced / none"), "-5.0 at 1,234 tokens, 10% empty"),
        (segments, "2.5 3.0"),
        (weights, "13.86 -0.50"),
    ],
)
def test_our_numbers_are_read_from_the_rows_of_the_pool(read, shown, monkeypatch):
    monkeypatch.setattr(earlier, "FIGURES", (Figure(SHORT, 800, "what", "1 2", read),))
    assert table(TABLES, {}).splitlines()[-1] == f"| {SHORT} 800: what | 1 2 | {shown} | - |"
    monkeypatch.setattr(earlier, "FIGURES", (Figure(SHORT, 400, "what", "1 2", read),))
    assert table(TABLES, {}).endswith("| 1 2 | - | - |")


def test_the_set_without_repeats_has_a_column_of_its_own(monkeypatch):
    monkeypatch.setattr(earlier, "FIGURES", (Figure(SHORT, 800, "what", "1", recall("topk")),))
    other = f"{SHORT} without repeats / recursive[size=800]"
    found = table(TABLES, {"families": row("topk", 0.8, 0, 0, 0, other)})
    assert found.endswith("| 1 | 70.0 70.0 70.0 70.0 | 80.0 80.0 80.0 80.0 |")


def test_the_page_shows_what_there_is_and_holds_the_price_against_rse():
    families = row("topk", 0.7, 0, 0, 0) + row("oracle", 1.0, 0.3, 0.2, 0.4)
    for name in [next(iter(SHOWN)), *AIM]:
        families += row(name, 0.8, 0.1, -0.1, 0.3)
    lines = page_table(families).splitlines()
    assert lines[2] == f"| **{POOL}**: top-k, recall % | 70.0 | 70.0 | 70.0 | 70.0 |"
    assert len(lines) == 3 + 3 + 1
    assert lines[3].endswith("| +10.0 | +10.0 | +10.0 | +10.0 |")
    assert lines[-1] == "| oracle, recall % | 100.0 | 100.0 | 100.0 | 100.0 |"
    cell = "+1.0: -1.0 to +3.0"
    assert aim(families).splitlines()[2] == f"| {POOL}: cosine | {' | '.join([cell] * 4)} |"

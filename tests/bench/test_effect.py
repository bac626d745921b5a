"""Axes that change nothing are found, and no others."""

from __future__ import annotations

import json


def axes(outcome):
    manifest = json.loads((outcome.folder / "manifest.json").read_text(encoding="utf-8"))
    return [(one["strategy"], one["axis"], one["values"]) for one in manifest["no_effect"]]


def test_an_axis_without_effect_is_named(bench, made):
    grids = [
        {"strategy": "topk", "params": {"k": [1, 2]}, "scores": ["none", "max"]},
        {"strategy": "random", "params": {"k": [100, 200], "seed": [0]}},
        {"strategy": "oracle", "params": {"tokens": [1]}},
    ]
    outcome = bench(made(), grids=grids)
    assert axes(outcome) == [("topk", "scores", ["none", "max"]), ("random", "k", [100, 200])]
    report = (outcome.folder / "report.md").read_text(encoding="utf-8")
    assert "**No effect**: topk gives the same answers for scores = none, max " in report
    assert "**No effect**: random gives the same answers for k = 100, 200 " in report


def test_an_axis_counts_wherever_it_changes_something(bench, made):
    # With all chunks drawn the seed decides nothing; with one it does.
    grids = [{"strategy": "random", "params": {"k": [1, 500], "seed": [0, 1, 2]}}]
    outcome = bench(made(), grids=grids)
    assert axes(outcome) == []
    assert "No effect" not in (outcome.folder / "report.md").read_text(encoding="utf-8")

"""docs/presets.md says what results/reference/presets says, and names cards that there are."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from rse.card import card_names, read_card

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "presets.md").read_text(encoding="utf-8")
REFERENCE = ROOT / "results" / "reference" / "presets"


def rows():
    with (REFERENCE / "presets.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_the_counts_are_those_of_the_results():
    made = (REFERENCE / "presets.md").read_text(encoding="utf-8")
    counts = [line for line in made.splitlines() if line.startswith("- Against ")]
    assert len(counts) == 2
    for line in counts:
        assert line in PAGE


def test_what_is_said_of_long_evidence_holds():
    for row in rows():
        long = row["dataset"] in ("qmsum", "pydata-docs")
        large = row["goal"] in ("2000", "4000", "precision", "balanced", "find_all")
        if long and large and row["method"] == "chosen":
            assert float(row["margin"]) > 0.05, row
            assert float(row["low_margin"]) > 0, row


def test_what_is_said_of_short_answers_holds():
    short = [r for r in rows() if r["dataset"] == "chunking_evaluation" and r["method"] == "chosen"]
    assert -0.035 < min(float(row["margin"]) for row in short) < -0.025
    assert -0.04 < min(float(row["margin_over_retuned"]) for row in short) < -0.03


def test_every_card_named_is_there_and_worth_what_the_table_says():
    named = set(re.findall(r"preset:([a-z0-9]+/\w+)", PAGE))
    assert named
    assert named <= set(card_names())
    chosen = [row for row in rows() if row["method"] == "chosen"]
    worth = {(row["retriever"], row["goal"], row["dataset"]): row for row in chosen}
    for name in card_names():
        retriever, _, goal = name.partition("/")
        for dataset, held_out in read_card(name)["held_out"].items():
            row = worth[retriever, goal.removesuffix("_tokens"), dataset]
            assert held_out["margin_over_topk"][0] == pytest.approx(float(row["margin"]), abs=1e-4)


def test_the_sweep_has_as_many_settings_as_are_named():
    from bench.sweep.settings import all_settings
    from bench.sweep.spec import read

    spec = read(ROOT / "specs" / "sweep-presets.yaml")
    one = spec.model_copy(update={"retrievers": spec.retrievers[:1]})
    assert f"{len(all_settings(one))} settings" in PAGE

"""`make presets` on made-up data: cards, table and page, each dataset judged by the others."""

from __future__ import annotations

import csv
import sys

import numpy as np
import pytest

import rse
from bench import family
from bench.presets import __main__ as command
from bench.presets.judged import OURS, RETUNED, corrected
from tests.bench.retrieval.fakes import Fake

SPEC = """
datasets: [{one}, {two}]
chunkers: ["fixed[size=36]"]
retrievers: [minilm, bm25]
split: datasets
goals: [balanced, 60]
grids:
  - strategy: rse
    scores: [minmax, "smooth[own=0.5] + minmax"]
    params: {{irrelevant_chunk_penalty: [0.1, 0.3], minimum_value: [0.1], decay_rate: [10]}}
  - strategy: rse
    scores: [minmax]
    params: {{irrelevant_chunk_penalty: [0.05, 0.2, 0.4], minimum_value: [0.1]}}
  - strategy: topk
    params: {{k: [1, 3]}}
"""


@pytest.fixture
def presets(many, tmp_path, monkeypatch):
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(family, "_encoder", lambda _: Fake())
    spec = tmp_path / "small.yaml"
    spec.write_text(SPEC.format(one=many("one"), two=many("two", documents=8)), encoding="utf-8")
    folders = [f"--{name}={tmp_path / name}" for name in ("results", "reference", "cards")]
    monkeypatch.setattr(sys, "argv", ["presets", f"--spec={spec}", "--jobs=1", *folders])
    command.main()
    return tmp_path


def test_every_retriever_has_a_card_for_every_goal(presets):
    """Where single chunks are best, as for 60 tokens here, there is none to write."""
    with (presets / "reference" / "presets.csv").open(encoding="utf-8", newline="") as lines:
        arms = {(row["retriever"], row["goal"]) for row in csv.DictReader(lines)}
    assert arms == {(one, goal) for one in ("minilm", "bm25") for goal in ("balanced", "60")}
    for retriever in ("minilm", "bm25"):
        paths = list((presets / "cards" / retriever).iterdir())
        assert {path.stem for path in paths} - {"60_tokens"} == {"balanced"}
        for path in paths:
            content = rse.card.read_card(path)
            assert set(content["held_out"]) == set(content["chosen_on"]) == {"one", "two"}
            assert content["retriever"] == retriever


def test_the_table_has_ours_and_rse_re_tuned(presets):
    with (presets / "reference" / "presets.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 2 * 2 * 2 * 2
    for row in rows:
        if row["method"] == RETUNED:
            assert row["arm"].startswith("rse[irrelevant_chunk_penalty=")
            assert "decay_rate" not in row["arm"]
            assert row["margin_over_retuned"] == ""
        else:
            assert row["method"] == OURS
            assert row["margin_over_retuned"] != ""
    page = (presets / "reference" / "presets.md").read_text(encoding="utf-8")
    assert "- Against top-k, of 8 choices:" in page
    assert "chosen on the other 1" in page


def test_holm_is_over_the_whole_table():
    rows = [
        {
            "p": p,
            "p_over_retuned": np.nan,
            "margin": 0.1,
            "margin_over_retuned": np.nan,
            "questions": 30,
        }
        for p in (0.01, 0.02, 0.03)
    ]
    assert [row["p_holm"] for row in corrected(rows)] == pytest.approx([0.03, 0.04, 0.04])
    assert [row["p_over_retuned_verdict"] for row in corrected(rows)] == ["too few questions"] * 3

"""The knob that spends so many tokens: found again by trying all, and used as a preset."""

from __future__ import annotations

import json
import math

import pytest

from bench import family
from bench.data.errors import DatasetError
from bench.errors import UserError
from bench.progress import Progress
from bench.spec import grid_of
from bench.sweep.fit_tokens import TOKENS, Target, _measured, fit_tokens, queries_over
from bench.sweep.fitted import told, write_card
from tests.bench.conftest import WORDS
from tests.bench.retrieval.fakes import Fake


@pytest.fixture
def asked(tmp_path, monkeypatch):
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(family, "_encoder", lambda _: Fake())
    docs = tmp_path / "docs"
    docs.mkdir()
    for i in range(8):
        text = " ".join(f"{WORDS[(i * k + k) % 10]}{k % 7}." for k in range(80))
        (docs / f"{i}.txt").write_text(text, encoding="utf-8")
    queries = docs / "queries.txt"
    queries.write_text("\n".join(f"Where is the {word}?" for word in WORDS) + "\n\n", "utf-8")
    return queries_over(docs, queries)


def target(tokens, strategy="rse", scores="minmax"):
    return Target(tokens, strategy, scores, "fixed[size=36]", "minilm", 50)


def test_queries_are_the_lines_and_no_document(asked):
    assert len(asked.questions) == 10
    assert "queries.txt" not in asked.documents
    assert len(asked.documents) == 8


@pytest.mark.parametrize("strategy", ["rse", "topk", "optimal[segment_cost=0.1]", "priced", "mmr"])
@pytest.mark.parametrize("tokens", [80, 150])
def test_it_comes_near_what_was_wanted(asked, strategy, tokens):
    found = fit_tokens(asked, target(tokens, strategy), Progress())
    assert found.mean_tokens == pytest.approx(tokens, rel=0.25)
    assert found.low <= found.mean_tokens <= found.high
    assert found.queries == 10
    assert f"{found.knob}=" in found.strategy or found.strategy in {"topk", "mmr"}


def test_no_value_that_was_tried_is_nearer(asked):
    from bench.sweep.prepare import held
    from bench.sweep.searched import Wanted

    found = fit_tokens(asked, target(90), Progress())
    searched = held(asked, "fixed[size=36] / minilm", Wanted(50, 0), None, Progress()).searched
    tried = [x / 200 for x in range(1, 180)]
    tried = _measured(searched, target(90), found.knob, tried)
    means = [rows[:, TOKENS].mean() for rows in tried.values()]
    assert abs(found.mean_tokens - 90) <= min(abs(mean - 90) for mean in means) + 1e-9


def test_out_of_reach_says_the_range(asked):
    with pytest.raises(UserError, match=r"topk / none spends \d+ to [\d,]+ mean tokens here, what"):
        fit_tokens(asked, target(10**6, "topk", "none"), Progress())


def test_a_strategy_without_a_knob(asked):
    with pytest.raises(UserError, match=r"oracle has no one knob .*these have: topk, rse"):
        fit_tokens(asked, target(100, "oracle"), Progress())


def test_no_queries_and_no_documents(asked, tmp_path):
    (tmp_path / "docs" / "queries.txt").write_text("\n \n", encoding="utf-8")
    with pytest.raises(UserError, match="holds no query; write one a line"):
        queries_over(tmp_path / "docs", tmp_path / "docs" / "queries.txt")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DatasetError, match="no document in"):
        queries_over(tmp_path / "empty", tmp_path / "docs" / "queries.txt")


def test_what_is_said_and_written_is_a_preset(asked, tmp_path):
    wanted = target(100)
    found = fit_tokens(asked, wanted, Progress())
    lines = list(told(found, wanted, as_json=False))
    assert lines[0] == f"{found.strategy} / minmax"
    assert "10 queries say little" in lines[-1]
    (text,) = told(found, wanted, as_json=True)
    assert json.loads(text)["mean_tokens"] == found.mean_tokens
    write_card(tmp_path / "hundred.yaml", found, wanted)
    grid = grid_of(f"preset:{tmp_path / 'hundred.yaml'}")
    from bench.catalog import strategy

    assert strategy(grid["strategy"])[0] == found.strategy
    assert grid["scores"] == ["minmax"]
    assert math.isfinite(found.p95_tokens)

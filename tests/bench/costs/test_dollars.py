"""Dollars for a thousand questions, worked by hand."""

from __future__ import annotations

from math import isnan

import pytest

from bench.costs.dollars import Usage, dollars, embedding_the_corpus, remote_models, usage
from bench.costs.prices import DEFAULT, Price, Prices

USED = Usage(query_tokens=20.0, searches=2.0, rerank_tokens=(5000.0, 700.0))


def test_models_on_this_machine_cost_nothing():
    found = dollars(DEFAULT, "minilm+maxsim[depth=50]", 1000, USED)
    # 1,000 questions x 1,000 tokens at 0.15 dollars a million
    assert found == pytest.approx(
        {"dollars": 0.15, "dollars_reading": 0.15, "dollars_embedding": 0, "dollars_rerank": 0}
    )
    assert remote_models("minilm+maxsim[depth=50]") == []
    assert embedding_the_corpus(DEFAULT, "bm25", 10**9) == 0


def test_every_part_is_counted():
    name = "openai[model=text-embedding-3-small]+cohere+voyage"
    found = dollars(DEFAULT, name, 0, USED)
    assert found["dollars_embedding"] == pytest.approx(1000 * 20 * 0.02 / 1e6)
    # two searches a question at 2 dollars a thousand, then 700 tokens at 0.05 a million
    assert found["dollars_rerank"] == pytest.approx(1000 * (2 * 2 / 1000 + 700 * 0.05 / 1e6))
    assert found["dollars"] == pytest.approx(found["dollars_embedding"] + found["dollars_rerank"])
    assert remote_models(name) == ["text-embedding-3-small", "rerank-v3.5", "rerank-2.5"]
    assert embedding_the_corpus(DEFAULT, name, 3_000_000) == pytest.approx(0.06)


def test_a_list_is_read_in_windows_that_overlap():
    found = dollars(DEFAULT, "bm25+listwise[depth=40,window=20,step=10]", 0, Usage(0, 1, (4000.0,)))
    # three windows of 20 over 40 passages: each is read 1.5 times
    assert found["dollars_rerank"] == pytest.approx(1000 * 4000 * 1.5 * 0.15 / 1e6)
    whole = dollars(DEFAULT, "bm25+listwise[depth=20,window=20]", 0, Usage(0, 1, (4000.0,)))
    assert whole["dollars_rerank"] == pytest.approx(1000 * 4000 * 0.15 / 1e6)


def test_without_a_price_it_is_undefined_not_free():
    found = dollars(DEFAULT, "minilm+jina", 1000, USED)
    assert isnan(found["dollars_rerank"])
    assert isnan(found["dollars"])
    assert found["dollars_reading"] == pytest.approx(0.15)
    own = Prices(models={"jina-reranker-v2-base-multilingual": Price(input=0.02)})
    assert dollars(own, "minilm+jina", 1000, USED)["dollars_rerank"] == pytest.approx(0.1)
    assert isnan(embedding_the_corpus(DEFAULT, "openai[model=mine]", 9))


def test_usage_is_the_mean_of_what_was_kept():
    rows = [
        {"query_tokens": 10, "queries": ["a"], "rerank_tokens": [100]},
        {"query_tokens": 20, "queries": ["a", "b", "c"], "rerank_tokens": [300]},
    ]
    assert usage(rows) == Usage(15, 2, (200,))
    assert isnan(usage([*rows, {}]).query_tokens)
    assert isnan(dollars(DEFAULT, "minilm+voyage", 0, usage([]))["dollars_rerank"])

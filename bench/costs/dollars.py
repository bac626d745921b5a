"""What a thousand answers cost: reading the context, embedding the queries, reranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, isnan, nan
from typing import Any, NamedTuple

from bench.catalog import retriever
from bench.costs.prices import Price, Prices
from bench.endpoints.recipes import Cohere, Jina, Listwise, Voyage
from bench.retrieval.embedders.recipes import OpenAI
from bench.retrieval.recipe import Recipe, Rerank

MILLION, THOUSAND = 1_000_000, 1_000
PARTS = ("reading", "embedding", "rerank")
SOLD = OpenAI | Cohere | Jina | Voyage | Listwise
"""Models that somebody sends a bill for."""


class Usage(NamedTuple):
    """What a retriever reads for a question, on average; nan where nobody counted."""

    query_tokens: float
    """Tokens of the search queries."""
    searches: float
    """Search queries."""
    rerank_tokens: tuple[float, ...]
    """Tokens of queries and chunks that each reranker reads, one after the other."""


def usage(rows: Sequence[Mapping[str, Any]]) -> Usage:
    """Average what was kept of each question."""
    if not rows or any("query_tokens" not in row for row in rows):
        return Usage(nan, nan, ())
    n = len(rows)
    rerankers = zip(*(row["rerank_tokens"] for row in rows), strict=True)
    return Usage(
        sum(row["query_tokens"] for row in rows) / n,
        sum(len(row["queries"]) for row in rows) / n,
        tuple(sum(tokens) / n for tokens in rerankers),
    )


def dollars(prices: Prices, name: str, prompt_tokens: float, used: Usage) -> dict[str, float]:
    """Return dollars for a thousand questions, part by part and in all.

    Models that run on this machine cost nothing; one without a known price, or read by tokens that
    nobody counted, is nan. Tokens are those of the one tokenizer of costs, whatever a model's own
    may be. What the model writes is not in it: that is the same for all arms.

    Args:
        prices: Of the models.
        name: The retriever's.
        prompt_tokens: That the reader is sent for a question, on average.
        used: What the retriever reads.
    """
    recipe = retriever(name)[1]
    price = prices.of(prices.reader)
    reading = nan if price is None or price.input is None else prompt_tokens * price.input / MILLION
    embedding = _embedding(prices, recipe, used)
    rerank = _rerank(prices, recipe, used)
    parts = [THOUSAND * part for part in (reading, embedding, rerank)]
    named = dict(zip((f"dollars_{part}" for part in PARTS), parts, strict=True))
    return {"dollars": sum(parts), **named}


def remote_models(name: str) -> list[str]:
    """List the models of a retriever that are paid for."""
    recipe = retriever(name)[1]
    return [part.model for part in (recipe.base, *recipe.rerankers()) if isinstance(part, SOLD)]


def embedding_the_corpus(prices: Prices, name: str, tokens: int) -> float:
    """Return dollars to embed all chunks once; 0 on this machine, nan without a price."""
    base = retriever(name)[1].base
    return _by_tokens(prices.of(base.model), tokens) if isinstance(base, OpenAI) else 0.0


def _embedding(prices: Prices, recipe: Recipe, used: Usage) -> float:
    if not isinstance(recipe.base, OpenAI):
        return 0.0
    return _by_tokens(prices.of(recipe.base.model), used.query_tokens)


def _rerank(prices: Prices, recipe: Recipe, used: Usage) -> float:
    total = 0.0
    for place, reranker in enumerate(recipe.rerankers()):
        if not isinstance(reranker, SOLD):
            continue
        price = prices.of(reranker.model)
        tokens = used.rerank_tokens[place] if place < len(used.rerank_tokens) else nan
        if price is not None and price.search is not None:
            total += used.searches * price.search / THOUSAND
        else:
            total += _by_tokens(price, tokens * _readings(reranker))
    return total


def _readings(reranker: Rerank) -> float:
    """Return how often a reranker reads each chunk: windows that move overlap."""
    if not isinstance(reranker, Listwise) or reranker.depth <= reranker.window:
        return 1.0
    windows = 1 + ceil((reranker.depth - reranker.window) / reranker.step)
    return windows * reranker.window / reranker.depth


def _by_tokens(price: Price | None, tokens: float) -> float:
    if price is None or price.input is None or isnan(tokens):
        return nan
    return tokens * price.input / MILLION

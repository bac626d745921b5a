"""From a recipe to a retriever that is ready to search a corpus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, cast

from bench.corpus import Corpus
from bench.places import cache_folder
from bench.progress import Progress
from bench.retrieval.embedders.cache import VectorCache
from bench.retrieval.embedders.encoder import Encoder
from bench.retrieval.headers import headed_texts
from bench.retrieval.hybrid import Fusion, HybridRetriever
from bench.retrieval.lexical.bm25 import KeywordRetriever
from bench.retrieval.recipe import BM25, Hybrid, Recipe
from bench.retrieval.retriever import DenseRetriever, Retriever


class Built(NamedTuple):
    """A retriever, and what it is made of."""

    retriever: Retriever
    encoder: Encoder | None
    """None: it searches by words alone."""
    facts: dict[str, Any]
    """What the manifest says of it."""


def build(
    recipe: Recipe, corpus: Corpus, encoder: Callable[[str], Encoder], progress: Progress
) -> Built:
    """Index a corpus; vectors come from the cache where they can.

    Args:
        recipe: What to make.
        corpus: What to search.
        encoder: Makes the embedding model, told what becomes of texts over its limit.
        progress: Shows how far it is.
    """
    texts = (
        headed_texts(corpus)
        if recipe.header
        else [corpus.text(chunk) for chunk in range(len(corpus.layout))]
    )
    base = recipe.base
    if isinstance(base, BM25):
        return Built(
            KeywordRetriever(texts, corpus.layout, base.k1, base.b),
            None,
            {"model": "bm25", "model_identity": None, "texts_over_the_limit": 0, "tokens_lost": 0},
        )
    model = encoder(base.long)
    cache = VectorCache(cache_folder(), model.identity, model.dimension)
    dense = DenseRetriever(model, cache, texts, corpus.layout, progress)
    facts = {
        "model": model.name,
        "model_identity": model.identity,
        "texts_over_the_limit": dense.long,
        "tokens_lost": dense.lost_tokens,
    }
    if not isinstance(base, Hybrid):
        return Built(dense, model, facts)
    keyword = KeywordRetriever(texts, corpus.layout, BM25().k1, BM25().b)
    fusion = cast(Fusion, base.fusion)
    hybrid = HybridRetriever(
        dense, keyword, corpus.layout, fusion=fusion, weight=base.weight, k=base.k
    )
    return Built(hybrid, model, facts | {"model": f"{model.name} and bm25"})

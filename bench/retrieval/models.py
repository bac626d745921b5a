"""Which files a retriever's numbers depend on, beside our own code and installed packages."""

from __future__ import annotations

from collections.abc import Iterator

from bench.retrieval.embedders.recipes import Dense
from bench.retrieval.recipe import Embedder, Hybrid, Recipe, embedder
from bench.retrieval.rerank.recipes import CrossEncoder, MaxSim


def identities(recipe: Recipe) -> list[str]:
    """Return a digest of each model that stands in a folder of its own or in the hub's cache.

    What such a folder holds may change while its name stays. Nothing is loaded; models that come
    inside packages are known by the packages' versions.

    Raises:
        UserError: There is no such model here.
    """
    from bench.retrieval.embedders.make import encoder

    found = [encoder(one).identity for one in _embedders(recipe) if isinstance(one, Dense)]
    for stage in recipe.rerankers():
        if isinstance(stage, CrossEncoder):
            from bench.retrieval.rerank.make import cross_encoder

            found.append(cross_encoder(stage).identity)
    return found


def _embedders(recipe: Recipe) -> Iterator[Embedder]:
    """Yield the settings of every embedding model a recipe names."""
    base = recipe.base
    if isinstance(base, Hybrid):
        yield embedder(base.model, base.long)
    elif isinstance(base, Embedder):
        yield base
    for stage in recipe.rerankers():
        if isinstance(stage, MaxSim) and stage.model:
            yield embedder(stage.model)

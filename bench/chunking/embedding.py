"""Vectors of sentences, from the same cache as those of chunks: another threshold costs none."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bench.retrieval.embedders.encoder import Encoder

MODELS = ("minilm", "e5")


@cache
def encoder(model: str) -> Encoder:
    """Return an embedding model by name; loaded once, when first needed."""
    from bench.retrieval.embedders.make import encoder as make
    from bench.retrieval.recipe import embedder

    return make(embedder(model))


def vectors(texts: Sequence[str], model: str) -> NDArray[np.float32]:
    """Return a row of unit length for each text; those in the cache are not computed again."""
    from bench.places import cache_folder
    from bench.retrieval.embedders.cache import VectorCache
    from bench.retrieval.embedders.embed import embed

    made = encoder(model)
    with VectorCache(cache_folder(), made.identity, made.dimension) as cached:
        return embed(texts, made, cached)

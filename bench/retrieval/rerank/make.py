"""From the settings of a reranker to what scores texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.endpoints.recipes import Cohere, Jina, Listwise, Voyage
from bench.retrieval.embedders.cache import VectorCache
from bench.retrieval.embedders.embed import embed
from bench.retrieval.embedders.encoder import Encoder
from bench.retrieval.rerank.recipes import CrossEncoder, MaxSim
from bench.retrieval.rerank.reranker import Reranker
from bench.retrieval.rerank.scores import ScoreCache

if TYPE_CHECKING:
    from bench.retrieval.rerank.cross_encoder import CrossEncoderReranker

Settings = MaxSim | CrossEncoder | Cohere | Jina | Voyage | Listwise


class Made(NamedTuple):
    """A reranker, and the cache it stands behind."""

    scorer: ScoreCache
    reranker: Reranker

    def facts(self) -> dict[str, Any]:
        """Return what the manifest says of it; complete once all questions are answered."""
        made = self.reranker
        found = {"name": made.name, "identity": made.identity, "score_range": made.score_range}
        counts = getattr(made, "counts", None)
        return found | ({"answers_mended": dict(counts)} if counts else {})


def scorer(settings: Settings, encoder: Callable[[str], Encoder], folder: Path) -> Made:
    """Make what scores texts for queries; scores are kept in a folder.

    Args:
        settings: What a spec names.
        encoder: Returns an embedding model by name; of no name, that of the retriever.
        folder: Where caches are kept.

    Raises:
        UserError: There is no such model here, or it cannot do what is asked for.
    """
    if isinstance(settings, Listwise):
        from bench.retrieval.rerank.listwise import listwise

        asked = listwise(settings, folder)
        return Made(ScoreCache(folder, asked, remote=True), asked)
    if isinstance(settings, Cohere | Jina | Voyage):
        from bench.retrieval.rerank.remote import remote

        service = remote(settings, folder)
        return Made(ScoreCache(folder, service, remote=True), service)
    model = _local(settings, encoder, folder)
    return Made(ScoreCache(folder, model), model)


def cross_encoder(settings: CrossEncoder) -> CrossEncoderReranker:
    """Make a cross-encoder; it is loaded when first needed.

    Raises:
        UserError: There is no such model here.
    """
    from bench.retrieval.embedders.hub import CROSS_ENCODER
    from bench.retrieval.embedders.make import place
    from bench.retrieval.rerank.cross_encoder import CrossEncoderReranker

    return CrossEncoderReranker(*place(settings.model, CROSS_ENCODER), settings.batch)


def _local(
    settings: MaxSim | CrossEncoder, encoder: Callable[[str], Encoder], folder: Path
) -> Reranker:
    if isinstance(settings, CrossEncoder):
        return cross_encoder(settings)
    from bench.retrieval.rerank.maxsim import LateInteraction

    model = encoder(settings.model)

    def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
        with VectorCache(folder, model.identity, model.dimension) as cache:
            return embed(texts, model, cache)

    return LateInteraction(model, settings.parts, vectors)

"""A family of arms shares chunks, vectors and hits: prepared once, whatever the number of arms."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from bench.catalog import chunker, retriever
from bench.corpus import Corpus, cut
from bench.data.coverage import unknown_shares
from bench.places import cache_folder
from bench.progress import Progress
from bench.retrieval.cache import VectorCache
from bench.retrieval.retriever import DenseRetriever, Retriever
from bench.retrieval.vocabulary import unknown_tokens
from bench.threads import set_threads
from bench.tokens import tokenizer
from bench.types import Dataset

COST = "o200k_base"
"""The one tokenizer that costs are counted with, for all strategies alike."""


@dataclass(frozen=True, slots=True)
class Family:
    """Everything needed to answer questions, ready."""

    name: str
    """`chunker / retriever`."""
    dataset: Dataset
    corpus: Corpus
    retriever: Retriever
    facts: dict[str, Any] = field(default_factory=dict)
    """What the manifest says about chunks, model and index."""


def prepare(dataset: Dataset, name: str, threads: int | None, progress: Progress) -> Family:
    """Chunk, embed (from the cache where it can) and index the documents of a dataset."""
    chunker_name, retriever_name = name.split(" / ")
    set_threads(threads)
    began = perf_counter()
    corpus = cut(dataset, chunker(chunker_name)[1], tokenizer(COST))
    chunked = perf_counter() - began
    encoder = _encoder(retriever_name)
    began = perf_counter()
    cache = VectorCache(cache_folder(), encoder.identity, encoder.dimension)
    found = DenseRetriever(encoder, cache, corpus, progress)
    facts = {
        "documents": len(corpus.documents),
        "documents_without_chunks": corpus.blank,
        "documents_of_one_chunk": corpus.single,
        "chunks": len(corpus.layout),
        "corpus_tokens": int(corpus.costs.sum()),
        "tokenizer": COST,
        "model": encoder.name,
        "model_identity": encoder.identity,
        "unknown_share": _unknown_share(encoder, dataset),
        "texts_over_the_limit": found.long,
        "tokens_lost": found.lost_tokens,
        "threads": set_threads(None),
        "seconds_to_chunk": chunked,
        "seconds_to_index": perf_counter() - began,
    }
    return Family(name, dataset, corpus, found, facts)


def _unknown_share(encoder: Any, dataset: Dataset) -> float | None:  # noqa: ANN401
    """Return the share of tokens a model does not know; None: it is no model in a folder."""
    if not hasattr(encoder, "folder"):
        return None
    return unknown_shares(dataset, unknown_tokens(encoder.folder)).worst


def _encoder(name: str) -> Any:  # noqa: ANN401
    from bench.retrieval.encoder import minilm

    return minilm(long=retriever(name)[1]["long"])

"""A family of arms shares chunks, vectors and hits: prepared once, whatever the number of arms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.catalog import chunker, retriever
from bench.corpus import Corpus, cut
from bench.data.coverage import unknown_shares
from bench.progress import Progress
from bench.retrieval.build import build
from bench.retrieval.embedders.encoder import Encoder
from bench.retrieval.embedders.vocabulary import unknown_tokens
from bench.retrieval.recipe import Embedder
from bench.retrieval.retriever import Retriever
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
    facts: Callable[[], dict[str, Any]] = dict
    """What the manifest says about chunks, model and index, asked for when all is answered."""


def prepare(
    dataset: Dataset,
    name: str,
    threads: int | None,
    progress: Progress,
    encoder: Callable[[Embedder], Encoder] | None = None,
) -> Family:
    """Chunk, embed (from the cache where it can) and index the documents of a dataset.

    Args:
        dataset: The data.
        name: `chunker / retriever`.
        threads: Threads of all libraries; None: what they choose.
        progress: Shows how far it is.
        encoder: Makes embedding models; None: such as compute here.
    """
    chunker_name, retriever_name = name.split(" / ")
    set_threads(threads)
    began = perf_counter()
    corpus = cut(dataset, chunker(chunker_name)[1], tokenizer(COST))
    chunked = perf_counter() - began
    began = perf_counter()
    found = build(retriever(retriever_name)[1], corpus, encoder or _encoder, progress)
    facts = {
        "documents": len(corpus.documents),
        "documents_without_chunks": corpus.blank,
        "documents_of_one_chunk": corpus.single,
        "chunks": len(corpus.layout),
        "corpus_tokens": int(corpus.costs.sum()),
        "tokenizer": COST,
        "unknown_share": _unknown_share(found.folders, dataset),
        "threads": set_threads(None),
        "seconds_to_chunk": chunked,
        "seconds_to_index": perf_counter() - began,
    }
    return Family(name, dataset, corpus, found.retriever, lambda: found.facts() | facts)


def _unknown_share(folders: Sequence[Path], dataset: Dataset) -> float | None:
    """Return the largest share of tokens a model does not know; None: nobody can tell."""
    readable = {folder for folder in folders if (folder / "tokenizer.json").is_file()}
    shares = [unknown_shares(dataset, unknown_tokens(folder)).worst for folder in readable]
    return max((share for share in shares if share is not None), default=None)


def _encoder(settings: Embedder) -> Encoder:
    from bench.retrieval.embedders.make import encoder

    return encoder(settings)

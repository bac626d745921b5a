"""From a recipe to a retriever that is ready to search a corpus."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from bench.corpus import Corpus
from bench.endpoints.recipes import Queries, Titles
from bench.places import cache_folder
from bench.progress import Progress
from bench.retrieval.embedders.encoder import Encoder
from bench.retrieval.headers import headed_texts
from bench.retrieval.hybrid import Fusion, HybridRetriever, Scores
from bench.retrieval.lexical.bm25 import KeywordRetriever
from bench.retrieval.recipe import BM25, Embedder, Header, Hybrid, Recipe, embedder
from bench.retrieval.rerank.make import Made, scorer
from bench.retrieval.rerank.reranked import RerankedRetriever
from bench.retrieval.retriever import DenseRetriever, Retriever
from bench.types import Document


class Built(NamedTuple):
    """A retriever, and what it is made of."""

    retriever: Retriever
    folders: tuple[Path, ...]
    """Where the models that read texts are, as far as they are in folders here."""
    facts: Callable[[], dict[str, Any]]
    """What the manifest says of it; complete once all questions are answered."""


def build(
    recipe: Recipe, corpus: Corpus, encoder: Callable[[Embedder], Encoder], progress: Progress
) -> Built:
    """Index a corpus; vectors come from the cache where they can.

    Args:
        recipe: What to make.
        corpus: What to search.
        encoder: Makes an embedding model.
        progress: Shows how far it is.
    """
    return _Builder(recipe, corpus, encoder, progress).built()


class _Builder:
    """Holds what the steps share."""

    def __init__(
        self,
        recipe: Recipe,
        corpus: Corpus,
        encoder: Callable[[Embedder], Encoder],
        progress: Progress,
    ) -> None:
        self._recipe, self._corpus, self._progress = recipe, corpus, progress
        self._encoder = cache(encoder)  # a model that is named twice is loaded once
        self._folder: Path = cache_folder()
        self._facts: dict[str, Any] = {}

    def built(self) -> Built:
        """Put the retriever together, in the order of its stages' work."""
        texts = self._texts()
        found, folders = self._searched(texts)
        if settings := self._recipe.stage(Queries):
            from bench.retrieval.queried import QueriedRetriever
            from bench.retrieval.queries import query_writer

            found = QueriedRetriever(found, query_writer(settings, self._folder))
        rerankers = []
        for stage in self._recipe.rerankers():
            made = scorer(stage, self._by_name, self._folder)
            layout = self._corpus.layout
            found = RerankedRetriever(found, made.scorer, texts, layout, stage.depth)
            rerankers.append(made)
            folders.append(getattr(made.reranker, "folder", None))
        there = tuple(folder for folder in folders if folder)
        return Built(found, there, lambda: self._told(rerankers))

    def _told(self, rerankers: list[Made]) -> dict[str, Any]:
        index = self._facts.get("index")
        return self._facts | {
            "index": index() if index else None,
            "rerankers": [one.facts() for one in rerankers],
        }

    def _texts(self) -> list[str]:
        """Return what is searched of each chunk."""
        corpus = self._corpus
        if not self._recipe.stage(Header):
            return [corpus.text(chunk) for chunk in range(len(corpus.layout))]
        settings = self._recipe.stage(Titles)
        documents = self._titled(settings) if settings else corpus.documents
        texts, shortened = headed_texts(corpus, documents)
        self._facts["headers_shortened"] = shortened
        return texts

    def _titled(self, settings: Titles) -> list[Document]:
        from bench.retrieval.titles import title_writer

        given = {document.id: document for document in self._corpus.documents}
        with self._progress.bar(f"titles by {settings.model}") as report:
            filled = title_writer(settings, self._folder).fill(given, report)
        self._facts["titles"] = {
            name: {"title": said.title, "summary": said.summary}
            for name, said in filled.said.items()
        }
        return list(filled.documents.values())

    def _searched(self, texts: list[str]) -> tuple[Retriever, list[Path | None]]:
        base, layout = self._recipe.base, self._corpus.layout
        if isinstance(base, BM25):
            self._facts |= {"model": "bm25", "model_identity": None}
            self._facts |= {"texts_over_the_limit": 0, "tokens_lost": 0}
            return KeywordRetriever(texts, layout, base.k1, base.b), []
        model = self._encoder(self._embedder())
        folders: list[Path | None] = [getattr(model, "folder", None)]
        index = self._recipe.vector_index()
        dense = DenseRetriever(model, self._folder, texts, layout, self._progress, index)
        self._facts |= {
            "model": model.name,
            "model_identity": model.identity,
            "texts_over_the_limit": dense.long,
            "tokens_lost": dense.lost_tokens,
            "index": dense.facts,
        }
        if not isinstance(base, Hybrid):
            return dense, folders
        self._facts["model"] = f"{model.name} and bm25"
        keyword = KeywordRetriever(texts, layout, BM25().k1, BM25().b)
        fusion, scores = cast(Fusion, base.fusion), cast(Scores, base.scores)
        made = HybridRetriever(
            dense, keyword, fusion=fusion, weight=base.weight, k=base.k, scores=scores
        )
        return made, folders

    def _embedder(self) -> Embedder:
        """Return the settings of the retriever's own embedding model."""
        base = self._recipe.base
        assert not isinstance(base, BM25)  # noqa: S101  # recipes of words need no model
        return embedder(base.model, base.long) if isinstance(base, Hybrid) else base

    def _by_name(self, model: str) -> Encoder:
        return self._encoder(embedder(model) if model else self._embedder())

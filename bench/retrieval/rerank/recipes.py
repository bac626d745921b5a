"""Rerankers that run here, as specs name them."""

from __future__ import annotations

from dataclasses import dataclass

from rse.checks import ParameterError, named, whole

PARTS = ("tokens", "sentences")


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class MaxSim:
    """Late interaction over an embedding model's vectors, see `bench.retrieval.rerank.maxsim`."""

    depth: int = 50
    """Hits that are scored; deeper ones are dropped."""

    parts: str = "tokens"
    """What has a vector of its own: `tokens` or `sentences`."""

    model: str = ""
    """`minilm`, `e5`, or a sentence-transformers model; left out: the retriever's own."""

    def __post_init__(self) -> None:
        whole("depth", self.depth, 1)
        if self.parts not in PARTS:
            raise ParameterError(f"parts must be one of {', '.join(PARTS)}, got {self.parts!r}")
        if not isinstance(self.model, str):
            raise ParameterError(f"model must be a name or a folder, got {self.model!r}")


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class CrossEncoder:
    """A sentence-transformers cross-encoder: it reads query and chunk together."""

    model: str
    """Folder, or name on the Hugging Face hub: `cross-encoder/ms-marco-MiniLM-L6-v2`."""

    depth: int = 50
    """Hits that are scored; deeper ones are dropped."""

    batch: int = 16
    """Pairs the model works on at a time."""

    def __post_init__(self) -> None:
        whole("depth", self.depth, 1)
        whole("batch", self.batch, 1)
        if not isinstance(self.model, str) or not self.model:
            raise ParameterError(f"model must be a name or a folder, got {self.model!r}")

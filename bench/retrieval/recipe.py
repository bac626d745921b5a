"""What a retriever is made of, as specs name it: `hybrid[model=e5] + header + maxsim[depth=50]`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from bench.endpoints.recipes import Cohere, Jina, Listwise, Queries, Titles, Voyage
from bench.retrieval.embedders.recipes import E5, Dense, MiniLM, OpenAI, check_long
from bench.retrieval.index.recipes import HNSW, IVF, Postgres
from bench.retrieval.rerank.recipes import CrossEncoder, MaxSim
from rse.checks import ParameterError, named, number, whole


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class BM25:
    """Keyword search, see `bench.retrieval.lexical.bm25`."""

    k1: float = 1.5
    """How soon further occurrences of a word count for less; 0: at once."""

    b: float = 0.75
    """How much long chunks are discounted, 0 to 1."""

    def __post_init__(self) -> None:
        number("k1", self.k1, "a number of 0 or more", lambda value: value >= 0)
        number("b", self.b, "a number from 0 to 1", lambda value: 0 <= value <= 1)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Hybrid:
    """An embedding model and BM25 fused into one ranking, see `bench.retrieval.hybrid`."""

    model: str = "minilm"
    """`minilm`, `e5`, or a sentence-transformers model by folder or name."""

    fusion: str = "rrf"
    """`rrf`: by ranks; `weighted`: by stretched scores."""

    weight: float = 0.5
    """Of the cosines, 0 to 1; unused by `rrf`."""

    k: int = 60
    """Constant of `rrf`: the larger, the less the first ranks count for."""

    scores: str = "minmax"
    """`minmax`, `max` or `none`: how `weighted` calibrates both scores; unused by `rrf`."""

    long: str = "windows"
    """As in `minilm`."""

    def __post_init__(self) -> None:
        if self.scores not in ("minmax", "max", "none"):
            raise ParameterError(f"scores must be one of minmax, max, none, got {self.scores!r}")
        if self.fusion not in ("rrf", "weighted"):
            raise ParameterError(f"fusion must be one of rrf, weighted, got {self.fusion!r}")
        number("weight", self.weight, "a number from 0 to 1", lambda value: 0 <= value <= 1)
        whole("k", self.k, 1)
        check_long(self.long)
        embedder(self.model, self.long)


Embedder = MiniLM | E5 | Dense | OpenAI
Base = Embedder | BM25 | Hybrid


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Title, summary and section path stand above each chunk when it is searched.

    They are part of what is embedded or counted, never of what is returned or scored.
    """


Index = HNSW | IVF | Postgres
Rerank = MaxSim | CrossEncoder | Cohere | Jina | Voyage | Listwise
Stage = Header | Titles | Index | Queries | Rerank
ORDER: tuple[Any, ...] = (Titles, Header, Index, Queries, Rerank)
"""In which order stages do their work, and stand in a name. Rerankers may be several."""

S = TypeVar("S")


class Recipe(NamedTuple):
    """A retriever that is not yet made."""

    base: Base
    stages: tuple[Stage, ...] = ()
    """In the order of their work."""

    def stage(self, kind: type[S]) -> S | None:
        """Return the stage of a kind, if there is one."""
        return next((stage for stage in self.stages if isinstance(stage, kind)), None)

    def vector_index(self) -> Index | None:
        """Return how vectors are searched; None: exactly."""
        return next((stage for stage in self.stages if isinstance(stage, Index)), None)

    def rerankers(self) -> tuple[Rerank, ...]:
        """Return what orders hits anew, one after the other."""
        return tuple(stage for stage in self.stages if isinstance(stage, Rerank))


def recipe(base: Base, stages: Iterable[Stage]) -> Recipe:
    """Put stages into the order of their work.

    Raises:
        ParameterError: Two stages do the same, or one needs vectors where there are none.
    """
    given = list(stages)
    if len(set(given)) < len(given):
        raise ParameterError("a stage is named twice")
    ordered = sorted(given, key=_place)
    for kind in ORDER[:-1]:
        same = [type(stage).__name__ for stage in given if isinstance(stage, kind)]
        if len(same) > 1:
            raise ParameterError(f"there can be one stage of a kind, got {' and '.join(same)}")
    made = Recipe(base, tuple(ordered))
    if isinstance(base, BM25):
        _refuse_vectors(made)
    if made.stage(Titles) and not made.stage(Header):
        raise ParameterError("titles are for headers: name +titles and +header")
    return made


def _place(stage: Stage) -> int:
    return next(place for place, kind in enumerate(ORDER) if isinstance(stage, kind))


def _refuse_vectors(made: Recipe) -> None:
    if index := made.vector_index():
        raise ParameterError(f"bm25 has no vectors for {type(index).__name__.lower()} to search")
    if any(isinstance(stage, MaxSim) and not stage.model for stage in made.stages):
        raise ParameterError("bm25 has no vectors: name a model, as in bm25+maxsim[model=minilm]")


def embedder(model: str, long: str = "windows") -> Embedder:
    """Return an embedding model by its short name, or a sentence-transformers model by its own.

    Raises:
        ParameterError: It is no name.
    """
    if model == "minilm":
        return MiniLM(long=long)
    if model == "e5":
        return E5(long=long)
    return Dense(model=model, long=long)

"""What a retriever is made of, as specs name it: `hybrid[fusion=weighted] + header`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rse.checks import ParameterError, named, number, whole

LONG = ("windows", "error", "cut")


def _check_long(long: str) -> None:
    if long not in LONG:
        raise ParameterError(f"long must be one of {', '.join(LONG)}, got {long!r}")


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class MiniLM:
    """Exact search by the cosines of all-MiniLM-L6-v2."""

    long: str = "windows"
    """What becomes of chunks over the model's limit, see `bench.retrieval.embedders.encoder`."""

    def __post_init__(self) -> None:
        _check_long(self.long)


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
    """MiniLM and BM25 fused into one ranking, see `bench.retrieval.hybrid`."""

    fusion: str = "rrf"
    """`rrf`: by ranks; `weighted`: by stretched scores."""

    weight: float = 0.5
    """Of the cosines, 0 to 1; unused by `rrf`."""

    k: int = 60
    """Constant of `rrf`: the larger, the less the first ranks count for."""

    long: str = "windows"
    """As in `minilm`."""

    def __post_init__(self) -> None:
        if self.fusion not in ("rrf", "weighted"):
            raise ParameterError(f"fusion must be one of rrf, weighted, got {self.fusion!r}")
        number("weight", self.weight, "a number from 0 to 1", lambda value: 0 <= value <= 1)
        whole("k", self.k, 1)
        _check_long(self.long)


Base = MiniLM | BM25 | Hybrid


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Title, summary and section path stand above each chunk when it is searched.

    They are part of what is embedded or counted, never of what is returned or scored.
    """


class Recipe(NamedTuple):
    """A retriever that is not yet made."""

    base: Base
    header: bool
    """Whether chunks are searched under their headers."""

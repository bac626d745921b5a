"""What every strategy speaks: hits in, segments out. NumPy only; nothing here knows of text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import gt
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rse.arrays import fill, frozen, in_bounds, names, numbers, rows, shown, whole


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Ranked results of one search query, best first; the arrays are parallel.

    Lists are accepted and turned into read-only arrays. Everything is checked when built.

    Raises:
        ValueError: Arrays of unequal length, a chunk that is no whole number or below 0, a chunk
            hit twice, a score that is not a number or outside [0, 1].
    """

    chunk: NDArray[np.int64]
    """Corpus-wide chunk numbers, indices into `Layout.length`; the order given is the rank."""

    score: NDArray[np.float64]
    """Relevance in [0, 1]."""

    features: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    """Further scores of the same hits by name, parallel to `chunk` (`bm25`, `neighbours`...)."""

    scorer: str = field(default="scores", kw_only=True)
    """Where the scores come from; named when they are refused."""

    by_chunk: NDArray[np.int64] = field(init=False)
    """Ranks in the order of their chunks: sorted once, for all strategies and settings."""

    def __post_init__(self) -> None:
        chunk = whole("Hits.chunk", self.chunk)
        score = numbers(self.scorer, self.score)
        if len(chunk) != len(score):
            raise ValueError(f"Hits has {len(chunk)} chunks but {len(score)} scores")
        if len(chunk) and chunk.min() < 0:
            raise ValueError(f"Hits.chunk holds {chunk.min()}; chunk numbers begin at 0")
        by_chunk = np.argsort(chunk)
        along = chunk[by_chunk]
        if len(twice := np.flatnonzero(along[1:] == along[:-1])):
            raise ValueError(f"Hits.chunk holds chunk {along[twice[0]]} more than once")
        if not ((score >= 0) & (score <= 1)).all():  # catches nan as well
            raise ValueError(
                f"{self.scorer}: scores must lie in [0, 1], found "
                f"{np.nanmin(score) if not np.isnan(score).all() else np.nan:g} to "
                f"{np.nanmax(score) if not np.isnan(score).all() else np.nan:g}"
                f"{' and nan' if np.isnan(score).any() else ''}; calibrate them first"
            )
        features = {
            name: rows(f"Hits.features[{name!r}]", values, len(chunk))
            for name, values in (self.features or {}).items()
        }
        fill(self, chunk=chunk, score=score, by_chunk=frozen(by_chunk), features=features)

    def __len__(self) -> int:
        return len(self.chunk)


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Where documents begin in the run of all chunks, and how long chunks are.

    Raises:
        ValueError: `start` does not begin with 0, falls, or does not end with the number of
            chunks; arrays of unequal length; negative lengths; not one name for each document.
    """

    start: NDArray[np.int64]
    """Document `d` owns chunks `start[d]` up to, not including, `start[d + 1]`."""

    length: NDArray[np.int32]
    """Characters in each chunk; a chunk owns the blanks up to the next one. 32 bits hold them
    (`rse.arrays.LARGEST`), and look-ups in a large corpus fetch half the memory."""

    tokens: NDArray[np.int64] | None = None
    """Tokens in each chunk, blanks owned likewise; None where nobody counts."""

    parent: NDArray[np.int64] | None = None
    """Number of the section each chunk belongs to; None where there are no sections."""

    identity: tuple[str, ...] | None = None
    """A name of each document that is the same in every corpus, such as a digest of its text."""

    token_sum: NDArray[np.int64] | None = field(init=False, default=None)
    """Tokens before each chunk, and in all: a run `[a, b)` has `token_sum[b] - token_sum[a]`."""

    def __post_init__(self) -> None:
        start, length = whole("Layout.start", self.start), whole("Layout.length", self.length)
        if len(start) == 0 or start[0] != 0 or (np.diff(start) < 0).any():
            raise ValueError("Layout.start must begin with 0 and never fall")
        if start[-1] != len(length):
            raise ValueError(
                f"Layout.start ends with {start[-1]}, but there are {len(length)} chunks"
            )
        in_bounds("length", length)
        fill(self, start=start, length=frozen(length.astype(np.int32)))
        for name in ("tokens", "parent"):
            values = getattr(self, name)
            if values is None:
                continue
            array = whole(f"Layout.{name}", values)
            if len(array) != len(length):
                raise ValueError(f"Layout.{name} needs one number for each of {len(length)} chunks")
            in_bounds(name, array)
            fill(self, **{name: array})
        if self.identity is not None:
            fill(self, identity=names("Layout.identity", self.identity, len(start) - 1))
        if self.tokens is not None:
            fill(self, token_sum=np.concatenate(([0], np.cumsum(self.tokens))))

    def __len__(self) -> int:
        return len(self.length)

    def document(self, chunk: ArrayLike) -> NDArray[np.int64]:
        """Return the number of the document that owns each chunk. O(log documents) each."""
        return np.searchsorted(self.start, np.asarray(chunk), side="right") - 1

    def tokens_of(self, first: NDArray[np.int64], last: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the tokens in each run of chunks `first` up to, not including, `last`.

        Raises:
            ValueError: The layout does not say how many tokens chunks have.
        """
        if self.token_sum is None:
            raise ValueError("this needs a layout with tokens: Layout(start, length, tokens=...)")
        found: NDArray[np.int64] = self.token_sum[last] - self.token_sum[first]
        return found

    def check(self, hits: Iterable[Hits]) -> tuple[Hits, ...]:
        """Return the hits; `ValueError` when they are no list of hits among these chunks."""
        if isinstance(hits, Hits):
            raise ValueError("select() takes a list of Hits, one for each search query: [hits]")
        checked = tuple(hits)
        for one in checked:
            if not isinstance(one, Hits):
                raise ValueError(f"select() takes a list of Hits, got {shown(one)} in it")
            if len(one.chunk) and (last := one.chunk[one.by_chunk[-1]]) >= len(self.length):
                raise ValueError(f"a hit names chunk {last}, but there are {len(self)}")
        return checked


class Segment(NamedTuple):
    """A run of chunks of one document: `first` up to, not including, `last`."""

    first: int
    last: int
    score: float


class Strategy(Protocol):
    """Turns ranked chunks into what the reader gets to see."""

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:
        """Choose what to show.

        Args:
            hits: One `Hits` for each search query of the question.
            layout: The corpus the chunk numbers refer to.

        Returns:
            Disjoint segments by descending score; equal scores by position.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class QuestionView:
    """What a strategy may know of a question beyond its hits: only `oracle` and its like ask."""

    id: str
    """The question's name, unique in its dataset."""

    documents: NDArray[np.int64] | None
    """Numbers of the documents searched; None for all."""

    gold_chunk: NDArray[np.int64]
    """Chunks in scope that hold gold, rising."""

    gold: NDArray[np.float64]
    """Gold characters in each of them, in lengths of each passage's first alternative."""


@runtime_checkable
class PerQuestion(Protocol):
    """A strategy that needs more than hits."""

    def for_question(self, view: QuestionView) -> Strategy:
        """Return the strategy to use for this one question."""
        ...


def segments(
    first: NDArray[np.int64], last: NDArray[np.int64], score: NDArray[np.float64]
) -> list[Segment]:
    """Make segments of parallel arrays, in the order every strategy returns."""
    scores = score.tolist()
    found = list(map(Segment, first.tolist(), last.tolist(), scores))
    # One query's greedy choice falls already; most answers need no sorting.
    return found if all(map(gt, scores, scores[1:])) else in_order(found)


def in_order(segments: Sequence[Segment]) -> list[Segment]:
    """Sort by descending score, equal scores by position: the order every strategy returns."""
    return sorted(segments, key=lambda segment: (-segment.score, segment.first))

"""Cut where the meaning changes: between neighbouring sentences that are unlike each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from bench.chunking import embedding
from bench.chunking.embedding import MODELS
from bench.chunking.packer import Packer
from bench.chunking.pieces import Piece, Pieces
from bench.chunking.rulers import Characters
from bench.chunking.sentences import AUTO, check_language, sentences
from bench.chunking.thresholds import breaks, check_threshold
from bench.types import Document
from rse.checks import ParameterError, named, whole


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Semantic:
    """End a chunk after a sentence that is farther from the next one than most are.

    Distance is one less the cosine of the embeddings. All sentences of a document are embedded at
    once, and their vectors kept, so that another threshold costs none. A sentence of more than
    `max_size` is cut first, as `Recursive` cuts, and its parts are taken for sentences.
    """

    threshold: str = "percentile"
    """What "most" means: a key of `bench.chunking.thresholds.THRESHOLDS`."""

    amount: float | None = None
    """Percentile, number of deviations or ranges, or cosine; None: 95, 3, 1.5, 95, 0.2."""

    min_size: int = 0
    """Characters below which a chunk does not end, if `max_size` allows."""

    max_size: int = 1000
    """Most characters of a chunk; larger ones are cut between sentences."""

    model: str = "minilm"
    """The embedding model."""

    language: str = AUTO
    """Code of the language, as `de`; `auto`: Chinese, Japanese or English, by the script."""

    def __post_init__(self) -> None:
        check_threshold(self.threshold, self.amount)
        whole("min_size", self.min_size, 0)
        whole("max_size", self.max_size, 1)
        if self.min_size > self.max_size:
            raise ParameterError(
                f"min_size must be at most max_size ({self.max_size}), got {self.min_size}"
            )
        if self.model not in MODELS:
            raise ParameterError(f"model must be one of {', '.join(MODELS)}, got {self.model!r}")
        check_language(self.language)

    def cut(self, document: Document) -> Pieces:
        return Pieces(self.split(document.text))

    def split(self, text: str) -> list[Piece]:
        """Return the chunks."""
        packer = Packer(text, Characters(text), self.max_size)
        parts = [part for one in sentences(text, self.language) for part in packer.cut(*one)]
        groups = _groups(parts, self._breaks(text, parts), self.min_size)
        return list(chain.from_iterable(map(packer.merge, groups)))

    def _breaks(self, text: str, parts: Sequence[Piece]) -> NDArray[np.bool_]:
        """Tell after which sentences a chunk ends, the last one left out."""
        if len(parts) < 2:
            return np.zeros(0, np.bool_)
        rows = embedding.vectors([text[start:end] for start, end in parts], self.model)
        cosine = np.einsum("ij,ij->i", rows[:-1], rows[1:], dtype=np.float64)
        return breaks(1 - cosine, self.threshold, self.amount)


def _groups(parts: list[Piece], ends: Iterable[bool], least: int) -> list[list[Piece]]:
    """Return the sentences of each chunk: one below `least` goes on, the last one goes back."""
    found: list[list[Piece]] = []
    first = 0
    for last, is_end in enumerate(ends, start=1):
        if is_end and parts[last - 1][1] - parts[first][0] >= least:
            found.append(parts[first:last])
            first = last
    rest = parts[first:]
    if found and rest[-1][1] - rest[0][0] < least:
        found[-1] += rest
    elif rest:
        found.append(rest)
    return found

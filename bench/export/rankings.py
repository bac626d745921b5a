"""The ranking of each question that a run has stored, with the chunks it ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Rankings:
    """What one chunker and retriever found in one dataset."""

    family: str
    """`chunker / retriever`."""
    corpus: Corpus
    chunks: Mapping[str, Sequence[int]]
    """Numbers of chunks, best first, by question."""

"""Whether an encoder knows the words of a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from bench.types import Dataset, Document

SAMPLE = 500_000
"""Characters of the documents, taken evenly, that the encoder's tokenizer looks at."""
PIECE = 2_000
"""Characters looked at in one place."""

ODD, FOREIGN = 0.05, 0.2
"""Shares of unknown tokens from which on a warning is due, and from which results mean little."""

Unknown = Callable[[Sequence[str]], tuple[int, int]]
"""Counts the tokens of some texts, and how many of them the encoder does not know."""


class UnknownShares(NamedTuple):
    """Shares of tokens that stand for words the encoder does not know; None: no text."""

    documents: float | None
    questions: float | None

    @property
    def worst(self) -> float | None:
        """The larger of the two."""
        return max((share for share in self if share is not None), default=None)


def unknown_shares(dataset: Dataset, count: Unknown) -> UnknownShares:
    """Look at a sample of the documents and at all search queries."""
    filled = [document for document in dataset.documents.values() if document.text.strip()]
    queries = [search for question in dataset.questions for search in question.searches]
    return UnknownShares(_share(count(list(sample(filled)))), _share(count(queries)))


def sample(documents: Sequence[Document]) -> Iterator[str]:
    """Yield pieces of the documents, evenly spread; whole ones where all together are small."""
    total = sum(len(document.text) for document in documents)
    if total <= SAMPLE:
        yield from (document.text for document in documents)
        return
    step = PIECE * -(-total // SAMPLE)
    skipped = 0
    for document in documents:
        for begin in range(-skipped % step, len(document.text), step):
            yield document.text[begin : begin + PIECE]
        skipped += len(document.text)


def coverage_warning(share: float | None) -> str | None:
    """Say what a share of unknown tokens means for results; None: nothing."""
    if share is None or not share > ODD:  # nan, too
        return None
    if share <= FOREIGN:
        return f"the encoder does not know {100 * share:.1f} % of the tokens"
    return f"the encoder does not cover this language: {100 * share:.1f} % of tokens are unknown"


def _share(counts: tuple[int, int]) -> float | None:
    tokens, unknown = counts
    return unknown / tokens if tokens else None

"""How precise an answer of whole chunks can be that holds all of the gold."""

from __future__ import annotations

from math import nan

import numpy as np
from numpy.typing import NDArray

from bench.corpus import Corpus
from bench.gold import documents_searched, shares
from bench.metrics.intervals import covered, size, union
from bench.types import Passage, Question, Span


def precision_omega(corpus: Corpus, question: Question) -> float:
    """Return the precision of an answer made of all chunks that hold gold.

    It depends on chunker and question alone: larger chunks, and chunks that overlap, carry more
    beside the gold. After precision_omega of the Chroma report on chunking (Smith and Troynikov,
    2024), but by unions of what chunks show: `bench.metrics.chroma_report` counts as they do.

    Of each passage one alternative counts: the one whose own chunks have the highest precision,
    the first of equals. Passages with no alternative in the chunks searched are left out.

    Args:
        corpus: The chunks.
        question: Where the gold is, and which documents are searched.

    Returns:
        Gold characters in the chunks that overlap the chosen alternatives, over the characters of
        these chunks, each once; nan where no chunk that is searched holds gold.

    The gold is [3, 7) of ten characters; two chunks of 4 hold it, of which 4 in 8 are gold:

    >>> from bench.chunking import Fixed
    >>> from bench.corpus import cut
    >>> from bench.tokens import tokenizer
    >>> from bench.types import Dataset, Document
    >>> made = Dataset("made", "", {"d": Document("d", "0123456789")}, ())
    >>> asked = Question("q", "?", gold=((Span("d", 3, 7),),))
    >>> precision_omega(cut(made, Fixed(size=4), tokenizer("o200k_base")), asked)
    0.5
    >>> precision_omega(cut(made, Fixed(size=10), tokenizer("o200k_base")), asked)
    0.4
    """
    scope = documents_searched(corpus, question)
    chosen = [one for passage in question.gold if (one := _best(corpus, passage, scope))]
    if not chosen:
        return nan
    return _precision([span for span, _ in chosen], [c for _, chunks in chosen for c in chunks])


def _best(
    corpus: Corpus, passage: Passage, scope: NDArray[np.int64] | None
) -> tuple[Span, list[Span]] | None:
    """Return the alternative with the highest precision, and the chunks that overlap it."""
    found = [
        (span, [corpus.chunk_span(chunk) for chunk, _ in shares(corpus, span, scope)])
        for span in passage
    ]
    held = [(span, chunks) for span, chunks in found if chunks]
    return max(held, key=lambda one: _precision([one[0]], one[1]), default=None)


def _precision(gold: list[Span], chunks: list[Span]) -> float:
    context = union(chunks)
    both = sum(
        covered(Span(doc, *run), context) for doc, runs in union(gold).items() for run in runs
    )
    return both / size(context)

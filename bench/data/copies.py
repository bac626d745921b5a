"""The same words elsewhere are the same answer: copies of a gold text become alternatives."""

from __future__ import annotations

from collections.abc import Iterable

from bench.types import Document, Passage, Span


def with_copies(span: Span, documents: Iterable[Document], text: str) -> Passage:
    """Return a gold span, then every other place in `documents` where the same text stands.

    Args:
        span: Where the gold is said to be.
        documents: Where to look.
        text: The text of the span.
    """
    found = [span]
    for document in documents:
        at = document.text.find(text)
        while at >= 0:
            if (document.id, at) != (span.doc, span.start):
                found.append(Span(document.id, at, at + len(text)))
            at = document.text.find(text, at + 1)
    return tuple(found)

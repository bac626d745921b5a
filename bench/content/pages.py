"""Which pages a span of text stands on."""

from __future__ import annotations

from bench.types import Document, Span


def pages(document: Document, span: Span) -> range:
    """Return the pages from the first to the last that a span stands on, counted from 0.

    Blanks at its ends do not count: chunks own those up to the next one, on the next page, maybe.
    Pages between that have no text, only a picture, do.
    """
    text = document.text[span.start : span.end]
    start = span.start + len(text) - len(text.lstrip())
    end = span.start + len(text.rstrip())
    if start >= end:
        return range(0)
    spans = enumerate(document.pages)
    found = [number for number, (first, last) in spans if first < end and start < last]
    return range(found[0], found[-1] + 1) if found else range(0)


def is_visual(document: Document, numbers: range) -> bool:
    """Tell whether the picture of one of these pages says what its text does not."""
    return any(number in numbers for number in document.visual)

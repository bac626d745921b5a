"""How segments are shown: as text under one heading or another, or as pictures of pages."""

from __future__ import annotations

from typing import Literal

from bench.types import Document

Form = Literal["tutorial", "text", "page_images", "dynamic"]
"""`tutorial`: text under `SEGMENT i (Chunks a-b):`, as in dsRAG's tutorial.
`text`: text under the title and summary of its document.
`page_images`: pictures of the pages it stands on; text where the document has none to draw.
`dynamic`: the pictures if one of these pages is visual, else text."""

DEFAULT: Form = "tutorial"
PICTURES: tuple[Form, ...] = ("page_images", "dynamic")
"""The forms that can show pictures."""


def numbered(number: int, first: int, last: int, text: str) -> str:
    """Put text under the heading of the tutorial.

    Args:
        number: Of the segment, from 1.
        first: Its first chunk, counted within the document, from 0.
        last: Its last chunk.
        text: What it says.
    """
    return f"SEGMENT {number} (Chunks {first}-{last}):\n{text}\n"


def titled(document: Document, text: str) -> str:
    """Put text under the title and summary of its document, if it has a title.

    The segment header of dsRAG 0.5.6 (`dsrag/auto_context.py`, `get_segment_header`) in words of
    our own: the same parts in the same order, a few tokens shorter.
    """
    title, summary = _line(document.title), _line(document.summary)
    if not title:
        return text
    return f"What follows is part of the document '{title}'. {summary}".rstrip() + f"\n\n{text}"


def _line(text: str) -> str:
    return " ".join(text.split())

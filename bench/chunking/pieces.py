"""What chunkers speak: a document in, pieces of it out."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from bench.types import Document

Piece = tuple[int, int]
"""Characters `start` up to, not including, `end`."""


class Pieces(NamedTuple):
    """The chunks of one document."""

    spans: list[Piece]
    """With rising starts; without overlap nothing but blanks lies outside them."""
    section: list[int] | None = None
    """Number, from 0 and never falling, of the section each lies in; None: no sections."""


class Chunker(Protocol):
    """Cuts documents into pieces; with the attribute `has_sections = True` it numbers sections."""

    def cut(self, document: Document) -> Pieces:
        """Return the pieces of a document; none where it is blank."""
        ...

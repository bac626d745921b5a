"""Whole sentences, as many as fit."""

from __future__ import annotations

from dataclasses import dataclass

from bench.chunking.packer import Packer
from bench.chunking.pieces import Piece, Pieces
from bench.chunking.rulers import CHARACTERS, check_unit, ruler
from bench.chunking.sentences import AUTO, check_language, sentences
from bench.types import Document
from rse.checks import named, whole


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """Pack sentences into chunks up to `size`, across paragraphs.

    A sentence that does not fit is cut on its own, as `Recursive` cuts. Chunks are trimmed of
    blanks.
    """

    size: int
    """Most characters or tokens of a chunk."""

    unit: str = CHARACTERS
    """`characters`, or the name of an encoding whose tokens are counted."""

    language: str = AUTO
    """Code of the language, as `de`; `auto`: Chinese, Japanese or English, by the script."""

    def __post_init__(self) -> None:
        whole("size", self.size, 1)
        check_unit(self.unit)
        check_language(self.language)

    def cut(self, document: Document) -> Pieces:
        return Pieces(self.split(document.text))

    def split(self, text: str) -> list[Piece]:
        """Return the chunks."""
        packer = Packer(text, ruler(text, self.unit), self.size)
        return list(packer.merge(sentences(text, self.language)))

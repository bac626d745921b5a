"""Cut at the largest natural border that gives pieces of the size asked for."""

from __future__ import annotations

from dataclasses import dataclass

from bench.chunking.packer import Packer
from bench.chunking.pieces import Piece, Pieces
from bench.chunking.rulers import CHARACTERS, check_unit, ruler
from bench.types import Document
from rse.checks import named, whole


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Recursive:
    """Pack paragraphs, lines, sentences (CJK, too), clauses and words into chunks up to `size`.

    At each level neighbouring parts are merged while they fit; a part that does not fit is cut at
    the next level on its own, as LangChain's recursive splitter does, but by offsets. What has no
    border at all is cut hard. Chunks are trimmed of blanks.
    """

    size: int
    """Most characters or tokens of a chunk."""

    unit: str = CHARACTERS
    """`characters`, or the name of an encoding whose tokens are counted."""

    def __post_init__(self) -> None:
        whole("size", self.size, 1)
        check_unit(self.unit)

    def cut(self, document: Document) -> Pieces:
        return Pieces(self.split(document.text))

    def split(self, text: str) -> list[Piece]:
        """Return the chunks."""
        packer = Packer(text, ruler(text, self.unit), self.size)
        return list(packer.cut(0, len(text)))

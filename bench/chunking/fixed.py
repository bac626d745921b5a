"""Windows of a fixed size, one after the other or overlapping."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bench.chunking.pieces import Piece, Pieces
from bench.chunking.rulers import CHARACTERS, check_unit, ruler
from bench.types import Document
from rse.checks import ParameterError, named, whole

_INK = re.compile(r"\S")


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """Cut every `size - overlap` units, wherever that falls; windows of blanks are dropped.

    In tokens these are the windows of the Chroma report's token chunker. A window that would begin
    or end inside a character begins or ends before it, and the next ones are counted from there;
    only a single character can have more tokens than `size`.
    """

    size: int
    """Characters or tokens of a window."""

    overlap: int = 0
    """How much of a window the next one repeats; less than `size`."""

    unit: str = CHARACTERS
    """`characters`, or the name of an encoding whose tokens are counted."""

    def __post_init__(self) -> None:
        whole("size", self.size, 1)
        whole("overlap", self.overlap, 0)
        if self.overlap >= self.size:
            raise ParameterError(
                f"overlap must be less than size ({self.size}), got {self.overlap}"
            )
        check_unit(self.unit)

    def cut(self, document: Document) -> Pieces:
        return Pieces(self.split(document.text))

    def split(self, text: str) -> list[Piece]:
        """Return the windows."""
        along = ruler(text, self.unit)
        found: list[Piece] = []
        start = end = 0
        while end < len(text):
            end = _past(start, along.furthest(start, self.size))
            if _INK.search(text, start, end):
                found.append((start, end))
            start = _past(start, along.furthest(start, self.size - self.overlap))
        return found


def _past(start: int, end: int) -> int:
    """Move on by a character at least: one may have more tokens than fit."""
    return max(end, start + 1)

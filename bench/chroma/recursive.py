"""The report's recursive chunker: LangChain's, cut for cut, but by offsets."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from bench.chunking.packer import trim
from bench.chunking.pieces import Piece, Pieces
from bench.types import Document

SEPARATORS = ("\n\n", "\n", ".", "?", "!", " ", "")
"""From paragraphs to characters."""


@dataclass(frozen=True, slots=True)
class ReportRecursive:
    """Cut at the first separator a text has, and what is still too long at the next one.

    Ours (`bench.chunking.Recursive`) keeps a separator with the words before it and has no overlap;
    here it stands with those behind it. A chunk's size is the sum of its parts' sizes, which in
    tokens is more than that of the whole.
    """

    size: int
    """Parts of this size or more are cut further; a chunk has at most as much."""

    overlap: int
    """Most that a chunk repeats of the one before it."""

    measure: Callable[[str], int]
    """Tells how long a text is."""

    separators: tuple[str, ...] = SEPARATORS
    """Tried in turn; the last one is empty: between characters."""

    def cut(self, document: Document) -> Pieces:
        return Pieces(list(self._split(document.text, (0, len(document.text)), self.separators)))

    def _split(self, text: str, whole: Piece, separators: tuple[str, ...]) -> Iterator[Piece]:
        start, end = whole
        level = next(i for i, one in enumerate(separators) if text.find(one, start, end) >= 0)
        rest = separators[level + 1 :]
        small: list[tuple[Piece, int]] = []
        for part in _parts(text, whole, separators[level]):
            size = self.measure(text[slice(*part)])
            if size < self.size:
                small.append((part, size))
                continue
            yield from self._merged(text, small)
            small = []
            if rest:
                yield from self._split(text, part, rest)
            else:
                yield part
        yield from self._merged(text, small)

    def _merged(self, text: str, parts: list[tuple[Piece, int]]) -> Iterator[Piece]:
        """Put neighbouring parts together while they fit, and go back by the overlap."""
        between = self.measure("")  # word pieces count two marks around every text, even this one
        held: deque[tuple[Piece, int]] = deque()
        total = 0
        for part, size in parts:
            if held and total + size + between > self.size:
                yield from _joined(text, held)
                while total > self.overlap or (
                    total > 0 and total + size + (between if held else 0) > self.size
                ):
                    total -= held[0][1] + (between if len(held) > 1 else 0)
                    held.popleft()
            held.append((part, size))
            total += size + (between if len(held) > 1 else 0)
        yield from _joined(text, held)


def _joined(text: str, held: deque[tuple[Piece, int]]) -> Iterator[Piece]:
    """Yield a chunk without the blanks at its ends, if anything is left."""
    if held:
        start, end = trim(text, held[0][0][0], held[-1][0][1])
        if start < end:
            yield start, end


def _parts(text: str, whole: Piece, separator: str) -> Iterator[Piece]:
    """Cut before every separator."""
    start, end = whole
    borders = [start]
    if separator:
        at = text.find(separator, start, end)
        while at >= 0:
            borders.append(at)
            at = text.find(separator, at + len(separator), end)
    else:
        borders += range(start + 1, end)
    yield from (part for part in pairwise([*borders, end]) if part[0] < part[1])

"""Cut at the largest natural border that gives pieces of the size asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bench.chunking.pieces import Piece, TextChunker
from bench.chunking.rulers import CHARACTERS, Ruler, check_unit, ruler
from rse.checks import named, whole

BORDERS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\n\n+",
        r"\n",
        r"[.?!]\s|[。！？；][”’」』）]*",
        r"[,;:]\s|[，、：]",
        r"\s",
    )
)
"""From paragraphs to words; a border belongs to the piece before it."""


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Recursive(TextChunker):
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

    def split(self, text: str) -> list[Piece]:
        """Return the chunks."""
        packer = _Packer(text, ruler(text, self.unit), self.size)
        trimmed = _trim(text, 0, len(text))
        return list(packer.pack(*trimmed, 0)) if trimmed[0] < trimmed[1] else []


@dataclass(frozen=True, slots=True)
class _Packer:
    text: str
    ruler: Ruler
    size: int

    def pack(self, start: int, end: int, level: int) -> Iterator[Piece]:
        """Yield trimmed chunks of a span that begins and ends with no blank."""
        if self._fits(start, end):
            yield start, end
        elif level == len(BORDERS):
            yield from self._cut(start, end)
        else:
            yield from self._merge(start, end, level)

    def _merge(self, start: int, end: int, level: int) -> Iterator[Piece]:
        held: Piece | None = None
        for part in self._parts(start, end, level):
            if held and self._fits(held[0], part[1]):
                held = (held[0], part[1])
                continue
            if held:
                yield held
            held = part if self._fits(*part) else None
            if not held:
                yield from self.pack(*part, level + 1)
        if held:
            yield held

    def _parts(self, start: int, end: int, level: int) -> Iterator[Piece]:
        at = start
        borders = (match.end() for match in BORDERS[level].finditer(self.text, start, end))
        for border in [*borders, end]:
            part = _trim(self.text, at, border)
            if part[0] < part[1]:
                yield part
            at = border

    def _cut(self, start: int, end: int) -> Iterator[Piece]:
        at = start
        while at < end:
            # A character of more tokens than the size still makes a chunk of its own.
            border = max(min(self.ruler.furthest(at, self.size), end), at + 1)
            part = _trim(self.text, at, border)
            if part[0] < part[1]:
                yield part
            at = border

    def _fits(self, start: int, end: int) -> bool:
        return self.ruler.measure(start, end) <= self.size


def _trim(text: str, start: int, end: int) -> Piece:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end

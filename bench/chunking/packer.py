"""Cut spans of one text at natural borders: what all chunkers with a size have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from bench.chunking.pieces import Piece, Pieces
from bench.chunking.rulers import Ruler

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


class Section(NamedTuple):
    """A span whose chunks reach into no other."""

    start: int
    end: int
    body: int = 0
    """Where the text below its heading begins; no chunk ends before it, if the size allows."""


@dataclass(frozen=True, slots=True)
class Packer:
    """Cuts spans of a text into trimmed chunks of at most `size`; the ruler is built once."""

    text: str
    ruler: Ruler
    size: int

    def cut(self, start: int, end: int) -> Iterator[Piece]:
        """Yield the chunks of a span; none where it is blank."""
        return self._cut(start, end, 0)

    def sections(self, sections: Iterable[Section]) -> Pieces:
        """Cut each section on its own, and number those that are not blank."""
        spans: list[Piece] = []
        numbers: list[int] = []
        for start, end, body in sections:
            before = len(spans)
            spans.extend(self._cut(start, end, self._kept(start, body, end)))
            numbers += [numbers[-1] + 1 if numbers else 0] * (len(spans) - before)
        return Pieces(spans, numbers)

    def merge(self, parts: Iterable[Piece]) -> Iterator[Piece]:
        """Yield neighbouring trimmed parts together while they fit; cut those that do not."""
        return self._merge(parts, 0, 0)

    def fits(self, start: int, end: int) -> bool:
        """Tell whether a span is small enough for a chunk."""
        return self.ruler.measure(start, end) <= self.size

    def _kept(self, start: int, body: int, end: int) -> int:
        """Keep a heading with its text, unless it would leave less than half a chunk for it."""
        if body <= start or 2 * self.ruler.measure(start, body) > self.size:
            return 0
        return trim(self.text, body, end)[0]

    def _cut(self, start: int, end: int, kept: int) -> Iterator[Piece]:
        part = trim(self.text, start, end)
        return self._pack(*part, 0, kept) if part[0] < part[1] else iter(())

    def _pack(self, start: int, end: int, level: int, kept: int) -> Iterator[Piece]:
        """Yield the chunks of a trimmed span, with no border before `kept`."""
        if self.fits(start, end):
            yield start, end
        elif level == len(BORDERS):
            yield from self._hard(start, end)
        else:
            yield from self._merge(self._parts(start, end, level, kept), level + 1, kept)

    def _merge(self, parts: Iterable[Piece], level: int, kept: int) -> Iterator[Piece]:
        held: Piece | None = None
        for part in parts:
            if held and self.fits(held[0], part[1]):
                held = (held[0], part[1])
                continue
            if held:
                yield held
            held = part if self.fits(*part) else None
            if not held:
                yield from self._pack(*part, level, kept)
        if held:
            yield held

    def _parts(self, start: int, end: int, level: int, kept: int) -> Iterator[Piece]:
        at = start
        borders = BORDERS[level].finditer(self.text, max(start, kept), end)
        for border in chain((match.end() for match in borders), (end,)):
            part = trim(self.text, at, border)
            if part[0] < part[1]:
                yield part
            at = border

    def _hard(self, start: int, end: int) -> Iterator[Piece]:
        at = start
        while at < end:
            # A character of more tokens than the size still makes a chunk of its own.
            border = max(min(self.ruler.furthest(at, self.size), end), at + 1)
            part = trim(self.text, at, border)
            if part[0] < part[1]:
                yield part
            at = border


def trim(text: str, start: int, end: int) -> Piece:
    """Return a span without the blanks at its ends."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end

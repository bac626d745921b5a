"""The sections of a Markdown text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from bench.chunking.headings import headings
from bench.chunking.packer import Packer, Section
from bench.chunking.pieces import Pieces
from bench.chunking.rulers import CHARACTERS, check_unit, ruler
from bench.types import Document
from rse.checks import named, whole


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Markdown:
    """Cut at headings, and what is too long within its section, as `Recursive` cuts.

    A heading stays with the text below it, unless it takes more than half a chunk. What comes
    before the first heading is a section; so is a text without headings.
    """

    has_sections: ClassVar[bool] = True

    size: int
    """Most characters or tokens of a chunk."""

    unit: str = CHARACTERS
    """`characters`, or the name of an encoding whose tokens are counted."""

    def __post_init__(self) -> None:
        whole("size", self.size, 1)
        check_unit(self.unit)

    def cut(self, document: Document) -> Pieces:
        """Return the chunks, with the number of their section."""
        text = document.text
        return Packer(text, ruler(text, self.unit), self.size).sections(_sections(text))


def _sections(text: str) -> Iterator[Section]:
    start = body = 0
    for heading in headings(text):
        yield Section(start, heading.start, body)
        start, body = heading
    yield Section(start, len(text), body)

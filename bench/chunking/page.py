"""The pages of a document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from bench.chunking.packer import Packer, Section, trim
from bench.chunking.pieces import Pieces
from bench.chunking.rulers import CHARACTERS, check_unit, ruler
from bench.types import Document
from rse.checks import named, whole


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One chunk a page, or several where a size is given; the page is the section.

    A page reaches up to the next one, so what stands between them is not lost. A document without
    pages is one page. Chunks are trimmed of blanks.
    """

    has_sections: ClassVar[bool] = True

    size: int | None = None
    """Most characters or tokens of a chunk, cut as `Recursive` cuts; None: whole pages."""

    unit: str = CHARACTERS
    """`characters`, or the name of an encoding whose tokens are counted."""

    def __post_init__(self) -> None:
        if self.size is not None:
            whole("size", self.size, 1)
        check_unit(self.unit)

    def cut(self, document: Document) -> Pieces:
        """Return the chunks, with the number of their page among those that are not blank."""
        text = document.text
        if self.size is not None:
            packer = Packer(text, ruler(text, self.unit), self.size)
            return packer.sections(_pages(document))
        trimmed = (trim(text, page.start, page.end) for page in _pages(document))
        spans = [(start, end) for start, end in trimmed if start < end]
        return Pieces(spans, list(range(len(spans))))


def _pages(document: Document) -> Iterator[Section]:
    length = len(document.text)
    inner = sorted({start for start, _ in document.pages})[1:]
    for start, end in pairwise([0, *inner, length]):
        yield Section(start, end)

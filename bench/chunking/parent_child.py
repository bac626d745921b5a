"""Small chunks to search in, each within a large one to read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bench.chunking.packer import Packer, Section
from bench.chunking.pieces import Pieces
from bench.chunking.rulers import CHARACTERS, check_unit, ruler
from bench.types import Document
from rse.checks import ParameterError, named, whole


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class ParentChild:
    """Cut as `Recursive` into parents, and each parent into children; the parent is the section."""

    has_sections: ClassVar[bool] = True

    size: int
    """Most characters or tokens of a child: the chunk that is searched."""

    parent_size: int
    """Most characters or tokens of a parent; more than `size`."""

    unit: str = CHARACTERS
    """`characters`, or the name of an encoding whose tokens are counted."""

    def __post_init__(self) -> None:
        whole("size", self.size, 1)
        whole("parent_size", self.parent_size, 1)
        if self.parent_size <= self.size:
            raise ParameterError(
                f"parent_size must be more than size ({self.size}), got {self.parent_size}"
            )
        check_unit(self.unit)

    def cut(self, document: Document) -> Pieces:
        """Return the children, with the number of their parent."""
        text = document.text
        along = ruler(text, self.unit)
        parents = Packer(text, along, self.parent_size).cut(0, len(text))
        return Packer(text, along, self.size).sections(Section(*parent) for parent in parents)

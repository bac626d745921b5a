"""Where documents are cut. Every chunk is a span of the source: `text[start:end]`, never a copy."""

from bench.chunking.fixed import Fixed
from bench.chunking.markdown import Markdown
from bench.chunking.page import Page
from bench.chunking.parent_child import ParentChild
from bench.chunking.pieces import Chunker, Piece, Pieces
from bench.chunking.recursive import Recursive
from bench.chunking.semantic import Semantic
from bench.chunking.sentence import Sentence

__all__ = [
    "Chunker",
    "Fixed",
    "Markdown",
    "Page",
    "ParentChild",
    "Piece",
    "Pieces",
    "Recursive",
    "Semantic",
    "Sentence",
]

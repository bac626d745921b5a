"""Where documents are cut. Every chunk is a span of the source: `text[start:end]`, never a copy."""

from bench.chunking.fixed import Fixed
from bench.chunking.pieces import Chunker, Piece, Pieces
from bench.chunking.recursive import Recursive

__all__ = ["Chunker", "Fixed", "Piece", "Pieces", "Recursive"]

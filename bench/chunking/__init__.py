"""Where documents are cut. Every chunk is a span of the source: `text[start:end]`, never a copy."""

from bench.chunking.fixed import Fixed
from bench.chunking.recursive import Recursive
from bench.chunking.rulers import Chunker

__all__ = ["Chunker", "Fixed", "Recursive"]

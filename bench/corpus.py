"""All chunks of a dataset, and what a run of them costs: each document is tokenised once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.chunking import Chunker, Pieces
from bench.metrics.intervals import union
from bench.tokens import Tokenizer, TokenMap
from bench.types import Dataset, Document, Span
from rse import Layout, Segment


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """The chunks of all documents, one after the other; the arrays are parallel to the chunks."""

    documents: tuple[Document, ...]
    number: Mapping[str, int]
    """Place of each document, by id."""
    maps: tuple[TokenMap, ...]
    """The tokens of each document."""
    start: NDArray[np.int64]
    """Where a chunk begins in its document."""
    end: NDArray[np.int64]
    """Where its text ends."""
    reach: NDArray[np.int64]
    """Where what it owns ends: the blanks up to the next chunk are its own."""
    costs: NDArray[np.int64]
    """Tokens it owns."""
    layout: Layout
    """Documents, and characters and tokens owned by each chunk."""
    overlapping: bool
    """Whether some chunk begins before the one before it ends."""

    @property
    def blank(self) -> int:
        """Count the documents without a chunk."""
        return int((np.diff(self.layout.start) == 0).sum())

    @property
    def single(self) -> int:
        """Count the documents of one chunk."""
        return int((np.diff(self.layout.start) == 1).sum())

    def text(self, chunk: int) -> str:
        """Return what is embedded for a chunk."""
        return self._document(chunk).text[self.start[chunk] : self.end[chunk]]

    def chunk_span(self, chunk: int) -> Span:
        """Return what a chunk shows the reader: its text and the blanks it owns."""
        return Span(self._document(chunk).id, int(self.start[chunk]), int(self.reach[chunk]))

    def chunk_tokens(self, chunk: int) -> int:
        """Return what a chunk costs."""
        return int(self.costs[chunk])

    def span(self, segment: Segment) -> Span:
        """Return what a segment shows the reader."""
        end = int(self.reach[segment.first : segment.last].max())
        return Span(self._document(segment.first).id, int(self.start[segment.first]), end)

    def slice(self, span: Span) -> str:
        """Return the source text of a span."""
        return self.documents[self.number[span.doc]].text[span.start : span.end]

    def tokens(self, spans: Iterable[Span]) -> int:
        """Count the document tokens that begin in the union of some spans, each once."""
        return sum(
            self.maps[self.number[doc]].count(start, end)
            for doc, runs in union(spans).items()
            for start, end in runs
        )

    def furthest(self, span: Span, tokens: int) -> int:
        """Return where a span must end to cost at most `tokens`."""
        return self.maps[self.number[span.doc]].furthest(span.start, span.end, tokens)

    def _document(self, chunk: int) -> Document:
        return self.documents[int(self.layout.document(chunk))]


def cut(dataset: Dataset, chunker: Chunker, tokenizer: Tokenizer) -> Corpus:
    """Chunk every document of a dataset, in order. Blank documents have no chunks."""
    documents = tuple(dataset.documents.values())
    maps = tuple(TokenMap(tokenizer.starts(document.text)) for document in documents)
    pieces = [chunker.cut(document) for document in documents]
    begin = np.cumsum([0, *(len(group.spans) for group in pieces)])
    start = np.array([piece[0] for group in pieces for piece in group.spans], np.int64)
    end = np.array([piece[1] for group in pieces for piece in group.spans], np.int64)
    reach, overlapping = _reach(documents, begin, start, end)
    counts = [
        maps[number].count(int(start[chunk]), int(reach[chunk]))
        for number in range(len(documents))
        for chunk in range(begin[number], begin[number + 1])
    ]
    costs = np.array(counts, np.int64)
    layout = Layout(
        begin,
        reach - start,
        tokens=costs,
        parent=_parents(pieces),
        identity=tuple(_identity(document) for document in documents),
    )
    number = {document.id: place for place, document in enumerate(documents)}
    return Corpus(documents, number, maps, start, end, reach, costs, layout, overlapping)


def _parents(pieces: Sequence[Pieces]) -> NDArray[np.int64] | None:
    """Number the sections of all documents through; None where there are none."""
    found: list[int] = []
    begin = 0
    for group in pieces:
        if group.section is None:
            return None
        found += [begin + number for number in group.section]
        begin = found[-1] + 1 if found else 0
    return np.array(found, np.int64)


def _identity(document: Document) -> str:
    """Name a document by its text, so that a copy in another dataset has the same name."""
    return hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _reach(
    documents: Sequence[Document],
    begin: NDArray[np.int64],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
) -> tuple[NDArray[np.int64], bool]:
    """Let each chunk own the blanks behind it, up to the next chunk or the end of the document."""
    reach = end.copy()
    overlapping = False
    for place, document in enumerate(documents):
        first, last = int(begin[place]), int(begin[place + 1])
        if first == last:
            continue
        following = [*start[first + 1 : last].tolist(), len(document.text)]
        reach[first:last] = np.maximum(end[first:last], following)
        overlapping |= bool((end[first : last - 1] > start[first + 1 : last]).any())
    return reach, overlapping

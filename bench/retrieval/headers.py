"""What stands above a chunk when it is searched: of what document and section it is a part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bench.chunking.headings import headings
from bench.corpus import Corpus
from bench.types import Document

LONGEST = 300
"""Characters of a header at most: an encoder reads some 1,000 in all."""


def headed_texts(corpus: Corpus, documents: Sequence[Document]) -> tuple[list[str], int]:
    """Return each chunk's text under its header, which may be empty.

    Args:
        corpus: The chunks.
        documents: Its documents, in its order, with the titles and summaries to show.

    Returns:
        The texts, and how many headers had to be shortened.
    """
    found: list[str] = []
    shortened = 0
    for number, document in enumerate(documents):
        first, last = corpus.layout.start[number : number + 2].tolist()
        starts = corpus.start[first:last].tolist()
        for chunk, path in zip(range(first, last), _paths(document, starts), strict=True):
            head, whole = _header(document, path)
            shortened += not whole
            text = corpus.text(chunk)
            found.append(f"{head}\n\n{text}" if head else text)
    return found, shortened


def _header(document: Document, path: list[str]) -> tuple[str, bool]:
    """Lay out title, summary and section path, each once, one a line; say whether all is there.

    Where that is too long, the summary gives way: it is the same for all chunks of a document.
    """
    title, summary, section = _line(document.title), _line(document.summary), " > ".join(path)
    kept = _lines(title, summary, section)
    if len(kept) <= LONGEST:
        return kept, True
    room = max(LONGEST - len(_lines(title, "", section)) - 1, 0)
    # A space behind: a word that ends at the border is whole.
    shorter = f"{summary} "[: room + 1].rpartition(" ")[0]
    return _lines(title, shorter, section)[:LONGEST].rstrip(), False


def _lines(*parts: str) -> str:
    return "\n".join(part for part in dict.fromkeys(parts) if part)


def _paths(document: Document, starts: list[int]) -> Iterator[list[str]]:
    """Yield, for each chunk, the headings above its beginning, outermost first.

    The document's title is left out: it stands in the header anyway. `starts` rises.
    """
    title = _line(document.title)
    coming = list(headings(document.text))
    above: list[tuple[int, int, str]] = []
    at = 0
    for start in starts:
        while at < len(coming) and coming[at].start <= start:
            level, words = _parsed(document.text[coming[at].start : coming[at].end])
            above = [one for one in above if one[0] < level]
            above.append((level, coming[at].start, words))
            at += 1
        # A heading that the chunk begins with stands in its own text.
        yield [words for _, begin, words in above if begin < start and words not in ("", title)]


def _parsed(heading: str) -> tuple[int, str]:
    """Return a heading's level and its words."""
    lines = heading.strip().split("\n")
    marks = len(lines[0]) - len(lines[0].lstrip("#"))
    if marks:
        return marks, _line(lines[0].strip("# \t"))
    return (1 if lines[-1].strip().startswith("=") else 2), _line(" ".join(lines[:-1]))


def _line(text: str) -> str:
    return " ".join(text.split())

"""Where quotes stand in documents, one document in memory's sight at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from bench.data.errors import DatasetError
from bench.data.locate import Locator
from bench.data.own.questions import Wanted
from bench.types import Document, Span

MOST = 20
"""So many places are kept; of more there is only the count."""


@dataclass(slots=True)
class Places:
    """Where a quote stands."""

    count: int = 0
    spans: list[Span] = field(default_factory=list)
    """The first of them, `MOST` at most."""


Query = tuple[Wanted, tuple[str, ...] | None]
"""What is looked for, and the documents where; None: all."""


class Search:
    """Looks for quotes; documents of the same text are one, of which the first is named."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        by_text: dict[str, str] = {}
        self._first = {id_: by_text.setdefault(d.text, id_) for id_, d in documents.items()}

    def find(self, queries: Iterable[Query], *, loose: bool = False) -> dict[Query, Places]:
        """Return where quotes stand and the page, start and end that are given hold.

        Args:
            queries: Each has a quote; a page, start or end only if it names its document, and they
                are right for it.
            loose: As of `Locator.find`.
        """
        found = {query: Places() for query in queries}
        by_document: dict[str, list[Query]] = defaultdict(list)
        for query in found:
            for id_ in self._searched(query[1]):
                by_document[id_].append(query)
        for id_, document in self._documents.items():
            locator = Locator(document.text)
            for query in by_document.get(id_, ()):
                places = found[query]
                for span in _spans(locator, document, query[0], loose):
                    places.count += 1
                    if places.count <= MOST:
                        places.spans.append(span)
        return found

    def _searched(self, docs: tuple[str, ...] | None) -> Iterable[str]:
        """Return the documents to look in, the first of those that have the same text."""
        return {self._first[id_]: id_ for id_ in reversed(docs or [*self._documents])}.values()


def _spans(locator: Locator, document: Document, wanted: Wanted, loose: bool) -> Iterator[Span]:
    text = document.text
    lowest, highest = 0, len(text)
    if wanted.page is not None:
        lowest, highest = document.pages[wanted.page - 1]  # where it begins: it may run on
    if wanted.start is not None:
        lowest = after_blanks(text, wanted.start)
        highest = lowest + 1
    end = None if wanted.end is None else before_blanks(text, wanted.end)
    try:
        found = locator.find(wanted.quote or "", (lowest, len(text)), loose=loose)
    except DatasetError:  # nothing of the quote is left to look for, so it stands nowhere
        return
    for first, last in found:
        if first < highest and end in {None, last}:
            yield Span(document.id, first, last)


def after_blanks(text: str, at: int) -> int:
    """Return where the blanks that begin here end."""
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def before_blanks(text: str, at: int) -> int:
    """Return where the blanks that end here begin."""
    while at > 0 and text[at - 1].isspace():
        at -= 1
    return at

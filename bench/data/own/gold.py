"""Places gold where it certainly is, or says why it cannot; nothing is guessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bench.data.own.names import Names
from bench.data.own.questions import Asked, Wanted
from bench.data.own.search import Places, Query, Search, after_blanks, before_blanks
from bench.types import Document, Span

BEGINNING = 40
"""Characters of a quote that is not found, whose place may tell why."""
SHORTEST = 8
"""Fewer characters tell nothing."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a piece of gold has no certain place, and what to do."""

    why: str
    places: tuple[Span, ...] = ()
    """Where it may have been meant."""
    count: int = 0
    """Number of such places, of which `places` may be the first."""

    @property
    def reason(self) -> str:
        """`why` without the words that lead over to the places."""
        return self.why.rpartition("; ")[0] if self.why.endswith(" here") else self.why


@dataclass(slots=True)
class Placed:
    """A question's gold."""

    spans: list[Span] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    loose: bool = False
    """Whether a quote differs from the text in more than white space and kinds of signs."""
    cut: bool = False
    """Whether a quote begins or ends inside a word."""


class Placer:
    """Places the gold of questions in documents."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        self._names = Names(documents)
        self._search = Search(documents)

    def place(self, asked: Sequence[Asked]) -> list[Placed]:
        """Return the gold of each question; one with trouble is to be left out."""
        placed = [Placed() for _ in asked]
        sought: list[tuple[Placed, Query]] = []
        for question, result in zip(asked, placed, strict=True):
            scope, wrong = self._scope(question)
            result.troubles += wrong
            for piece in question.gold if not wrong else ():
                known = self._known(piece, scope)
                if isinstance(known, Trouble):
                    result.troubles.append(known)
                elif isinstance(known, Span):
                    result.spans.append(known)
                else:
                    sought.append((result, known))
        self._quotes(sought)
        return placed

    def scope(self, question: Asked) -> list[str] | None:
        """Return the ids of the documents that a question without trouble is about."""
        return None if question.scope is None else [self._names[doc] for doc in question.scope]

    def _scope(self, question: Asked) -> tuple[tuple[str, ...] | None, list[Trouble]]:
        if question.scope is None:
            return None, []
        wrong = [doc for doc in question.scope if doc not in self._names]
        if wrong:
            return None, [Trouble(f"scope: {self._names.near(doc)}") for doc in wrong]
        return tuple(self._names[doc] for doc in question.scope), []

    def _known(self, piece: Wanted, scope: tuple[str, ...] | None) -> Trouble | Span | Query:
        """Check a piece of gold, and place it if it is no quote."""
        if piece.doc is None:
            if (piece.page, piece.start, piece.end) != (None, None, None):
                return Trouble("a page, start or end needs a doc")
            return piece, scope
        if piece.doc not in self._names:
            return Trouble(f"doc: {self._names.near(piece.doc)}")
        document = self._documents[self._names[piece.doc]]
        wrong = _wrong(piece, document)
        if scope is not None and document.id not in scope:
            wrong = f"the gold is in {document.id!r}, which the scope does not name"
        if wrong:
            return Trouble(wrong)
        if piece.quote is not None:
            return piece._replace(doc=document.id), (document.id,)
        return _stretch(piece, document)

    def _quotes(self, sought: Sequence[tuple[Placed, Query]]) -> None:
        """Look for quotes strictly, and for those that stand nowhere, loosely."""
        strict = self._search.find(query for _, query in sought)
        missing = [query for query, places in strict.items() if not places.count]
        # At the same time for what may tell why, for each look at the documents takes its time.
        clues = [
            clue for query in missing for clue in (query, _elsewhere(query), _beginning(query))
        ]
        loose = self._search.find(clues, loose=True)
        for result, query in sought:
            places = strict[query] if strict[query].count else loose[query]
            if places.count == 1:
                span = places.spans[0]
                result.spans.append(span)
                result.loose |= not strict[query].count
                result.cut |= _is_cut(self._documents[span.doc].text, span)
            elif places.count:
                why = f"the quote {_short(query)} stands in {places.count:,} places"
                how = "quote more of it, or tell them apart by doc, page or start"
                result.troubles.append(_trouble(f"{why}: {how}", places))
            else:
                result.troubles.append(_nowhere(query, loose))


def _nowhere(query: Query, loose: Mapping[Query, Places]) -> Trouble:
    """Say of a quote that is not where it should be where it is, or its beginning."""
    why = f"the quote {_short(query)} is not {_where(query)}"
    clues = (_elsewhere(query), "but here"), (_beginning(query), "its beginning is here")
    for clue, told in clues:
        if loose[clue].count:
            return _trouble(f"{why}; {told}", loose[clue])
    return Trouble(why)


def _wrong(piece: Wanted, document: Document) -> str:
    """Say what is wrong with a page or offsets; empty: nothing."""
    start, end, page = piece.start, piece.end, piece.page
    pages, length = len(document.pages), len(document.text)
    if page is not None and (start is not None or end is not None):
        return "give a page, or start and end, not both"
    if page is not None and page > pages:
        has = f"{pages} pages, counted from 1" if pages else "no pages: only PDF files have them"
        return f"there is no page {page} in {document.id!r}, which has {has}"
    if end is not None and start is None:
        return "an end needs a start"
    if start is not None and not start < (length if end is None else end) <= length:
        return f"[{start}, {'' if end is None else end}) is no span of {document.id!r}, " + (
            f"which has {length:,} characters"
        )
    if piece.quote is None and page is None and (start is None or end is None):
        return "a doc alone is no gold: give a quote, a page, or start and end"
    return ""


def _stretch(piece: Wanted, document: Document) -> Trouble | Span:
    """Return the whole page, or what stands at the offsets; without blanks at the ends."""
    if piece.page is not None:
        start, end = document.pages[piece.page - 1]
    else:
        start, end = piece.start or 0, piece.end or 0
    text = document.text
    if not text[start:end].strip():
        what = f"page {piece.page}" if piece.page else f"[{start}, {end})"
        return Trouble(f"there is no text at {what} of {document.id!r}")
    return Span(document.id, after_blanks(text, start), before_blanks(text, end))


def _trouble(why: str, places: Places) -> Trouble:
    return Trouble(why, tuple(places.spans), places.count)


def _elsewhere(query: Query) -> Query:
    return Wanted(query[0].quote, None, None, None, None), None


def _beginning(query: Query) -> Query:
    quote = query[0].quote or ""
    half = min(BEGINNING, len(quote) // 2)
    # A word or two stand anywhere: nothing is looked for, and nowhere found.
    return _elsewhere((query[0]._replace(quote=quote[:half] if half >= SHORTEST else ""), None))


def _short(query: Query) -> str:
    quote = " ".join((query[0].quote or "").split())
    return repr(quote if len(quote) <= BEGINNING else f"{quote[:BEGINNING]}...")


def _where(query: Query) -> str:
    piece, scope = query
    if piece.doc is None:
        return "in any document" if scope is None else "in any document of its scope"
    if piece.page is not None:
        return f"on page {piece.page} of {piece.doc!r}"
    if piece.start is not None:
        return f"at {piece.start:,} of {piece.doc!r}"
    return f"in {piece.doc!r}"


def _is_cut(text: str, span: Span) -> bool:
    """Tell whether a span begins or ends inside a word; Chinese and the like have no blanks."""
    sides = ((at - 1, at) for at in (span.start, span.end) if 0 < at < len(text))
    return any(_is_letter(text[left]) and _is_letter(text[right]) for left, right in sides)


def _is_letter(sign: str) -> bool:
    return sign.isalnum() and ord(sign) < 0x2E80

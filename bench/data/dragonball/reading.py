"""Upstream's files as documents and questions; quotes are not looked for yet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

from bench.data.dragonball.upstream import Article, Asked, Double, Lonely, Pair, Single
from bench.data.locate import Locator
from bench.data.normal import normalise
from bench.data.rows import read
from bench.types import Document, Span

PROFILED = frozenset({"financial_report", "财务报告"})
"""Files whose article upstream puts the profile of the company in front of."""


@dataclass(frozen=True)
class Source:
    """A document, and the text from which upstream took its quotes."""

    id: str
    subject: str
    article: str
    profile: str = ""
    """A sentence on the company; quotes may begin in it and end in the article."""

    @cached_property
    def document(self) -> Document:
        """The document: its profile, if there is one, is a line of its own."""
        text = f"{self.profile}\n{self.article}" if self.profile else self.article
        return Document(self.id, text, title=self.subject.replace("_", ", "))

    def verbatim(self, quote: str) -> list[Span]:
        """Return the places where the quote stands to the letter, none over another."""
        spans, at = [], self._quoted.find(quote)
        while at >= 0:
            spans.append(self._span(at, at + len(quote)))
            at = self._quoted.find(quote, at + len(quote))
        return spans

    def alike(self, quote: str) -> list[Span]:
        """Return the places where it stands but for white space and forms of characters."""
        return [self._span(start, end) for start, end in self._locator.find(quote)]

    def _span(self, start: int, end: int) -> Span:
        """Step over the line end that the document has behind the profile."""
        cut = len(self.profile) or len(self.article) + 1
        return Span(self.id, start + (start >= cut), end + (end > cut))

    @cached_property
    def _quoted(self) -> str:
        return self.profile + self.article  # without a blank between them: quotes show it

    @cached_property
    def _locator(self) -> Locator:
        return Locator(self._quoted)


@dataclass(frozen=True)
class Query:
    """A question with the quotes that answer it, each with the documents it may stand in."""

    id: str
    asked: Asked
    kind: str
    domain: str
    named: bool
    """Whether the question names what it is about."""
    quotes: tuple[tuple[str, tuple[Source, ...]], ...] = ()


@dataclass
class Shelf:
    """All that was read, in the order of the files."""

    sources: list[Source] = field(default_factory=list)
    queries: list[Query] = field(default_factory=list)


def read_files(folder: Path, names: Iterable[str]) -> Shelf:
    """Read files by their names, sorted: `domain/language/config/...` before `.../qra_...`.

    Raises:
        DatasetError: A file that is not as upstream's are.
    """
    shelf = Shelf()
    by_subject: dict[tuple[str, str], list[Source]] = defaultdict(list)
    for name in sorted(names):
        domain, _, part, *_ = PurePosixPath(name).parts
        if part == "config":
            source, queries = _article(read(folder / name, Article), name, domain)
            shelf.sources.append(source)
            by_subject[domain, source.subject].append(source)
            shelf.queries += queries
        elif part == "qra_multidoc":
            shelf.queries += _pair(read(folder / name, Pair), name, domain, by_subject)
        else:
            shelf.queries += _lonely(read(folder / name, Lonely), name, domain)
    return shelf


def _article(file: Article, name: str, domain: str) -> tuple[Source, list[Query]]:
    profile = file.summary if PurePosixPath(name).stem in PROFILED else ""
    source = Source(_id(name), file.subject, normalise(file.text), normalise(profile))
    names = [name for name in (file.company, file.hospital, file.patient) if name]
    return source, [
        Query(f"{source.id}/{kind}-{number:02}", asked, kind, domain, named, quotes)
        for kind, number, asked in _numbered(file)
        for named in [any(name in asked.text for name in names)]
        for quotes in [tuple((quote, (source,)) for quote in asked.quotes)]
    ]


def _numbered(file: Article) -> Iterator[tuple[str, int, Single]]:
    parts = {"fact": file.fact, "multi_hop": file.multi_hop, "summary": file.summaries}
    for kind, part in parts.items():
        for number, asked in enumerate(part):
            yield kind, number, asked


def _pair(
    file: Pair, name: str, domain: str, by_subject: dict[tuple[str, str], list[Source]]
) -> Iterator[Query]:
    for part, questions in (("integration", file.integration), ("compare", file.compare)):
        for number, asked in enumerate(questions):
            quotes = tuple(
                (quote, tuple(by_subject.get((domain, reference.subject), ())))
                for reference in asked.references
                for quote in reference.quotes
            )
            place = f"{_id(name)}/{part}-{number:02}"
            yield Query(place, asked, "multidoc", domain, _names_both(asked), quotes)


def _names_both(asked: Double) -> bool:
    subjects = [reference.subject for reference in asked.references]
    return all(any(name in asked.text for name in subject.split("_")) for subject in subjects)


def _lonely(file: Lonely, name: str, domain: str) -> Iterator[Query]:
    for number, asked in enumerate(file.root):
        named = any(name in asked.text for name in asked.subject.split("_"))
        yield Query(f"{_id(name)}/{number:02}", asked, "irrelevant", domain, named)


def _id(name: str) -> str:
    """Make a file's name an id: without blanks, which exports cannot hold, and shorter."""
    domain, _, *parts = PurePosixPath(name).with_suffix("").parts
    kept = [part.removeprefix("qra_") for part in parts if part != "config"]
    return "/".join([domain, *("_".join(part.split()) for part in kept)])

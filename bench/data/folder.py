"""Our own format: `manifest.json`, `documents.jsonl` and `questions.jsonl` in one folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import Field, field_validator

from bench.data.assemble import assemble
from bench.data.errors import DatasetError
from bench.data.normal import OffsetMap, normalise
from bench.data.rows import Strict, check_files, inside, read, rows
from bench.types import Dataset, Document, Question, Span


class Manifest(Strict):
    """What a dataset says about itself."""

    name: str = Field(min_length=1, max_length=100)
    license: str
    source: str
    revision: str = ""
    sha256: dict[str, str] = Field(default_factory=dict)
    """Digest of each file, so that a result names the exact data it came from."""
    excluded: dict[str, str] = Field(default_factory=dict)
    """Questions that were left out when the dataset was made, by id, with the reason."""

    @field_validator("name")
    @classmethod
    def _printable(cls, name: str) -> str:
        if not name.isprintable():
            raise ValueError("a name has no control characters and no line ends")
        return name


class DocumentRow(Strict):
    """A line of `documents.jsonl`."""

    id: str = Field(min_length=1)
    text: str
    title: str = ""
    summary: str = ""
    pages: list[tuple[int, int]] = Field(default_factory=list)
    visual: list[int] = Field(default_factory=list)
    """Numbers, from 0, of pages whose picture says what their text does not."""
    file: str = ""
    """PDF whose pages can be shown as pictures: a file of the dataset's own folder."""


class SpanRow(Strict):
    """One place where a piece of evidence stands; `quote`, if given, must stand there."""

    doc: str
    start: int = Field(ge=0)
    end: int
    quote: str | None = None


class QuestionRow(Strict):
    """A line of `questions.jsonl`; each passage of `gold` is a list of alternative spans."""

    id: str = Field(min_length=1)
    text: str = Field(min_length=1)
    queries: list[str] = Field(default_factory=list)
    gold: list[list[SpanRow]] = Field(default_factory=list)
    answers: list[str] = Field(default_factory=list)
    scope: list[str] | None = None
    tags: dict[str, str] = Field(default_factory=dict)


def load_folder(folder: Path) -> Dataset:
    """Read and check a dataset; copies of a gold text count as well.

    Raises:
        DatasetError: At the first broken promise, with file and line.
    """
    manifest = read(folder / "manifest.json", Manifest)
    check_files(folder, manifest.sha256)
    raw: dict[str, str] = {}
    documents: dict[str, Document] = {}
    for place, row in rows(folder / "documents.jsonl", DocumentRow):
        if row.id in documents:
            raise DatasetError(f"{place}: the document {row.id!r} stands there twice")
        documents[row.id], raw[row.id] = _document(place, row, folder), row.text
    questions: dict[str, Question] = {}
    for place, asked in rows(folder / "questions.jsonl", QuestionRow):
        if asked.id in questions:
            raise DatasetError(f"{place}: the question {asked.id!r} stands there twice")
        questions[asked.id] = _question(place, asked, documents, raw)
    return assemble(
        manifest.name,
        documents.values(),
        tuple(questions.values()),
        excluded=manifest.excluded,
    )


def _document(place: str, row: DocumentRow, folder: Path) -> Document:
    length = len(row.text)
    behind = 0
    for number, (start, end) in enumerate(row.pages):
        if not 0 <= start <= end <= length:
            raise DatasetError(
                f"{place}: pages.{number}: [{start}, {end}) is no span of {row.id!r}, "
                f"which has {length} characters"
            )
        if start < behind:
            raise DatasetError(
                f"{place}: pages.{number} begins at {start}, before the page before it ends"
            )
        behind = end
    offset = OffsetMap(row.text)
    pages = tuple((offset(start), offset(end)) for start, end in row.pages)
    for page in row.visual:
        if not 0 <= page < len(pages):
            raise DatasetError(f"{place}: visual names page {page}, but there are {len(pages)}")
    file = inside(folder, row.file, place) if row.file else None
    return Document(
        row.id, normalise(row.text), row.title, row.summary, pages, tuple(row.visual), file
    )


def _question(
    place: str, row: QuestionRow, documents: Mapping[str, Document], raw: Mapping[str, str]
) -> Question:
    gold = tuple(
        tuple(_span(place, span, documents, raw) for span in passage) for passage in row.gold
    )
    if not all(gold):
        raise DatasetError(f"{place}: a passage of gold needs at least one span")
    if not all(text.strip() for text in (row.text, *row.queries)):
        raise DatasetError(f"{place}: the text of a question must not be blank")
    for doc in row.scope or ():
        _known(place, doc, documents)
    scope = None if row.scope is None else tuple(row.scope)
    return Question(row.id, row.text, gold, tuple(row.queries), tuple(row.answers), scope, row.tags)


def _span(
    place: str, row: SpanRow, documents: Mapping[str, Document], raw: Mapping[str, str]
) -> Span:
    _known(place, row.doc, documents)
    text = raw[row.doc]
    if not row.start < row.end <= len(text):
        raise DatasetError(
            f"{place}: gold [{row.start}, {row.end}) is no span of {row.doc!r}, "
            f"which has {len(text)} characters"
        )
    if row.quote is not None and text[row.start : row.end] != row.quote:
        raise DatasetError(
            f"{place}: at [{row.start}, {row.end}) of {row.doc!r} stands "
            f"{json.dumps(text[row.start : row.end][:60])}, not the quote "
            f"{json.dumps(row.quote[:60])}"
        )
    offset = OffsetMap(text)
    span = Span(row.doc, offset(row.start), offset(row.end))
    if span.start == span.end:
        raise DatasetError(
            f"{place}: gold [{row.start}, {row.end}) of {row.doc!r} holds nothing but "
            f"a byte order mark or half a line end"
        )
    return span


def _known(place: str, doc: str, documents: Mapping[str, Document]) -> None:
    if doc not in documents:
        some = ", ".join(sorted(documents)[:8])
        raise DatasetError(f"{place}: no document {doc!r}; there are {len(documents)}: {some}")

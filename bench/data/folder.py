"""Our own format: `manifest.json`, `documents.jsonl` and `questions.jsonl` in one folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bench.data.errors import DatasetError
from bench.data.normal import OffsetMap, normalise
from bench.data.revision import revision
from bench.types import Dataset, Document, Question, Span

Model = TypeVar("Model", bound=BaseModel)


class _Strict(BaseModel):
    """A row of a file: unknown keys are an error, not a surprise."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Manifest(_Strict):
    """What a dataset says about itself."""

    name: str = Field(min_length=1)
    license: str
    source: str
    revision: str = ""
    sha256: dict[str, str] = {}
    """Digest of each file, so that a result names the exact data it came from."""


class DocumentRow(_Strict):
    """A line of `documents.jsonl`."""

    id: str = Field(min_length=1)
    text: str
    title: str = ""
    summary: str = ""
    pages: list[tuple[int, int]] = []


class SpanRow(_Strict):
    """One place where a piece of evidence stands; `quote`, if given, must stand there."""

    doc: str
    start: int = Field(ge=0)
    end: int
    quote: str | None = None


class QuestionRow(_Strict):
    """A line of `questions.jsonl`; each passage of `gold` is a list of alternative spans."""

    id: str = Field(min_length=1)
    text: str = Field(min_length=1)
    queries: list[str] = []
    gold: list[list[SpanRow]] = []
    answers: list[str] = []
    scope: list[str] | None = None
    tags: dict[str, str] = {}


def load_folder(folder: Path) -> Dataset:
    """Read and check a dataset.

    Raises:
        DatasetError: At the first broken promise, with file and line.
    """
    manifest = _manifest(folder)
    raw: dict[str, str] = {}
    documents: dict[str, Document] = {}
    for place, row in rows(folder / "documents.jsonl", DocumentRow):
        if row.id in documents:
            raise DatasetError(f"{place}: the document {row.id!r} stands there twice")
        documents[row.id], raw[row.id] = _document(row), row.text
    questions: dict[str, Question] = {}
    for place, asked in rows(folder / "questions.jsonl", QuestionRow):
        if asked.id in questions:
            raise DatasetError(f"{place}: the question {asked.id!r} stands there twice")
        questions[asked.id] = _question(place, asked, documents, raw)
    found = tuple(questions.values())
    return Dataset(manifest.name, revision(documents.values(), found), documents, found)


def rows(path: Path, model: type[Model]) -> Iterator[tuple[str, Model]]:
    """Yield each line of a JSONL file as a checked row, with its place for messages."""
    with _open(path) as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            place = f"{path.parent.name}/{path.name}, line {number}"
            try:
                yield place, model.model_validate_json(line)
            except ValidationError as error:
                raise DatasetError(f"{place}: {_first(error)}") from None


def _open(path: Path) -> Any:  # noqa: ANN401
    try:
        content = path.read_text(encoding="utf-8")
    except OSError as error:
        raise DatasetError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise DatasetError(f"{path} is not UTF-8 (byte {error.start})") from None
    import io

    return io.StringIO(content.removeprefix("\ufeff"), newline="\n")


def _manifest(folder: Path) -> Manifest:
    path = folder / "manifest.json"
    try:
        manifest = Manifest.model_validate_json(path.read_bytes())
    except OSError as error:
        raise DatasetError(f"cannot read {path}: {error.strerror}") from None
    except ValidationError as error:
        raise DatasetError(f"{path}: {_first(error)}") from None
    check_files(folder, manifest.sha256)
    return manifest


def check_files(folder: Path, sha256: Mapping[str, str]) -> None:
    """Compare files with their recorded digests."""
    for name, expected in sha256.items():
        try:
            found = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        except OSError as error:
            raise DatasetError(f"cannot read {folder / name}: {error.strerror}") from None
        if found != expected:
            raise DatasetError(f"{folder.name}/{name}: sha256 is {found}, expected {expected}")


def _document(row: DocumentRow) -> Document:
    place = OffsetMap(row.text)
    pages = tuple((place(start), place(end)) for start, end in row.pages)
    return Document(row.id, normalise(row.text), row.title, row.summary, pages)


def _question(
    place: str, row: QuestionRow, documents: Mapping[str, Document], raw: Mapping[str, str]
) -> Question:
    gold = tuple(
        tuple(_span(place, span, documents, raw) for span in passage) for passage in row.gold
    )
    if not all(gold):
        raise DatasetError(f"{place}: a passage of gold needs at least one span")
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


def _first(error: ValidationError) -> str:
    problem = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        return f"unknown key {place!r}"
    return f"{place + ': ' if place else ''}{problem['msg']}"

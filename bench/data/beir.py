"""Folders in the BEIR format: a corpus, queries, and which documents are relevant to which."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bench.data.assemble import assemble
from bench.data.beir_qrels import Qrels, read_qrels
from bench.data.errors import DatasetError
from bench.data.normal import normalise
from bench.types import Dataset, Document, Evidence, Question, Span

CORPUS, QUERIES = "corpus.jsonl", "queries.jsonl"


class Row(BaseModel):
    """A line of the corpus or of the queries; other keys are upstream's business."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    id: str = Field(alias="_id", min_length=1)
    title: str | None = None
    text: str


def is_beir(folder: Path) -> bool:
    """Tell whether a folder is laid out as BEIR's are."""
    try:
        return (
            (folder / CORPUS).is_file()
            and (folder / QUERIES).is_file()
            and (folder / "qrels").is_dir()
        )
    except (OSError, ValueError):  # no path on this system: too long, or with a zero in it
        return False


def load_beir(folder: Path, split: str = "test", *, ignore_same_id: bool = False) -> Dataset:
    """Load a split: each document of a score above 0 is gold as a whole.

    Only queries with a row in the split's qrels are asked, of the whole corpus. A query none of
    whose rows has a score above 0 is asked without gold. Rows of other scores may name documents
    that the corpus does not have: they say nothing about it.

    Args:
        folder: Holds `corpus.jsonl`, `queries.jsonl` and `qrels/<split>.tsv`.
        split: Which qrels.
        ignore_same_id: Hide from a query the document that has its id: sets in which queries are
            documents themselves. Such a query names all other documents as its scope, so memory
            grows by 8 bytes for each of them and each such query.

    Raises:
        DatasetError: A missing or broken file, or qrels that name what is not there.
    """
    qrels = read_qrels(folder, split)
    documents = _documents(folder / CORPUS)
    queries = _queries(folder / QUERIES, qrels.scores)
    _check_known(folder, qrels, documents, queries)
    asked = [_question(row, qrels.relevant(row.id), documents) for row in queries.values()]
    same = [question.id for question in asked if question.id in documents]
    if ignore_same_id:
        asked = [_without_itself(question, documents) for question in asked]
    excluded = {
        question.id: "no relevant document has any text that is searched"
        for question in asked
        if qrels.relevant(question.id) and not question.gold
    }
    name = folder.resolve().name or "beir"
    return assemble(
        name if split == "test" else f"{name}-{split}",
        documents.values(),
        [question for question in asked if question.id not in excluded],
        evidence=Evidence(located=sum(len(qrels.relevant(query)) for query in queries)),
        excluded=excluded,
        notes=_notes(documents, same, qrels.repeated, ignored=ignore_same_id),
    )


def _documents(path: Path) -> dict[str, Document]:
    found: dict[str, Document] = {}
    for place, row in _rows(path):
        if row.id in found:
            raise DatasetError(f"{place}: the document {row.id!r} stands there twice")
        title, text = normalise(row.title or "").strip(), normalise(row.text)
        found[row.id] = Document(row.id, f"{title}\n\n{text}" if title else text, title)
    return found


def _queries(path: Path, wanted: Collection[str]) -> dict[str, Row]:
    found: dict[str, Row] = {}
    for place, row in _rows(path):
        if row.id in found:
            raise DatasetError(f"{place}: the query {row.id!r} stands there twice")
        if row.id in wanted:
            found[row.id] = row
    return found


def _rows(path: Path) -> Iterator[tuple[str, Row]]:
    """Yield one checked line after the other: the bytes of a corpus are never all in memory."""
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                content = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
                if content.strip():
                    place = f"{path.parent.name}/{path.name}, line {number}"
                    yield place, _row(content, place)
    except OSError as error:
        raise DatasetError(f"cannot read {path}: {error.strerror}") from None


def _row(content: bytes, place: str) -> Row:
    try:
        return Row.model_validate_json(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = "".join(f"{part}: " for part in first["loc"])
        raise DatasetError(f"{place}: {where}{first['msg']}") from None


def _check_known(
    folder: Path, qrels: Qrels, documents: Mapping[str, Document], queries: Mapping[str, Row]
) -> None:
    relevant = dict.fromkeys(doc for query in qrels.scores for doc in qrels.relevant(query))
    missing = (
        ("queries", QUERIES, [query for query in qrels.scores if query not in queries]),
        ("documents", CORPUS, [doc for doc in relevant if doc not in documents]),
    )
    for what, file, ids in missing:
        if ids:
            some = ", ".join(map(repr, ids[:8])) + (", ..." if len(ids) > 8 else "")
            raise DatasetError(
                f"{folder.name}/{qrels.file} names {len(ids)} {what} that are not in {file}: "
                f"{some}; expected the corpus, queries and qrels of one set"
            )


def _question(row: Row, relevant: Iterable[str], documents: Mapping[str, Document]) -> Question:
    # A document without text is found by nobody, and takes nothing away from recall.
    texts = {doc: documents[doc].text for doc in relevant if documents[doc].text.strip()}
    gold = tuple((Span(doc, 0, len(text)),) for doc, text in texts.items())
    return Question(row.id, row.text, gold)


def _without_itself(question: Question, documents: Mapping[str, Document]) -> Question:
    if question.id not in documents:
        return question
    scope = tuple(doc for doc in documents if doc != question.id)
    gold = tuple(passage for passage in question.gold if passage[0].doc != question.id)
    return replace(question, gold=gold, scope=scope)


def _notes(
    documents: Mapping[str, Document], same: list[str], repeated: int, *, ignored: bool
) -> list[str]:
    done = "which is not searched" if ignored else "which is searched like any other"
    counts = {
        f"Questions whose id is also that of a document, {done}": len(same),
        "Documents without any text": sum(not d.text.strip() for d in documents.values()),
        "Rows of the qrels that repeat an earlier one": repeated,
    }
    return [f"{what}: {count:,}." for what, count in counts.items() if count]

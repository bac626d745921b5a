"""A dataset in BEIR's form: whole documents are relevant, not places in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench.export.text import escaped, write_json_lines, write_lines
from bench.types import Dataset, Document, Question


class Written(NamedTuple):
    """Files, and what they cannot say."""

    files: list[Path]
    lost: tuple[str, ...]
    """One sentence each."""


def write_beir(dataset: Dataset, folder: Path) -> Written:
    """Write `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv`.

    A document is relevant with score 1 where it holds an alternative of some passage and is
    searched. A question without gold has one row of score 0, so that it is asked. A title is apart
    only where the text begins with it, as readers of BEIR put it there; else it is metadata. In
    ids, tabs, line ends, outer blanks and `%` are written as in addresses.

    Raises:
        UserError: The files cannot be written.
    """
    names = {doc: _id(doc) for doc in dataset.documents}
    rows = [("query-id", "corpus-id", "score")]
    for question in dataset.questions:
        relevant = _relevant(question)
        rows += [(_id(question.id), names[doc], "1") for doc in relevant]
        if not relevant:
            rows.append((_id(question.id), next(iter(names.values())), "0"))
    queries = ({"_id": _id(q.id), "text": q.text, "metadata": {}} for q in dataset.questions)
    files = [
        write_json_lines(folder / "corpus.jsonl", map(_document, dataset.documents.values())),
        write_json_lines(folder / "queries.jsonl", queries),
        write_lines(folder / "qrels" / "test.tsv", map("\t".join, rows)),
    ]
    return Written(files, tuple(_lost(dataset)))


def _document(document: Document) -> dict[str, Any]:
    head = f"{document.title}\n\n"
    apart = document.title.strip() == document.title != "" and document.text.startswith(head)
    return {
        "_id": _id(document.id),
        "title": document.title if apart else "",
        "text": document.text.removeprefix(head) if apart else document.text,
        "metadata": {"title": document.title} if document.title and not apart else {},
    }


def _relevant(question: Question) -> list[str]:
    """Return the documents with gold that the question searches, each once."""
    scope = question.scope
    docs = dict.fromkeys(span.doc for passage in question.gold for span in passage)
    return [doc for doc in docs if scope is None or doc in scope]


def _id(name: str) -> str:
    """Escape what would break a row of the qrels; blanks inside an id may stay."""
    core = escaped(name.strip(" "), spared=" ")
    before = len(name) - len(name.lstrip(" "))
    behind = len(name) - before - len(name.strip(" "))
    return "%20" * before + core + "%20" * behind


def _lost(dataset: Dataset) -> Iterator[str]:
    scoped = sum(question.scope is not None for question in dataset.questions)
    several = sum(len(question.searches) > 1 for question in dataset.questions)
    if scoped:
        yield f"{scoped} questions search only some documents: in BEIR's form they search all."
    if several:
        yield f"{several} questions have several search queries: their own text is written."
    yield "Gold is whole documents here; where it stands in them is not written."

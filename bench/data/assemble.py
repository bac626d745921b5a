"""The last step of every loader: copies of gold credited, everything digested."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bench.data.copies import credit_copies
from bench.data.errors import DatasetError
from bench.data.revision import revision
from bench.types import Dataset, Document, Evidence, Question


def assemble(
    name: str,
    documents: Iterable[Document],
    questions: Sequence[Question],
    *,
    evidence: Evidence | None = None,
    excluded: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
) -> Dataset:
    """Make a dataset of what a loader has read.

    Args:
        name: The dataset's name in results.
        documents: All of them, in order.
        questions: Those that are asked.
        evidence: How the gold was found; None: every span is where upstream says.
        excluded: Questions left out for every strategy alike, by id, with the reason.
        notes: What a reader of results should know, one sentence each.

    Raises:
        DatasetError: Two documents or two questions of one id, or gold that a question cannot find
            because it does not search there.
    """
    by_id: dict[str, Document] = {}
    for document in documents:
        if document.id in by_id:
            raise DatasetError(f"{name}: the document {document.id!r} stands there twice")
        by_id[document.id] = document
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise DatasetError(f"{name}: the question {question.id!r} stands there twice")
        seen.add(question.id)
        _check_scope(name, question)
    found, told = credit_copies(by_id, questions)
    given = evidence or Evidence(located=sum(len(question.gold) for question in questions))
    digest = revision(by_id.values(), found)
    return Dataset(name, digest, by_id, found, excluded or {}, (*notes, *told), given)


def _check_scope(name: str, question: Question) -> None:
    """Refuse gold outside the documents a question searches: its recall could only be 0."""
    if question.scope is None:
        return
    for passage in question.gold:
        if not any(span.doc in question.scope for span in passage):
            raise DatasetError(
                f"{name}: the question {question.id!r} has gold in {passage[0].doc!r}, which its "
                f"scope, the documents it searches, does not name"
            )

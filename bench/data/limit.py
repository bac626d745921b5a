"""The first questions of a dataset, and no more documents than they need."""

from __future__ import annotations

from dataclasses import replace

from bench.types import Dataset


def limited(dataset: Dataset, limit: int | None) -> Dataset:
    """Keep the first `limit` questions; None: all.

    Where each of them searches only some documents, the others are dropped: nothing that is
    measured depends on them, and they would have to be embedded. Whole-corpus search keeps all.
    """
    if limit is None or limit >= len(dataset.questions):
        return dataset
    questions = dataset.questions[:limit]
    if any(question.scope is None for question in questions):
        return replace(dataset, questions=questions)
    searched = {name for question in questions for name in question.scope or ()}
    documents = {name: one for name, one in dataset.documents.items() if name in searched}
    note = (
        f"Limited to {limit} questions: of {len(dataset.documents)} documents only the "
        f"{len(documents)} that they search."
    )
    return replace(dataset, questions=questions, documents=documents, notes=(*dataset.notes, note))

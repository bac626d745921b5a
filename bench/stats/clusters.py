"""Questions that share documents are not independent: they are drawn together."""

from __future__ import annotations

from collections.abc import Sequence

from bench.types import Question

ENOUGH = 20
"""Fewer clusters than this, and questions are drawn one by one (and the report says so)."""


def clusters(questions: Sequence[Question]) -> list[int]:
    """Number each question's cluster: connected components of the documents it is about.

    Those in scope, else those of its gold, else the question alone.
    """
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for number, question in enumerate(questions):
        for doc in _documents(question):
            parent[root(f"d{doc}")] = root(f"q{number}")
    roots = [root(f"q{number}") for number in range(len(questions))]
    order = {name: place for place, name in enumerate(dict.fromkeys(roots))}
    return [order[name] for name in roots]


def _documents(question: Question) -> Sequence[str]:
    if question.scope is not None:
        return question.scope
    return [span.doc for passage in question.gold for span in passage]

"""The digest that names exact data: two datasets of one revision give the same numbers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from bench.types import Document, Question


def revision(documents: Iterable[Document], questions: Iterable[Question]) -> str:
    """Digest all that can change a number: ids, texts, pages, queries, gold and scope, in order."""
    digest = hashlib.sha256()
    for document in documents:
        row = [document.id, document.text, document.title, document.summary]
        paged = [document.pages, document.visual] if document.pages else []
        digest.update(json.dumps([*row, *paged]).encode() + b"\n")
    for question in questions:
        parts = [question.id, question.searches, question.gold, question.answers, question.scope]
        digest.update(json.dumps(parts).encode() + b"\n")
    return digest.hexdigest()[:16]

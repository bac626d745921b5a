"""`chunking_evaluation` without the repeated lines of `finance`, as earlier figures had it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from bench.types import Dataset, Passage, Span

REPEATING = "finance"
"""The document that holds copies of its own reports."""


def without_repeats(dataset: Dataset) -> Dataset:
    """Keep the first of the lines of `finance` that say the same; blank lines stay.

    Gold follows its text. Of a passage those alternatives stay that keep the most; a passage
    of which nothing is left is left out.
    """
    document = dataset.documents[REPEATING]
    text, moved = _first_lines(document.text)
    questions = [
        replace(question, gold=tuple(filter(None, (_follow(p, moved) for p in question.gold))))
        for question in dataset.questions
    ]
    documents = {**dataset.documents, REPEATING: replace(document, text=text)}
    name = f"{dataset.name} without repeats"
    return replace(dataset, name=name, documents=documents, questions=tuple(questions))


def _first_lines(text: str) -> tuple[str, Callable[[int], int]]:
    """Return the lines that say something new, and where each place of the text has gone."""
    seen: set[str] = set()
    lines, kept = [], [np.zeros(0, np.int64)]
    for line in text.splitlines(keepends=True):
        new = not line.strip() or line.strip() not in seen
        seen.add(line.strip())
        lines += [line] if new else []
        kept.append(np.full(len(line), new, np.int64))
    place = np.concatenate([[0], np.cumsum(np.concatenate(kept))])
    return "".join(lines), lambda at: int(place[at])


def _follow(passage: Passage, moved: Callable[[int], int]) -> Passage:
    spans = [
        span if span.doc != REPEATING else Span(span.doc, moved(span.start), moved(span.end))
        for span in passage
    ]
    most = max(span.end - span.start for span in spans)
    kept = [span for span in spans if span.end - span.start == most > 0]
    return tuple(dict.fromkeys(kept))

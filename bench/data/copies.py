"""The same words elsewhere are the same answer: copies of a gold text become alternatives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from bench.data.occurrences import occurrences
from bench.types import Document, Passage, Question, Span

SHORTEST = 20
"""Shorter gold (a name, a number) stands in many places that answer nothing: it counts elsewhere
only in documents whose whole text is the same."""


def credit_copies(
    documents: Mapping[str, Document], questions: Sequence[Question]
) -> tuple[tuple[Question, ...], tuple[str, ...]]:
    """Let every copy of a gold text count, and every passage once.

    A copy is the same text elsewhere in the documents the question searches. Passages that then
    have the same alternatives are one.

    Returns:
        The questions, and what a reader should know: duplicate documents, copies, repetitions.
    """
    copies = Copies(documents, questions)
    found, copied = [], 0
    for question in questions:
        scope = None if question.scope is None else set(question.scope)
        gold = [copies.credited(passage, scope) for passage in question.gold]
        once: dict[frozenset[Span], Passage] = {}
        for passage in gold:
            once.setdefault(frozenset(passage), passage)
        kept = tuple(once.values())
        # A passage may be given with its copies: that it has some is worth saying either way.
        copied += sum(copies.is_copied(passage) for passage in kept)
        found.append(replace(question, gold=kept))
    lost = sum(len(question.gold) for question in questions) - sum(len(q.gold) for q in found)
    counts = {
        "Documents with the text of an earlier one": copies.duplicates,
        "Gold passages that stand in several places in the same words, any of which counts": copied,
        "Gold passages left out because they repeat another one of their question": lost,
    }
    return tuple(found), tuple(f"{what}: {count:,}." for what, count in counts.items() if count)


class Copies:
    """Where the gold of some questions stands a second time."""

    def __init__(self, documents: Mapping[str, Document], questions: Sequence[Question]) -> None:
        self._documents = documents
        self._twins: dict[str, list[str]] = defaultdict(list)
        for document in documents.values():
            self._twins[document.text].append(document.id)
        spans = {span for q in questions for passage in q.gold for span in passage}
        texts = {self._text(span) for span in spans}
        long = (text for text in sorted(texts) if len(text) >= SHORTEST)
        self._found = occurrences(documents, long, SHORTEST)

    @property
    def duplicates(self) -> int:
        """Count the documents, blank ones aside, whose text another one had before."""
        return sum(len(names) - 1 for text, names in self._twins.items() if text.strip())

    def credited(self, passage: Passage, scope: Collection[str] | None) -> Passage:
        """Return a passage with all copies in `scope` (None: anywhere) behind what was given."""
        copies = [copy for span in passage for copy in self._copies(span, scope)]
        return tuple(dict.fromkeys([*passage, *copies]))

    def is_copied(self, passage: Passage) -> bool:
        """Tell whether two of a passage's alternatives say the same."""
        return len({self._text(span) for span in passage}) < len(passage)

    def _copies(self, span: Span, scope: Collection[str] | None) -> list[Span]:
        text = self._text(span)
        if len(text) < SHORTEST:
            twins = self._twins[self._documents[span.doc].text]
            places = [(doc, span.start) for doc in twins]
        else:
            places = self._found[text]
        found: list[Span] = []
        for doc, at in places:
            copy = Span(doc, at, at + len(text))
            # A text that repeats itself, such as a ruled line, has a copy at every character.
            if any(_overlap(copy, other) for other in (span, *found[-1:])):
                continue
            if scope is None or doc in scope:
                found.append(copy)
        return found

    def _text(self, span: Span) -> str:
        return self._documents[span.doc].text[span.start : span.end]


def _overlap(one: Span, other: Span) -> bool:
    return one.doc == other.doc and one.start < other.end and other.start < one.end

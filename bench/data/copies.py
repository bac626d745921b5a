"""The same words elsewhere are the same answer: copies of a gold text become alternatives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from bench.data.occurrences import occurrences
from bench.types import Document, Passage, Question, Span

SHORTEST = 20
"""Shorter gold (a name, a number) stands in many places that answer nothing: it counts elsewhere
only in documents whose whole text is the same."""


def credit_copies(
    documents: Mapping[str, Document], questions: Sequence[Question]
) -> tuple[tuple[Question, ...], tuple[str, ...]]:
    """Let every copy of a gold text count, and every character of gold once.

    A copy is the same text elsewhere in the documents the question searches. Passages that have the
    same alternatives are one; passages of a single place each that overlap become their union.
    Others may overlap, and what they share then weighs double: it is part of several answers.

    Returns:
        The questions, and what a reader should know of them.
    """
    single = [_once(question.gold) for question in questions]
    joined = [_joined(gold) for gold in single]
    merged = [replace(q, gold=gold) for q, gold in zip(questions, joined, strict=True)]
    copies = Copies(documents, merged)
    found = [replace(question, gold=_once(copies.of(question))) for question in merged]
    given, once, apart, kept = (
        sum(map(len, gold))
        for gold in ([q.gold for q in questions], single, joined, [q.gold for q in found])
    )
    copied = sum(copies.is_copied(passage) for question in found for passage in question.gold)
    counts = {
        "Documents with the text of an earlier one": copies.duplicates,
        "Gold passages that stand in several places in the same words, any of which counts": copied,
        "Gold passages left out because they repeat another one of their question": given
        - once
        + (apart - kept),
        "Gold passages joined to another one of their question that they overlap": once - apart,
    }
    return tuple(found), tuple(f"{what}: {count:,}." for what, count in counts.items() if count)


def _once(gold: Iterable[Passage]) -> tuple[Passage, ...]:
    """Keep the first of the passages that have the same alternatives."""
    found: dict[frozenset[Span], Passage] = {}
    for passage in gold:
        found.setdefault(frozenset(passage), passage)
    return tuple(found.values())


def _joined(gold: Sequence[Passage]) -> tuple[Passage, ...]:
    """Join passages of a single place that overlap, at the position of the first of them."""
    kept = {place: passage for place, passage in enumerate(gold) if len(passage) > 1}
    runs: list[tuple[Span, int]] = []
    for span, place in sorted((p[0], place) for place, p in enumerate(gold) if len(p) == 1):
        if runs and _overlap(runs[-1][0], span):
            last, first = runs[-1]
            runs[-1] = (last._replace(end=max(last.end, span.end)), min(first, place))
        else:
            runs.append((span, place))
    kept |= {place: (span,) for span, place in runs}
    return tuple(kept[place] for place in sorted(kept))


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

    def of(self, question: Question) -> list[Passage]:
        """Return a question's gold, with all copies it may count behind what was given."""
        scope = None if question.scope is None else set(question.scope)
        found = []
        for passage in question.gold:
            copies = [copy for span in passage for copy in self._copies(span, scope)]
            found.append(tuple(dict.fromkeys([*passage, *copies])))
        return found

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

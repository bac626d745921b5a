"""Documents, questions with evidence, and what a run yields; spans are in code points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple


class Span(NamedTuple):
    """Characters `start` up to, not including, `end` of one document."""

    doc: str
    start: int
    end: int


Passage = tuple[Span, ...]
"""A piece of evidence: one or more alternative spans, any of which will do."""


@dataclass(frozen=True, slots=True)
class Document:
    """The only place text lives."""

    id: str
    text: str
    title: str = ""
    summary: str = ""
    pages: tuple[tuple[int, int], ...] = ()
    """Character spans of the pages, for documents that have pages."""
    visual: tuple[int, ...] = ()
    """Numbers, from 0, of the pages whose picture says what their text does not."""
    file: Path | None = None
    """The file whose pages can be drawn; None: there is none."""


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody asks, and where the answer stands."""

    id: str
    text: str
    gold: tuple[Passage, ...] = ()
    queries: tuple[str, ...] = ()
    """Search queries; empty: the text itself."""
    answers: tuple[str, ...] = ()
    scope: tuple[str, ...] | None = None
    """Ids of the documents searched; None: all."""
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def searches(self) -> tuple[str, ...]:
        """The queries to run: those given, else the question itself."""
        return self.queries or (self.text,)


class Evidence(NamedTuple):
    """How upstream's pieces of gold were found in the documents; each counts once."""

    located: int = 0
    """Where upstream says, or at the only place there is."""
    repaired: int = 0
    """Not where upstream says, but at a place that is certain."""
    ambiguous: int = 0
    """At several places none of which is certain."""
    unmatched: int = 0
    """Nowhere."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Documents and questions, checked, with the digest of the exact data they came from."""

    name: str
    revision: str
    """Digest over all that can change a number: texts, questions, gold."""
    documents: Mapping[str, Document]
    questions: tuple[Question, ...]
    excluded: Mapping[str, str] = field(default_factory=dict)
    """Questions left out for every strategy alike, by id, with the reason."""
    notes: tuple[str, ...] = ()
    """What a reader of results should know about the data, one sentence each."""
    evidence: Evidence = field(default_factory=Evidence)


@dataclass(frozen=True, slots=True)
class Context:
    """What the reader gets to see, best segment first, and what it costs."""

    spans: tuple[Span, ...]
    """One span for each segment, in rank order."""
    tokens: int
    """Document tokens that begin in the union of the spans."""


@dataclass(frozen=True, slots=True)
class Record:
    """One question answered by one arm: a line of the journal, a row of `records.parquet`."""

    dataset: str
    arm: str
    question: str
    context: Context
    scores: tuple[float, ...]
    """The strategy's own score of each segment."""
    prompt_tokens: int
    """Tokens of the rendered text that would be sent."""
    seconds: Mapping[str, tuple[float, ...]]
    """Warm seconds per stage, one for each repetition: queries, embed, search, rerank, select,
    render."""
    metrics: Mapping[str, float]
    """Metric values by name; nan where the question does not ask it."""
    failed: bool = False
    """Whether the strategy raised, and the empty answer stands for that."""

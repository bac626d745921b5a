"""What a build found, for a person and for a program."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from bench.data.own.documents import Folder
from bench.data.own.gold import Placed, Trouble
from bench.data.own.questions import Asked
from bench.types import Document, Span

AROUND = 30
"""Characters shown on either side of a place."""
LONGEST = 60
"""Characters shown of a place itself."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a quote stands, with some words around."""

    doc: str
    start: int
    end: int
    page: int | None
    """Counted from 1."""
    before: str
    quote: str
    after: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a question is left out."""

    why: str
    places: tuple[Place, ...]
    """Where the gold may have been meant to be; the first of them."""
    count: int
    """How many there are."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A question that is not in the dataset."""

    id: str
    line: str
    question: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What a build found."""

    documents: int
    kinds: Mapping[str, int]
    characters: int
    blank: tuple[str, ...]
    copies: tuple[str, ...]
    """Documents with the text of an earlier one."""
    pictures: int
    """Pages whose picture says what their text does not."""
    skipped: Mapping[str, str]
    problems: Mapping[str, str]
    questions: int
    """Questions written."""
    with_gold: int
    passages: int
    without_gold: int
    loose: tuple[str, ...]
    """Questions with a quote that differs from the text in more than white space and signs."""
    cut: tuple[str, ...]
    """Questions with a quote that begins or ends inside a word."""
    repeated: tuple[str, ...]
    """Questions in the words of an earlier one."""
    left_out: tuple[LeftOut, ...]

    @property
    def is_complete(self) -> bool:
        """Whether all files that should be documents and all questions are in."""
        return not self.problems and not self.left_out

    def as_json(self, written: str | None) -> str:
        """Return everything, for a program; `written` is the folder, None: nothing was written."""
        return json.dumps({"written": written, **asdict(self)}, ensure_ascii=False, indent=2)


def report(folder: Folder, asked: Sequence[Asked], placed: Sequence[Placed]) -> Report:
    """Count what was found."""
    both = list(zip(asked, placed, strict=True))
    written = [(question, gold) for question, gold in both if not gold.troubles]
    first: dict[str, str] = {}
    by_text = {id_: first.setdefault(d.text, id_) for id_, d in folder.documents.items()}
    wording = Counter[str]()
    repeated = []
    for question, _ in written:
        repeated += [question.id] * (wording[question.text] > 0)
        wording[question.text] += 1
    return Report(
        documents=len(folder.documents),
        kinds=folder.kinds,
        characters=sum(len(document.text) for document in folder.documents.values()),
        blank=tuple(id_ for id_, d in folder.documents.items() if not d.text.strip()),
        copies=tuple(id_ for id_, same in by_text.items() if same != id_),
        pictures=sum(len(document.visual) for document in folder.documents.values()),
        skipped=folder.skipped,
        problems=folder.problems,
        questions=len(written),
        with_gold=sum(bool(gold.spans) for _, gold in written),
        passages=sum(len(gold.spans) for _, gold in written),
        without_gold=sum(not gold.spans for _, gold in written),
        loose=tuple(question.id for question, gold in written if gold.loose),
        cut=tuple(question.id for question, gold in written if gold.cut),
        repeated=tuple(repeated),
        left_out=tuple(
            _left_out(question, gold, folder.documents) for question, gold in both if gold.troubles
        ),
    )


def _left_out(question: Asked, gold: Placed, documents: Mapping[str, Document]) -> LeftOut:
    reasons = tuple(_reason(trouble, documents) for trouble in gold.troubles)
    return LeftOut(question.id, question.place, question.text, reasons)


def _reason(trouble: Trouble, documents: Mapping[str, Document]) -> Reason:
    places = tuple(_place(span, documents[span.doc]) for span in trouble.places)
    return Reason(trouble.why, places, trouble.count)


def _place(span: Span, document: Document) -> Place:
    text, (doc, start, end) = document.text, span
    page = next((n for n, (_, last) in enumerate(document.pages, start=1) if start < last), None)
    quote = _line(text[start:end])
    return Place(
        doc,
        start,
        end,
        page,
        _line(text[max(0, start - AROUND) : start]),
        quote if len(quote) <= LONGEST else f"{quote[:LONGEST]}...",
        _line(text[end : end + AROUND]),
    )


def _line(text: str) -> str:
    """Return a text on one line, with the blanks at its ends as one blank each."""
    return " ".join(f"|{text}|".split())[1:-1]

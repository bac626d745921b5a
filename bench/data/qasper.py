"""QASPER: questions about papers, whose evidence is whole paragraphs; the published v0.3 files."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, RootModel

from bench.data.assemble import assemble
from bench.data.cards import card, raw_folder
from bench.data.errors import DatasetError
from bench.data.locate import Locator
from bench.data.normal import normalise
from bench.data.rows import check_files, read
from bench.types import Dataset, Document, Evidence, Passage, Question, Span

NAME = "qasper"
FILE = "qasper-dev-v0.3.json"
FLOAT = "FLOAT SELECTED:"
"""How evidence begins that is a table or figure: its caption is all there is of it."""


class Answer(BaseModel):
    """What one annotator says; evidence is paragraphs of the paper, or floats."""

    unanswerable: bool
    extractive_spans: list[str]
    yes_no: bool | None
    free_form_answer: str
    evidence: list[str]

    @property
    def kind(self) -> str:
        """How it is answered, in the words of QASPER's paper."""
        if self.unanswerable:
            return "unanswerable"
        if self.extractive_spans:
            return "extractive"
        return "abstractive" if self.free_form_answer else "boolean"

    @property
    def text(self) -> str:
        """The answer in words."""
        says = {
            "unanswerable": "Unanswerable",
            "extractive": ", ".join(self.extractive_spans),
            "abstractive": self.free_form_answer,
            "boolean": "Yes" if self.yes_no else "No",
        }
        return says[self.kind]


class Annotation(BaseModel):
    """An answer with what is known of the annotator, which is unused."""

    answer: Answer


class Asked(BaseModel):
    """A question with the answers of several annotators."""

    question: str
    question_id: str
    answers: list[Annotation]


class Section(BaseModel):
    """A section; upstream writes `Methods ::: Data` for one inside another."""

    section_name: str | None
    paragraphs: list[str]


class Paper(BaseModel):
    """A paper with its questions."""

    title: str
    abstract: str
    full_text: list[Section]
    qas: list[Asked]


class Papers(RootModel[dict[str, Paper]]):
    """The file: papers by their arXiv id."""


def load(raw: Path | None) -> Dataset:
    """Load the development split; every question is asked of its own paper.

    A question's gold is the evidence of one annotator: the first, in the order of the file, who
    answers and all of whose evidence is in the text. One that nobody can answer is kept without
    gold; one that is answered, but by nobody with such evidence, is excluded.

    Raises:
        DatasetError: No raw file, or one that is not as published.
    """
    folder = raw_folder(raw, NAME, FILE)
    check_files(folder, card(NAME)["sha256"])
    documents: list[Document] = []
    questions: list[Question] = []
    excluded: dict[str, str] = {}
    tally: Counter[str] = Counter()
    for key, paper in sorted(read(folder / FILE, Papers).root.items()):
        layout = Layout(key, paper)
        documents.append(Document(key, layout.text, paper.title))
        for asked in paper.qas:
            question = _question(asked, layout, tally)
            if question.gold or question.tags["kind"] == "unanswerable":
                questions.append(question)
            else:
                excluded[question.id] = "no annotator's evidence is wholly in the text"
    floats = tally["floats"]
    return assemble(
        NAME,
        documents,
        questions,
        evidence=Evidence(*(tally[how] for how in Evidence._fields)),
        excluded=excluded,
        notes=[f"Pieces of evidence that are tables or figures: {floats:,}."] if floats else [],
    )


class Layout:
    """A paper as one text, and where each paragraph stands in it."""

    def __init__(self, paper: str, content: Paper) -> None:
        """Lay out title, abstract and sections, with an empty line after each part."""
        self.paper = paper
        self.places: dict[str, list[Span]] = defaultdict(list)
        lines: list[str] = []
        at = 0
        for text, is_heading in _parts(content):
            if not is_heading:
                self.places[text.strip()].append(Span(paper, at, at + len(text)))
            lines.append(text)
            at += len(text) + 2
        self.text = "\n\n".join(lines)
        self._locator = Locator(self.text)

    def find(self, evidence: str) -> tuple[str, Passage]:
        """Look for a piece of evidence.

        Returns:
            How it was found, in the words of `Evidence`, and where: paragraphs of the same words
            are alternatives. Nowhere certain: no place.
        """
        wanted = normalise(evidence).strip()
        if not wanted or wanted.startswith(FLOAT):
            return "unmatched", ()
        if wanted in self.places:
            return "located", tuple(self.places[wanted])
        found = self._locator.find(wanted)
        how = ("unmatched", "repaired")[len(found)] if len(found) < 2 else "ambiguous"
        return how, tuple(Span(self.paper, *place) for place in found if how == "repaired")


def _parts(paper: Paper) -> Iterator[tuple[str, bool]]:
    """Yield headings and paragraphs in order, each with whether it is a heading."""
    yield f"# {_line(paper.title)}", True
    sections = [Section(section_name="Abstract", paragraphs=[paper.abstract]), *paper.full_text]
    for section in sections:
        names = (section.section_name or "").split(":::")
        if heading := _line(names[-1]):
            yield f"#{'#' * len(names)} {heading}", True
        for paragraph in section.paragraphs:
            if (text := normalise(paragraph)).strip():
                yield text, False


def _line(text: str) -> str:
    return " ".join(text.split())


def _question(asked: Asked, layout: Layout, tally: Counter[str]) -> Question:
    answers = [annotation.answer for annotation in asked.answers]
    if not answers:
        raise DatasetError(f"{NAME}: the question {asked.question_id!r} has no answers")
    chosen: Answer | None = None
    gold: tuple[Passage, ...] = ()
    for answer in answers:
        found = _evidence(answer, layout, tally)
        if chosen is None and found:
            chosen, gold = answer, found
    answered = [answer for answer in answers if not answer.unanswerable]
    kind = (chosen or (answered or answers)[0]).kind
    return Question(
        asked.question_id,
        asked.question,
        gold,
        answers=tuple(dict.fromkeys(answer.text for answer in answers)),
        scope=(layout.paper,),
        tags={"language": "en", "kind": kind},
    )


def _evidence(answer: Answer, layout: Layout, tally: Counter[str]) -> tuple[Passage, ...]:
    """Count an annotator's evidence and return it, or nothing if any of it is not in the text."""
    if answer.unanswerable:
        return ()
    pieces = [layout.find(piece) for piece in answer.evidence]
    tally.update(how for how, _ in pieces)
    tally["floats"] += sum(piece.startswith(FLOAT) for piece in answer.evidence)
    gold = tuple(passage for _, passage in pieces)
    return gold if all(gold) else ()

"""The layout of SQuAD, in which many sets are published: articles, paragraphs, questions, answers.

An article becomes one document, its paragraphs joined by an empty line. All answers to a question
are alternatives of one passage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from pydantic import BaseModel, Field

from bench.data.assemble import assemble
from bench.data.cards import card, raw_folder
from bench.data.normal import OffsetMap, normalise
from bench.data.repair import How, place, tally
from bench.data.rows import check_files, read
from bench.types import Dataset, Document, Question, Span

JOINT = "\n\n"
"""What stands between two paragraphs of a document."""

UNPLACED = "no answer has a certain place in the text"
UNASKED = "the question has no text"


class Answer(BaseModel):
    """One annotator's answer and where it begins in its paragraph, in code points."""

    text: str
    answer_start: int


class Asked(BaseModel):
    """A question about a paragraph; without answers the paragraph does not answer it."""

    id: str | int
    question: str
    answers: list[Answer]
    is_impossible: bool = False
    type: str = ""

    @property
    def distinct(self) -> list[Answer]:
        """The answers, each once, as annotators often agree."""
        given = () if self.is_impossible else self.answers
        return list({(answer.text, answer.answer_start): answer for answer in given}.values())


class Paragraph(BaseModel):
    """A text with its questions."""

    context: str
    qas: list[Asked]
    document_id: str | int = ""
    index: int = 0


class Article(BaseModel):
    """Paragraphs of one source, in upstream's order."""

    title: str = ""
    id: str | int = ""
    paragraphs: list[Paragraph] = Field(min_length=1)


class Release(BaseModel):
    """A whole file."""

    data: list[Article]


@dataclass(frozen=True, slots=True)
class Form:
    """What differs from set to set."""

    name: str
    """The set's name in results."""
    file: str
    """Upstream's file, below the set's raw folder."""
    identify: Callable[[Article], tuple[str, str]]
    """Gives an article's document id and title."""
    tags: Mapping[str, str]
    """Tags of every question."""
    scoped: bool = False
    """Whether a question is asked of its own article only."""


def named_by_title(article: Article) -> tuple[str, str]:
    """Give an article's title as its id, and in plain words as its title."""
    return article.title, article.title.replace("_", " ")


def named_by_id(article: Article) -> tuple[str, str]:
    """Give the id and title that upstream gives."""
    return str(article.id), article.title


class Joined:
    """An article's paragraphs as one text, and where each of them stands in it."""

    def __init__(self, document: str, paragraphs: Sequence[str]) -> None:
        self._document = document
        self._raw = paragraphs
        texts = [normalise(paragraph) for paragraph in paragraphs]
        self._offset = [OffsetMap(paragraph) for paragraph in paragraphs]
        self._begin = list(accumulate((len(text) + len(JOINT) for text in texts), initial=0))
        self.text = JOINT.join(texts)

    def find(self, paragraph: int, answer: Answer) -> tuple[How, Span | None]:
        """Place an answer of a paragraph in the whole text; None: no place is certain."""
        found = place(self._raw[paragraph], answer.text, answer.answer_start)
        if found.start < 0:
            return found.how, None
        begin, offset = self._begin[paragraph], self._offset[paragraph]
        span = Span(self._document, begin + offset(found.start), begin + offset(found.end))
        return found.how, span


def read_release(raw: Path | None, name: str, file: str) -> Release:
    """Read a file of the dataset whose card is `name`.

    Raises:
        DatasetError: It is missing, not of this layout, or has other bytes than the card says.
    """
    folder = raw_folder(raw, name, file)
    check_files(folder, {file: card(name)["sha256"][file]})
    return read(folder / file, Release)


def load_form(raw: Path | None, name: str, form: Form, notes: Sequence[str] = ()) -> Dataset:
    """Load a set whose questions stand for themselves.

    A question is left out if it has no text, or if none of its answers has a certain place; an
    answer without one is left out if there is another. Questions that upstream gives no answer are
    asked without gold.

    Args:
        raw: The folder with upstream's files.
        name: The dataset whose card has the file's digest.
        form: What is particular to the set.
        notes: What a reader of results should know, one sentence each.

    Raises:
        DatasetError: As `read_release`, or two articles or questions of one id.
    """
    documents: list[Document] = []
    questions: list[Question] = []
    excluded: dict[str, str] = {}
    hows: list[How] = []
    for article in read_release(raw, name, form.file).data:
        ident, title = form.identify(article)
        joined = Joined(ident, [paragraph.context for paragraph in article.paragraphs])
        documents.append(Document(ident, joined.text, title))
        for asked, question, found in _questions(article, ident, joined, form):
            hows.extend(found)
            if reason := _why_not(question, asked):
                excluded[question.id] = reason
            else:
                questions.append(question)
    evidence = tally(hows)
    return assemble(
        form.name, documents, questions, evidence=evidence, excluded=excluded, notes=notes
    )


def _questions(
    article: Article, document: str, joined: Joined, form: Form
) -> Iterator[tuple[Asked, Question, list[How]]]:
    """Yield upstream's questions, ours, and how the answers were found."""
    for number, paragraph in enumerate(article.paragraphs):
        for asked in paragraph.qas:
            found = [joined.find(number, answer) for answer in asked.distinct]
            spans = dict.fromkeys(span for _, span in found if span)
            question = Question(
                str(asked.id),
                asked.question,
                (tuple(spans),) if spans else (),
                answers=tuple(dict.fromkeys(answer.text.strip() for answer in asked.distinct)),
                scope=(document,) if form.scoped else None,
                tags=form.tags,
            )
            yield asked, question, [how for how, _ in found]


def _why_not(question: Question, asked: Asked) -> str | None:
    """Say why a question cannot be asked; None: it can."""
    if not question.text.strip():
        return UNASKED
    return UNPLACED if asked.distinct and not question.gold else None

"""The tutorial's PDF and its ten questions, whose evidence is named by chapter and section."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, RootModel

from bench.data.assemble import assemble
from bench.data.cards import card, raw_folder
from bench.data.pdf_cache import read_pdf_cached
from bench.data.rows import check_files, read
from bench.types import Dataset, Document, Evidence, Passage, Question, Span

NAME = "all_rag_techniques"
PDF = "AI_Information.pdf"
QUESTIONS = "val.json"

_CHAPTER = re.compile(r"Chapter (\d+)(?::\s*(.*))?")
_STEP = re.compile(r"\s*-\s+")  # "A - B" and "A- B" go down a level, "A-B" is one word


class Row(BaseModel):
    """A question; `reference` names headings, one path after the other."""

    question: str
    ideal_answer: str
    reference: str
    has_answer: bool


class _Rows(RootModel[list[Row]]):
    """The file of questions."""


class Heading(NamedTuple):
    """A line that is a heading, and where its chapter or section lies in the text."""

    text: str
    begin: int
    end: int
    """Before the next heading; of a chapter, before the next chapter."""
    chapter: int


def load(raw: Path | None) -> Dataset:
    """Load the document and its questions.

    The named sections are weak gold: somebody's hint where to look, whole sections or chapters.
    A question that has an answer and names a heading that the PDF has not is left out; those
    without an answer are kept without gold.

    Raises:
        DatasetError: No raw files, other bytes than the pinned ones, or a damaged PDF.
    """
    folder = raw_folder(raw, NAME, PDF)
    digests = card(NAME)["sha256"]
    check_files(folder, {name: digests[name] for name in (PDF, QUESTIONS)})
    pdf, name = read_pdf_cached(folder / PDF), Path(PDF).stem
    document = Document(name, pdf.text, pages=pdf.pages, visual=pdf.visual, file=folder / PDF)
    outline = headings(pdf.text)
    questions: list[Question] = []
    excluded: dict[str, str] = {}
    located = unmatched = 0
    for number, row in enumerate(read(folder / QUESTIONS, _Rows).root):
        paths = row.reference.split(";") if row.has_answer else []
        found = [section(path.strip(), outline) for path in paths]
        located += len(found) - found.count(None)
        unmatched += found.count(None)
        if None in found:
            missing = paths[found.index(None)].strip()
            excluded[f"q{number:02}"] = f"the PDF has no headings as in {missing!r}"
            continue
        gold = tuple(_passage(document, heading) for heading in found if heading)
        questions.append(_question(f"q{number:02}", row, gold, name))
    notes = ["Gold is weak: the sections or chapters that upstream names, as a whole."]
    evidence = Evidence(located=located, unmatched=unmatched)
    return assemble(NAME, [document], questions, evidence=evidence, excluded=excluded, notes=notes)


def headings(text: str) -> list[Heading]:
    """List the headings of the PDF's text in order.

    A heading is a line of its own: the line before ends its paragraph, and so does it, without a
    full stop or a colon. (PDFium leaves a blank at the end of a line whose paragraph goes on.)
    """
    lines = list(_lines(text))
    chapter = 0
    starts: list[tuple[str, int, int]] = []
    for before, (line, begin) in zip(["", *(line for line, _ in lines)], lines, strict=False):
        if not line or before.endswith(" ") or line.endswith((" ", ".", ":")):
            continue
        if match := _CHAPTER.fullmatch(line):
            chapter = int(match[1])
        starts.append((line, begin, chapter))
    chapters = [begin for line, begin, _ in starts if _CHAPTER.fullmatch(line)]
    every = [begin for _, begin, _ in starts]
    found = []
    for line, begin, number in starts:
        later = chapters if _CHAPTER.fullmatch(line) else every
        end = min((other for other in later if other > begin), default=len(text))
        found.append(Heading(line, begin, end, number))
    return found


def section(path: str, outline: list[Heading]) -> Heading | None:
    """Return the heading a path leads to, such as `Chapter 2: Trees - Leaves - Needles`.

    None unless each step is certain: the chapter's number and title, then one heading of each
    name in that chapter, in the order of the path.
    """
    first, *steps = _STEP.split(path)
    if not (named := _CHAPTER.fullmatch(first)):
        return None
    chapters = [
        one
        for one in outline
        if (match := _CHAPTER.fullmatch(one.text))
        and (match[1] == named[1] and named[2] in {None, match[2]})
    ]
    if len(chapters) != 1:
        return None
    at = chapters[0]
    for step in steps:
        below = [one for one in outline if one.chapter == at.chapter and one.text == step]
        if len(below) != 1 or below[0].begin <= at.begin:
            return None
        at = below[0]
    return at


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """Yield each line with its offset."""
    begin = 0
    for line in text.split("\n"):
        yield line, begin
        begin += len(line) + 1


def _passage(document: Document, heading: Heading) -> Passage:
    length = len(document.text[heading.begin : heading.end].rstrip())
    return (Span(document.id, heading.begin, heading.begin + length),)


def _question(number: str, row: Row, gold: tuple[Passage, ...], document: str) -> Question:
    return Question(
        number,
        row.question,
        gold,
        answers=(row.ideal_answer,) if row.has_answer else (),
        scope=(document,),
        tags={"language": "en", "kind": "answerable" if row.has_answer else "unanswerable"},
    )

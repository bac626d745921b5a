"""FinanceBench: questions about company filings, whose evidence is quoted with its page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, Field

from bench.data.assemble import assemble
from bench.data.cards import card, raw_folder
from bench.data.errors import DatasetError
from bench.data.locate import Locator
from bench.data.pdf_cache import read_pdf_cached
from bench.data.rows import check_files, rows
from bench.types import Dataset, Document, Evidence, Passage, Question, Span

NAME = "financebench"
QUESTIONS = "data/financebench_open_source.jsonl"
FILINGS = "data/financebench_document_information.jsonl"


class Filing(BaseModel):
    """What upstream says of a document."""

    doc_name: str
    company: str
    doc_type: str
    doc_period: int


class Quote(BaseModel):
    """A piece of evidence; upstream counts pages from 0."""

    evidence_text: str
    doc_name: str
    evidence_page_num: int


class Row(BaseModel):
    """A question with its evidence, all of it in one document."""

    financebench_id: str
    company: str
    doc_name: str
    question_type: str
    question: str
    answer: str
    evidence: list[Quote] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class _Found:
    """Where a question's quotes stand, and how many of them stand nowhere or at several places."""

    gold: tuple[Passage, ...]
    several: int
    nowhere: int


def load(raw: Path | None) -> Dataset:
    """Load the open-source questions on the documents whose PDFs are there.

    A filing is one document, its pages' texts joined; the first load reads each PDF, later ones
    the cache. A question is asked of its own filing. A quote is looked for on its page alone,
    then there by letters and digits: upstream's text has other white space than ours.

    Raises:
        DatasetError: No raw files, no PDF among them, other bytes than the pinned ones, or a PDF
            that cannot be read.
    """
    folder = raw_folder(raw, NAME, QUESTIONS)
    asked, filings = _tables(folder)
    documents = _documents(folder, filings, {row.doc_name for row in asked})
    questions: list[Question] = []
    excluded: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for row in asked:
        if row.doc_name not in documents:
            excluded[row.financebench_id] = (
                f"its document {row.doc_name} has no PDF here that the card names"
            )
            continue
        found = _find(row, documents[row.doc_name])
        counts.update(
            {"located": len(found.gold), "ambiguous": found.several, "unmatched": found.nowhere}
        )
        if found.several or found.nowhere:
            excluded[row.financebench_id] = (
                f"of {len(row.evidence)} quotes {found.nowhere} stand nowhere on their page and "
                f"{found.several} at several places"
            )
        else:
            questions.append(_question(row, found.gold, filings[row.doc_name]))
    return assemble(
        NAME,
        documents.values(),
        questions,
        evidence=Evidence(**counts),
        excluded=excluded,
        notes=_notes(asked, documents),
    )


def _tables(folder: Path) -> tuple[list[Row], dict[str, Filing]]:
    """Read the questions, and the documents by name; every question's document is among them."""
    digests = card(NAME)["sha256"]
    check_files(folder, {name: digests[name] for name in (QUESTIONS, FILINGS)})
    filings = {filing.doc_name: filing for _, filing in rows(folder / FILINGS, Filing)}
    asked = []
    for place, row in rows(folder / QUESTIONS, Row):
        named = {row.doc_name, *(quote.doc_name for quote in row.evidence)}
        if len(named) > 1 or row.doc_name not in filings:
            raise DatasetError(f"{place}: expected evidence in one known document, found {named}")
        asked.append(row)
    return asked, filings


def _documents(
    folder: Path, filings: Mapping[str, Filing], wanted: set[str]
) -> dict[str, Document]:
    """Read those of the wanted documents whose PDF is pinned and there."""
    pinned: dict[str, str] = card(NAME)["sha256"]
    files = {name: f"pdfs/{name}.pdf" for name in sorted(wanted)}
    files = {n: f for n, f in files.items() if f in pinned and (folder / f).is_file()}
    if not files:
        raise DatasetError(f"{NAME} needs PDFs, expected {folder / 'pdfs'} with some of the card's")
    check_files(folder, {file: pinned[file] for file in files.values()})
    documents = {}
    for name, file in files.items():
        pdf, about = read_pdf_cached(folder / file), filings[name]
        title = f"{about.company}, {about.doc_type}, {about.doc_period}"
        documents[name] = Document(
            name, pdf.text, title, pages=pdf.pages, visual=pdf.visual, file=folder / file
        )
    return documents


def _find(row: Row, document: Document) -> _Found:
    gold: list[Passage] = []
    several = nowhere = 0
    for quote in row.evidence:
        places = _places(quote, document)
        passage = tuple(Span(document.id, begin, end) for begin, end in places)
        several += len(passage) > 1
        nowhere += not passage
        gold += [passage] if len(passage) == 1 else []
    return _Found(tuple(gold), several, nowhere)


def _places(quote: Quote, document: Document) -> list[tuple[int, int]]:
    """Return where a quote stands on its page, in offsets of the document."""
    if not 0 <= quote.evidence_page_num < len(document.pages):
        return []
    begin, end = document.pages[quote.evidence_page_num]
    page = Locator(document.text[begin:end])
    text = quote.evidence_text
    return [(begin + a, begin + b) for a, b in page.find(text) or page.find(text, loose=True)]


def _question(row: Row, gold: tuple[Passage, ...], about: Filing) -> Question:
    return Question(
        row.financebench_id,
        row.question,
        tuple(dict.fromkeys(gold)),
        answers=(row.answer,),
        scope=(row.doc_name,),
        tags={
            "language": "en",
            "kind": about.doc_type,
            "question_type": row.question_type,
            "company": row.company,
        },
    )


def _notes(asked: list[Row], documents: Mapping[str, Document]) -> list[str]:
    absent = sorted({row.doc_name for row in asked} - set(documents))
    if not absent:
        return []
    lost = sum(row.doc_name in absent for row in asked)
    return [
        f"{len(absent)} of {len(absent) + len(documents)} documents have no PDF here, so {lost} "
        f"questions are left out: {', '.join(absent)}."
    ]

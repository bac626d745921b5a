"""The 5 corpora and 472 questions of the Chroma report on chunking, from upstream's raw files."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from bench.data.assemble import assemble
from bench.data.cards import card, raw_folder
from bench.data.errors import DatasetError
from bench.data.normal import OffsetMap, normalise
from bench.data.rows import check_files
from bench.types import Dataset, Document, Question, Span

NAME = "chunking_evaluation"
CORPORA = ("state_of_the_union", "wikitexts", "finance", "chatlogs", "pubmed")
QUESTIONS = "questions_df.csv"


def load(raw: Path | None) -> Dataset:
    """Load the set; every occurrence of a gold text is an alternative.

    `finance` repeats its reports, and upstream's offsets name first copies only; a right answer
    from another copy counts. All five corpora are searched together.

    Raises:
        DatasetError: No raw files, or other bytes than those of the pinned revision.
    """
    folder = raw_folder(raw, NAME, QUESTIONS)
    check_files(folder, card(NAME)["sha256"])
    raw_texts = {
        name: (folder / "corpora" / f"{name}.md").read_bytes().decode("utf-8") for name in CORPORA
    }
    documents = {name: Document(name, normalise(text)) for name, text in raw_texts.items()}
    with (folder / QUESTIONS).open(encoding="utf-8", newline="") as lines:
        questions = tuple(
            _question(number, row, documents, raw_texts)
            for number, row in enumerate(csv.DictReader(lines))
        )
    return assemble(NAME, documents.values(), questions)


def _question(
    number: int, row: dict[str, str], documents: dict[str, Document], raw: dict[str, str]
) -> Question:
    corpus = row["corpus_id"]
    offset = OffsetMap(raw[corpus])
    text = documents[corpus].text
    gold = []
    for reference in json.loads(row["references"]):
        # Upstream read the files as text, which turns line ends as we do.
        start, end = reference["start_index"], reference["end_index"]
        if text[start:end] != normalise(reference["content"]):
            start, end = offset(start), offset(end)
        if text[start:end] != normalise(reference["content"]):
            raise DatasetError(f"{NAME}: question {number}: the excerpt is not at {start}")
        gold.append((Span(corpus, start, end),))
    return Question(
        f"q{number:03}",
        row["question"],
        tuple(gold),
        tags={"language": "en", "kind": "excerpts", "corpus": corpus},
    )

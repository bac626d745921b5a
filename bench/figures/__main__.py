"""`make figures`: draw the figures of docs/rse.md and fill in the tables that go with them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.corpus import Corpus
from bench.data.load import load
from bench.errors import UserError
from bench.family import prepare
from bench.figures.example import draw_example
from bench.figures.length_figure import draw_lengths
from bench.figures.lengths import Length, made_up
from bench.figures.pages import choice_table, length_table
from bench.figures.question import QUESTION, Choice, choose, draw_question
from bench.figures.real import real
from bench.figures.table import put, write_csv
from bench.progress import Progress
from bench.types import Question
from rse import Hits

DOCS = Path("docs")
DATASET, FAMILY, DEPTH = "pydata-docs", "recursive[size=800] / minilm", 200


def main(docs: Path = DOCS) -> None:
    """Measure, draw, write; the same files whenever the numbers are the same."""
    corpus, questions, found = _searched()
    figures, page = docs / "figures", docs / "rse.md"
    rows = [*made_up(), *real(corpus.layout, [found[one.id] for one in questions])]
    _lengths(figures, page, rows)
    _question(figures, page, corpus, questions, found)
    draw_example(figures / "rse_example.svg")


def _searched() -> tuple[Corpus, Sequence[Question], Mapping[str, Hits]]:
    """Load, chunk, embed (once; then from the cache) and search."""
    progress = Progress()
    family = prepare(load(DATASET), FAMILY, None, progress)
    questions = family.dataset.questions
    found = {
        one.id: family.retriever.find(one.searches, DEPTH, None).hits[0]
        for one in progress.track(questions, "searching")
    }
    return family.corpus, questions, found


def _lengths(figures: Path, page: Path, rows: Sequence[Length]) -> None:
    draw_lengths(figures / "segment_length.svg", rows)
    write_csv(figures / "segment_length.csv", Length._fields, rows)
    put(page, "segment length", length_table(rows))


def _question(
    figures: Path,
    page: Path,
    corpus: Corpus,
    questions: Sequence[Question],
    found: Mapping[str, Hits],
) -> None:
    asked = {one.id: one for one in questions}
    if QUESTION not in asked:
        raise UserError(
            f"{DATASET} leaves out {QUESTION} here, which the figure is about: install the "
            f"versions in constraints.txt (`make setup`)"
        )
    strip, choices = choose(corpus, asked[QUESTION], found, questions)
    draw_question(figures / "relevance_strip.svg", strip)
    write_csv(figures / "relevance_strip.csv", Choice._fields, choices)
    put(page, "relevance strip", choice_table(choices))


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        sys.exit(f"rse-bench: {error}")

"""Answers as ragas reads them: JSON lines with the columns of its single-turn samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.corpus import Corpus
from bench.export.text import span_id, write_json_lines
from bench.metrics.judged import holding, judge_chunks
from bench.types import Dataset, Record


def write_ragas(dataset: Dataset, corpus: Corpus, records: Iterable[Record], path: Path) -> Path:
    """Write the answers of one arm; see `ragas_rows`.

    Raises:
        UserError: The file cannot be written.
    """
    return write_json_lines(path, ragas_rows(dataset, corpus, records))


def ragas_rows(
    dataset: Dataset,
    corpus: Corpus,
    records: Iterable[Record],
    responses: Mapping[str, str] | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield a sample for each answer of an arm.

    Contexts are the texts of its segments, best first, and of the gold, each passage as its first
    alternative. Ids are of chunks: those that a segment covers, and those with gold in them; of
    equal passages every chunk counts, so an arm that returns one of two copies has half the recall
    by ids.

    Args:
        dataset: The questions.
        corpus: The chunks the arm chose from.
        records: The answers of one arm.
        responses: What a model made of them, by question; none: null.
    """
    questions = {question.id: question for question in dataset.questions}
    for record in records:
        question = questions[record.question]
        spans = record.context.spans
        covered = dict.fromkeys(
            span_id(corpus.chunk_span(chunk))
            for span in spans
            for chunk in sorted(holding(corpus, [span]))
        )
        gold = judge_chunks(corpus, question, plain=True).item.tolist()
        yield {
            "user_input": question.text,
            "retrieved_contexts": [corpus.slice(span) for span in spans],
            "reference_contexts": [corpus.slice(passage[0]) for passage in question.gold],
            "retrieved_context_ids": list(covered),
            "reference_context_ids": [span_id(corpus.chunk_span(chunk)) for chunk in gold],
            "response": (responses or {}).get(question.id),
            "reference": question.answers[0] if question.answers else None,
        }

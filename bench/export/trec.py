"""Rankings as TREC files: a run and its relevance judgements, of chunks or of documents.

Scores fall by 1 from rank to rank, so that no tool has ties to break. Judgements are the plain
ones of `bench.metrics.judged`: TREC's files cannot say that two chunks are one answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench.export.rankings import Rankings
from bench.export.text import escaped, span_id, write_lines
from bench.metrics.judged import judge_chunks, judge_documents, rank_documents
from bench.types import Dataset


def write_trec(dataset: Dataset, rankings: Rankings, folder: Path) -> list[Path]:
    """Write a run and qrels for chunks, and for documents.

    The third column of a run names a chunk `doc:start-end`, blanks as in addresses (`%20`). A
    question without gold has no line in the qrels, one with an empty ranking none in the run.

    Args:
        dataset: The questions.
        rankings: Their rankings; a question that is not in it has an empty one.
        folder: Where `chunks.run`, `chunks.qrels`, `documents.run` and `documents.qrels` go.

    Raises:
        UserError: The files cannot be written.
    """
    corpus = rankings.corpus
    chunks = [rankings.chunks.get(question.id, ()) for question in dataset.questions]
    documents = [rank_documents(corpus, ranking) for ranking in chunks]

    def chunk_name(number: int) -> str:
        return span_id(corpus.chunk_span(number))

    def document_name(number: int) -> str:
        return escaped(corpus.documents[number].id)

    ids = [escaped(question.id) for question in dataset.questions]
    relevant = [
        [judge(corpus, question, plain=True).item.tolist() for question in dataset.questions]
        for judge in (judge_chunks, judge_documents)
    ]
    tag = escaped(rankings.family.replace(" / ", "/"))
    return [
        write_lines(folder / "chunks.run", run_lines(ids, chunks, chunk_name, tag)),
        write_lines(folder / "chunks.qrels", qrels_lines(ids, relevant[0], chunk_name)),
        write_lines(folder / "documents.run", run_lines(ids, documents, document_name, tag)),
        write_lines(folder / "documents.qrels", qrels_lines(ids, relevant[1], document_name)),
    ]


def run_lines(
    questions: Sequence[str],
    rankings: Sequence[Sequence[int]],
    name: Callable[[int], str],
    tag: str,
) -> Iterator[str]:
    """Yield the lines of a run; an item that is ranked again is dropped.

    >>> list(run_lines(["q1"], [[7, 7, 3]], "d{}".format, "bm25"))
    ['q1 Q0 d7 1 2 bm25', 'q1 Q0 d3 2 1 bm25']
    """
    for question, ranking in zip(questions, rankings, strict=True):
        items = list(dict.fromkeys(name(item) for item in ranking))
        for rank, item in enumerate(items, start=1):
            yield f"{question} Q0 {item} {rank} {len(items) + 1 - rank} {tag}"


def qrels_lines(
    questions: Sequence[str], relevant: Sequence[Sequence[int]], name: Callable[[int], str]
) -> Iterator[str]:
    """Yield the lines of relevance judgements; what is not listed is not relevant.

    >>> list(qrels_lines(["q1", "q2"], [[3], []], "d{}".format))
    ['q1 0 d3 1']
    """
    for question, items in zip(questions, relevant, strict=True):
        for item in dict.fromkeys(map(name, items)):
            yield f"{question} 0 {item} 1"

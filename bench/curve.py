"""What is kept of a question beside the arms' answers: its ranking, and what bounds every arm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from baselines.ranking import interleave
from bench.corpus import Corpus
from bench.family import COST, Family
from bench.gold import view
from bench.metrics.intervals import union
from bench.metrics.judged import judge_chunks, judge_documents, rank_documents
from bench.metrics.ranked import ranked
from bench.metrics.tokens import recall, topk_curve
from bench.retrieval.retriever import Found
from bench.tokens import tokenizer
from bench.types import Question

DIGITS = 12
"""Metrics are kept to so many decimals: more is rounding noise."""


def curve_row(family: Family, question: Question, found: Found, depth: int) -> dict[str, Any]:
    """Return the row of a question and a family; several queries' hits are taken in turns.

    Args:
        family: Corpus and retriever.
        question: What is asked.
        found: What the retriever found.
        depth: Hits a ranking has at most.
    """
    ranking = interleave(found.hits)[0][:depth].tolist()
    queries = found.queries or question.searches
    topk = topk_curve(family.corpus, ranking, question.gold)
    return {
        "dataset": family.dataset.name,
        "family": family.name,
        "question": question.id,
        "tokens": topk.tokens.tolist(),
        "recall": topk.recall.round(DIGITS).tolist(),
        **_oracle(family.corpus, question),
        "chunks": ranking,
        **measured_rankings(family.corpus, [question], [ranking])[0],
        "hits": [len(one) for one in found.hits],
        "clipped": found.clipped,
        "queries": list(queries),
        **_read(family.corpus, found, queries),
    }


def _oracle(corpus: Corpus, question: Question) -> dict[str, list[float]]:
    """Follow the oracle from chunk to chunk; see `baselines.Oracle`."""
    seen = view(corpus, question)
    tokens = corpus.costs[seen.gold_chunk]
    density = seen.gold / np.maximum(tokens, 1)
    order = np.lexsort((seen.gold_chunk, -density, tokens > 0))
    spans = [corpus.chunk_span(int(seen.gold_chunk[i])) for i in order]
    reached = [recall(union(spans[:count]), question.gold) for count in range(len(spans) + 1)]
    return {
        "oracle_tokens": np.cumsum([0, *tokens[order]]).tolist(),
        "oracle_recall": np.array(reached, float).round(DIGITS).tolist(),
    }


def measured_rankings(
    corpus: Corpus, questions: Sequence[Question], rankings: Sequence[Sequence[int]]
) -> list[dict[str, dict[str, float]]]:
    """Return the metrics of each question's ranking: of its chunks, and of their documents."""
    documents = [rank_documents(corpus, ranking) for ranking in rankings]
    of_chunks = ranked(rankings, [judge_chunks(corpus, question) for question in questions])
    of_documents = ranked(documents, [judge_documents(corpus, question) for question in questions])
    return [
        {"ranked_chunks": _at(of_chunks, row), "ranked_documents": _at(of_documents, row)}
        for row in range(len(questions))
    ]


def _at(values: Mapping[str, Any], row: int) -> dict[str, float]:
    return {name: round(float(column[row]), DIGITS) for name, column in values.items()}


def _read(corpus: Corpus, found: Found, queries: Sequence[str]) -> dict[str, Any]:
    """Count what models are sent to find this: the queries, and what each reranker reads."""
    count = tokenizer(COST).count
    return {
        "query_tokens": sum(map(count, queries)),
        "rerank_tokens": [
            sum(
                count(one.query) * len(one.chunk) + int(corpus.costs[one.chunk].sum()) for one in by
            )
            for by in found.read
        ],
    }

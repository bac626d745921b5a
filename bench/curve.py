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
    steps = np.cumsum([0, *tokens[order]]).tolist()
    spent = steps
    if corpus.overlapping:  # it stops by what its chunks own, and what two of them share costs once
        spent = [corpus.tokens(spans[:count]) for count in range(len(spans) + 1)]
    return {
        "oracle_steps": steps,
        "oracle_tokens": spent,
        "oracle_recall": np.array(reached, float).round(DIGITS).tolist(),
    }


def measured_rankings(
    corpus: Corpus, questions: Sequence[Question], rankings: Sequence[Sequence[int]]
) -> list[dict[str, Any]]:
    """Return the metrics of each question's ranking: of its chunks, and of their documents.

    `ranked_*` take every chunk or document with gold for relevant, as TREC's tools do; `answers_*`
    count answers, so that a passage found again is no miss and all of its chunks are one. See
    `bench.metrics.judged`; `searched_*` is how many there are to be ranked.
    """
    documents = [rank_documents(corpus, ranking) for ranking in rankings]
    rows: list[dict[str, Any]] = [{} for _ in questions]
    for kind, judge, ranked_ones in (
        ("chunks", judge_chunks, rankings),
        ("documents", judge_documents, documents),
    ):
        for name, plain in (("ranked", True), ("answers", False)):
            judged = [judge(corpus, question, plain=plain) for question in questions]
            values = ranked(ranked_ones, judged)
            for row, (one, kept) in enumerate(zip(judged, rows, strict=True)):
                kept[f"{name}_{kind}"] = _at(values, row)
                kept[f"searched_{kind}"] = one.searched
    return rows


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

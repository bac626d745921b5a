"""Span metrics and recall at budgets of many records at once: compiled.

`bench.metrics.spans.score` and `bench.metrics.tokens.recall_at_budgets` say in plain Python what
the numbers are; here they are the same to 1e-12, in some ten microseconds an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bench.corpus import Corpus
from bench.errors import UserError
from bench.metrics.arrays import answers, columns, gold_spans, golds, line
from bench.metrics.cuts import COLUMNS, score_answers
from bench.metrics.spans import HIT_SHARE
from bench.metrics.tokens import BUDGETS
from bench.tokens import TokenMap
from bench.types import Context, Question


class Answered(Protocol):
    """What is scored: a `bench.types.Record`, or anything that says as much."""

    @property
    def question(self) -> str:
        """Id of the question."""
        ...

    @property
    def context(self) -> Context:
        """What was returned, best first."""
        ...


def token_maps(corpus: Corpus) -> dict[str, TokenMap]:
    """Return the tokens of each document of a corpus, by id: all of it that scoring needs."""
    return {one.id: held for one, held in zip(corpus.documents, corpus.maps, strict=True)}


def score_records(
    maps: Mapping[str, TokenMap],
    records: Sequence[Answered],
    questions: Sequence[Question],
    budgets: Sequence[int] = BUDGETS,
) -> dict[str, NDArray[np.float64]]:
    """Score answers to the questions of one dataset, by any number of arms.

    Args:
        maps: The tokens of each document, by id, see `token_maps`.
        records: The answers; only their question and spans are read. Spans may overlap, be empty,
            and lie anywhere.
        questions: Where the gold is.
        budgets: Tokens at which answers are cut.

    Returns:
        By name, one value for each record: what `bench.metrics.spans.score` returns; `tokens` that
        begin in the union of the spans; and `recall_at_250`..., one for each budget. All but
        `tokens` are nan without gold.

    Raises:
        UserError: A record of a question, or a span of a document, that is not there.

    Tokens begin at 0 and 6; of 11 characters of gold the answer has 5 + 1, the first token 5:

    >>> from types import SimpleNamespace
    >>> from bench.types import Span
    >>> asked = Question("q", "?", gold=((Span("d", 0, 11),),))
    >>> context = Context((Span("d", 6, 11), Span("d", 0, 1)), tokens=2)
    >>> answer = SimpleNamespace(question="q", context=context)
    >>> found = score_records({"d": TokenMap(np.array([0, 6]))}, [answer], [asked], [1])
    >>> {name: round(float(values[0]), 3) for name, values in found.items()}
    ... # doctest: +NORMALIZE_WHITESPACE
    {'recall': 0.545, 'precision': 1.0, 'iou': 0.545, 'f1': 0.706, 'hit': 1.0, 'full': 0.0,
     'context_precision': 1.0, 'tokens': 2.0, 'recall_at_1': 0.455}
    """
    number = {question.id: place for place, question in enumerate(questions)}
    if unknown := {record.question for record in records} - number.keys():
        raise UserError(
            f"records of {len(unknown)} questions that are not in the dataset, such as "
            f"{min(unknown)!r}; score records with the questions they answer"
        )
    gold = [question.gold for question in questions]
    spans = [record.context.spans for record in records]
    returned, wanted = columns(chain.from_iterable(spans)), gold_spans(gold)
    where = line(maps, (returned, wanted))
    cuts = sorted(set(budgets))
    scores = score_answers(
        answers(
            [number[record.question] for record in records], [*map(len, spans)], returned, where
        ),
        golds(gold, wanted, where),
        where.tokens,
        np.array(cuts, np.int64),
        HIT_SHARE,
    )
    names = [*COLUMNS, *(f"recall_at_{budget}" for budget in cuts)]
    return dict(zip(names, scores.T.copy(), strict=True))

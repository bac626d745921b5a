"""One question: search once, then let every arm choose from the very same hits."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from time import perf_counter
from typing import Any

from baselines.ranking import interleave
from bench.arms import Arm
from bench.catalog import calibration, strategy
from bench.family import COST, Family
from bench.gold import Ceiling, documents_searched, view
from bench.metrics.spans import score
from bench.metrics.tokens import recall_at_budgets, topk_curve
from bench.render import render
from bench.retrieval.retriever import Found
from bench.store.records import row_of
from bench.tokens import tokenizer
from bench.types import Context, Question, Record
from rse import PerQuestion, QuestionView, Segment

DIGITS = 12
"""Metrics are kept to so many decimals: more is rounding noise."""


class RunError(RuntimeError):
    """A strategy failed on a question; the message names both."""


class Answering:
    """Answers questions by all arms of a family.

    Args:
        family: Corpus and retriever, ready.
        arms: What to compare.
        depth: Hits the search returns at most.
        keep_going: Count a failed strategy's answer as empty instead of stopping.
    """

    def __init__(self, family: Family, arms: Sequence[Arm], depth: int, keep_going: bool) -> None:
        self.family, self.depth, self.keep_going = family, depth, keep_going
        self.arms = [(arm, strategy(arm.strategy)[1], calibration(arm.scores)[1]) for arm in arms]
        self.cold: dict[str, float] = {}

    def warm_up(self, question: Question) -> None:
        """Answer one question first: models load and kernels compile here, timed apart."""
        began = perf_counter()
        found = self._search(question)
        self.cold["first_search"] = perf_counter() - began
        began = perf_counter()
        self._search(question)
        self.cold["second_search"] = perf_counter() - began
        began = perf_counter()
        seen = view(self.family.corpus, question)
        for arm in self.arms:
            self._select(arm, found, seen)
        self.cold["first_select_of_all_arms"] = perf_counter() - began

    def answer(self, question: Question) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return top-k's curve and one row per arm."""
        found = self._search(question)
        corpus = self.family.corpus
        seen, ceiling = view(corpus, question), Ceiling(corpus, question)
        rows = []
        for arm in self.arms:
            segments, selecting, failed = self._timed(arm, found, seen, question)
            began = perf_counter()
            spans = tuple(corpus.span(segment) for segment in segments)
            text = render(corpus, spans, segments)
            rendering = perf_counter() - began
            context = Context(spans, corpus.tokens(spans))
            metrics = score(spans, question.gold) | recall_at_budgets(corpus, spans, question.gold)
            metrics["ceiling"] = nan if corpus.overlapping else ceiling.at(context.tokens)
            record = Record(
                "",
                self.family.dataset.name,
                str(arm[0]),
                question.id,
                context,
                tuple(segment.score for segment in segments),
                tokenizer(COST).count(text),
                {
                    "embed": found.embed,
                    "search": found.search,
                    "select": selecting,
                    "render": rendering,
                },
                {name: round(value, DIGITS) for name, value in metrics.items()},
                failed,
            )
            rows.append(row_of(record))
        return self._curve(question, found), rows

    def _curve(self, question: Question, found: Found) -> dict[str, Any]:
        curve = topk_curve(
            self.family.corpus, interleave(found.hits)[0][: self.depth].tolist(), question.gold
        )
        return {
            "dataset": self.family.dataset.name,
            "family": self.family.name,
            "question": question.id,
            "tokens": curve.tokens.tolist(),
            "recall": curve.recall.round(DIGITS).tolist(),
            "hits": [len(one) for one in found.hits],
            "clipped": found.clipped,
        }

    def _search(self, question: Question) -> Found:
        scope = documents_searched(self.family.corpus, question)
        return self.family.retriever.find(question.searches, self.depth, scope)

    def _timed(
        self, arm: tuple[Arm, Any, Any], found: Found, seen: QuestionView, question: Question
    ) -> tuple[list[Segment], float, bool]:
        began = perf_counter()
        try:
            segments = self._select(arm, found, seen)
        except Exception as error:
            if not self.keep_going:
                raise RunError(
                    f"{arm[0]} failed on question {question.id}: {type(error).__name__}: {error}; "
                    f"--keep-going counts it as an empty answer"
                ) from error
            return [], perf_counter() - began, True
        return segments, perf_counter() - began, False

    def _select(self, arm: tuple[Arm, Any, Any], found: Found, seen: QuestionView) -> list[Segment]:
        _, chosen, scores = arm
        layout = self.family.corpus.layout
        hits = [scores.apply(one, layout) for one in found.hits]
        if isinstance(chosen, PerQuestion):
            chosen = chosen.for_question(seen)
        segments: list[Segment] = chosen.select(hits, layout)
        return segments

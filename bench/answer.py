"""One question: search once, then let every arm choose from the very same hits."""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import nan
from time import perf_counter
from typing import Any, NamedTuple

from baselines.ranking import interleave
from bench.arms import Arm
from bench.catalog import calibration, strategy
from bench.content.forms import DEFAULT, PICTURES, Form
from bench.content.images import PageImages
from bench.content.render import Renderer
from bench.contract import check_segments
from bench.errors import RunError
from bench.family import COST, Family
from bench.gold import Ceiling, documents_searched, view
from bench.metrics.spans import score
from bench.metrics.tokens import recall_at_budgets, topk_curve
from bench.optimum import value_gap
from bench.places import cache_folder
from bench.retrieval.retriever import Found
from bench.scores import neighbours_needed
from bench.store.records import row_of
from bench.tokens import tokenizer
from bench.types import Context, Question, Record
from rse import PerQuestion, QuestionView, Segment
from rse.calibration import Calibration

DIGITS = 12
"""Metrics are kept to so many decimals: more is rounding noise."""


class Prepared(NamedTuple):
    """An arm whose parts are built."""

    name: str
    strategy: Any
    scores: Calibration

    @property
    def needs_vectors(self) -> bool:
        """Whether its hits must carry the chunks' vectors: a strategy's class says so."""
        return bool(getattr(self.strategy, "needs_vectors", False))


class Selected(NamedTuple):
    """What an arm has chosen for a question."""

    segments: list[Segment]
    seconds: float
    failed: bool
    """Whether it raised, and nothing stands for what it would have chosen."""
    value_gap: float = nan
    """See `bench.optimum`; not part of `seconds`."""


class Answering:
    """Answers questions by all arms of a family.

    Args:
        family: Corpus and retriever, ready.
        arms: What to compare.
        depth: Hits the search returns at most.
        keep_going: Count a failed strategy's answer as empty instead of stopping.
        content: How segments are shown.
    """

    def __init__(
        self,
        family: Family,
        arms: Sequence[Arm],
        depth: int,
        keep_going: bool,
        content: Form = DEFAULT,
    ) -> None:
        self.family, self.depth, self.keep_going = family, depth, keep_going
        images = PageImages(cache_folder() / "page_images")
        self.renderer = Renderer(content, family.corpus, images)
        self.arms = [
            Prepared(str(arm), strategy(arm.strategy)[1], calibration(arm.scores)[1])
            for arm in arms
        ]
        self.neighbours = max((neighbours_needed(arm.scores) for arm in self.arms), default=0)
        self.vectors = any(arm.needs_vectors for arm in self.arms)
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
        seen, offers = view(self.family.corpus, question), self._offers(found)
        for arm in self.arms:
            self._select(arm, offers[arm.needs_vectors], seen)
        self.cold["first_select_of_all_arms"] = perf_counter() - began

    def answer(
        self, question: Question, done: Container[str] = ()
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return top-k's curve and one row for each arm whose name is not in `done`."""
        found = self._search(question)
        offers = self._offers(found)
        corpus = self.family.corpus
        seen, ceiling = view(corpus, question), Ceiling(corpus, question)
        rows = [
            row_of(self._record(arm, offers[arm.needs_vectors], question, seen, ceiling))
            for arm in self.arms
            if arm.name not in done
        ]
        return self._curve(question, found), rows

    def _record(
        self, arm: Prepared, found: Found, question: Question, seen: QuestionView, ceiling: Ceiling
    ) -> Record:
        corpus = self.family.corpus
        chosen = self._select(arm, found, seen)
        self.renderer.prepare(map(corpus.span, chosen.segments))
        began = perf_counter()
        spans = tuple(corpus.span(segment) for segment in chosen.segments)
        rendered = self.renderer.render(spans, chosen.segments)
        seconds = {
            "queries": found.queries_seconds,
            "embed": found.embed,
            "search": found.search,
            "rerank": found.rerank,
            "select": chosen.seconds,
            "render": perf_counter() - began,
        }
        context = Context(spans, corpus.tokens(spans))
        metrics = score(spans, question.gold) | recall_at_budgets(corpus, spans, question.gold)
        metrics["ceiling"] = nan if corpus.overlapping else ceiling.at(context.tokens)
        metrics["value_gap"] = chosen.value_gap
        if self.renderer.form in PICTURES:
            metrics["images"] = len(rendered.images)
        return Record(
            dataset=self.family.dataset.name,
            arm=arm.name,
            question=question.id,
            context=context,
            scores=tuple(segment.score for segment in chosen.segments),
            prompt_tokens=tokenizer(COST).count(rendered.text),
            seconds=seconds,
            metrics={name: round(value, DIGITS) for name, value in metrics.items()},
            failed=chosen.failed,
        )

    def _curve(self, question: Question, found: Found) -> dict[str, Any]:
        ranking = interleave(found.hits)[0][: self.depth].tolist()
        curve = topk_curve(self.family.corpus, ranking, question.gold)
        return {
            "dataset": self.family.dataset.name,
            "family": self.family.name,
            "question": question.id,
            "tokens": curve.tokens.tolist(),
            "recall": curve.recall.round(DIGITS).tolist(),
            "chunks": ranking,
            "hits": [len(one) for one in found.hits],
            "clipped": found.clipped,
            "queries": list(found.queries or question.searches),
        }

    def _search(self, question: Question) -> Found:
        scope = documents_searched(self.family.corpus, question)
        return self.family.retriever.find(
            question.searches, self.depth, scope, self.neighbours, vectors=self.vectors
        )

    def _offers(self, found: Found) -> dict[bool, Found]:
        """Return what an arm gets to see, by whether it needs vectors.

        Every step of a calibration copies all features: who does not look at vectors must not be
        timed with them.
        """
        if not self.vectors:
            return {False: found}
        return {True: found, False: found.without("vectors")}

    def _select(self, arm: Prepared, found: Found, seen: QuestionView) -> Selected:
        """Let an arm choose, timed, and check what it returns."""
        layout = self.family.corpus.layout
        began = perf_counter()
        try:
            hits = [arm.scores.apply(one, layout) for one in found.hits]
            chosen = arm.strategy
            if isinstance(chosen, PerQuestion):
                chosen = chosen.for_question(seen)
            segments = list(chosen.select(hits, layout))
            seconds = perf_counter() - began
            check_segments(segments, layout)
            gap = value_gap(chosen, segments, hits, layout)
        except Exception as error:
            if not self.keep_going:
                raise RunError(
                    f"{arm.name} failed on question {seen.id}: {type(error).__name__}: {error}; "
                    f"--keep-going counts it as an empty answer"
                ) from error
            return Selected([], perf_counter() - began, failed=True)
        return Selected(segments, seconds, failed=False, value_gap=gap)

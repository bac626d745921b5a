"""One question: search once, then let every arm choose from the very same hits."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple

from bench.arms import Arm
from bench.catalog import calibration, strategy
from bench.content.forms import DEFAULT, PICTURES, Form
from bench.content.images import PageImages
from bench.content.render import Rendered, Renderer
from bench.curve import DIGITS, curve_row
from bench.errors import RunError
from bench.family import COST, Family
from bench.gold import documents_searched, view
from bench.metrics.bounds import Bounds
from bench.metrics.spans import score
from bench.metrics.tokens import recall_at_budgets
from bench.places import cache_folder
from bench.retrieval.retriever import Found
from bench.scores import neighbours_needed
from bench.select import Prepared, Selected, SelectionError, select
from bench.store.records import row_of
from bench.tokens import tokenizer
from bench.types import Context, Question, Record, Span
from rse import QuestionView


class Given(NamedTuple):
    """One repetition of an arm's answer."""

    chosen: Selected
    spans: tuple[Span, ...]
    rendered: Rendered
    seconds: Mapping[str, float]
    """Of each stage."""


class Settings(NamedTuple):
    """How questions are answered."""

    depth: int
    """Hits the search returns at most."""
    keep_going: bool = False
    """Count a failed strategy's answer as empty instead of stopping."""
    content: Form = DEFAULT
    """How segments are shown."""
    repetitions: int = 1
    """How often each answer is given and timed."""


class Answering:
    """Answers questions by all arms of a family.

    Each repetition searches anew and lets every arm choose in turn, beginning with another arm each
    time, so that a machine that slows down or is warm slows all arms alike.

    Args:
        family: Corpus and retriever, ready.
        arms: What to compare.
        settings: How to answer.
    """

    def __init__(self, family: Family, arms: Sequence[Arm], settings: Settings) -> None:
        self.family, self.settings = family, settings
        images = PageImages(cache_folder() / "page_images")
        self.renderer = Renderer(settings.content, family.corpus, images)
        self.arms = [
            Prepared(str(arm), strategy(arm.strategy)[1], calibration(arm.scores)[1])
            for arm in arms
        ]
        self.neighbours = max((neighbours_needed(arm.scores) for arm in self.arms), default=0)
        self.vectors = any(arm.needs_vectors for arm in self.arms)
        self.cold: dict[str, float] = {}
        self._turn = 0

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
        """Return what is kept of a question, and a row for each arm whose name is not in `done`."""
        todo = [arm for arm in self.arms if arm.name not in done]
        seen = view(self.family.corpus, question)
        given: dict[str, list[Given]] = {arm.name: [] for arm in todo}
        first: Found | None = None
        for _ in range(self.settings.repetitions):
            found = self._search(question)
            first = first or found
            offers = self._offers(found)
            for arm in self._in_turn(todo):
                offer = offers[arm.needs_vectors]
                so_far = given[arm.name]
                so_far.append(self._give(arm, offer, seen, so_far))
        bounds = Bounds(self.family.corpus, question)
        rows = [row_of(self._record(arm, given[arm.name], question, bounds)) for arm in todo]
        return curve_row(self.family, question, first or found, self.settings.depth), rows

    def serve(self, arm: Prepared, question: Question, before: Sequence[Given] = ()) -> Given:
        """Answer one question by one arm: search, select, render. Threads may share this.

        Args:
            arm: One of `arms`.
            question: What is asked.
            before: The answer given before, if any: it need not be checked again.
        """
        seen = view(self.family.corpus, question)
        return self._give(
            arm, self._offers(self._search(question))[arm.needs_vectors], seen, before
        )

    def _in_turn(self, arms: Sequence[Prepared]) -> Sequence[Prepared]:
        """Return the arms, beginning with another one each time."""
        self._turn += 1
        place = self._turn % len(arms) if arms else 0
        return [*arms[place:], *arms[:place]]

    def _give(
        self, arm: Prepared, found: Found, seen: QuestionView, so_far: Sequence[Given]
    ) -> Given:
        corpus = self.family.corpus
        chosen = self._select(arm, found, seen, so_far[0].chosen if so_far else None)
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
        return Given(chosen, spans, rendered, seconds)

    def _record(
        self, arm: Prepared, given: Sequence[Given], question: Question, bounds: Bounds
    ) -> Record:
        corpus = self.family.corpus
        # One failure among several repetitions is a failure.
        chosen, spans, rendered, _ = next((one for one in given if one.chosen.failed), given[0])
        context = Context(spans, corpus.tokens(spans))
        metrics = score(spans, question.gold) | recall_at_budgets(corpus, spans, question.gold)
        metrics |= bounds.at(context.tokens)
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
            seconds={
                stage: tuple(one.seconds[stage] for one in given) for stage in given[0].seconds
            },
            metrics={name: round(value, DIGITS) for name, value in metrics.items()},
            failed=chosen.failed,
        )

    def _search(self, question: Question) -> Found:
        scope = documents_searched(self.family.corpus, question)
        return self.family.retriever.find(
            question.searches, self.settings.depth, scope, self.neighbours, vectors=self.vectors
        )

    def _offers(self, found: Found) -> dict[bool, Found]:
        """Return what an arm gets to see, by whether it needs vectors.

        Every step of a calibration copies all features: who does not look at vectors must not be
        timed with them.
        """
        if not self.vectors:
            return {False: found}
        return {True: found, False: found.without("vectors")}

    def _select(
        self, arm: Prepared, found: Found, seen: QuestionView, before: Selected | None = None
    ) -> Selected:
        try:
            return select(arm, found, seen, self.family.corpus.layout, before)
        except SelectionError as error:
            if not self.settings.keep_going:
                raise RunError(
                    f"{arm.name} failed on question {seen.id}: {error}; "
                    f"--keep-going counts it as an empty answer"
                ) from error.__cause__
            return Selected([], error.seconds, failed=True)

"""What each arm would have sent to a model, laid out again from the records of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from bench.answers.settings import AnswersError
from bench.catalog import calibration, chunker, retriever, strategy
from bench.content.forms import PICTURES
from bench.content.images import PageImages
from bench.content.render import Renderer
from bench.corpus import Corpus
from bench.export.stored import Corpora, Stored
from bench.places import cache_folder
from bench.store.folder import ResultsError
from bench.types import Question, Record, Span
from rse import Segment

PARTS: tuple[Callable[[str], tuple[str, object]], ...] = (strategy, calibration, chunker, retriever)
"""What finds the parts of an arm's name, in their order."""


class Asked(NamedTuple):
    """A question with what an arm has chosen for it."""

    dataset: str
    arm: str
    question: Question
    context: str
    """As it would be sent; empty where the arm returned nothing."""
    failed: bool
    """Whether the arm itself had failed in the run."""


def asked(run: Stored, arms: Sequence[str], limit: int | None) -> list[Asked]:
    """Lay out what some arms have chosen, in the order of the records.

    Args:
        run: A finished run.
        arms: Full names.
        limit: Only so many questions of each dataset, the first ones; None: all.

    Raises:
        ResultsError: Records are missing, damaged, or of other chunks.
        AnswersError: What would be sent has pictures in it.
    """
    questions = {
        (name, question.id): question
        for name, dataset in run.datasets.items()
        for question in dataset.questions[:limit]
    }
    form = run.manifest["spec"]["content"]
    images, corpora = PageImages(cache_folder() / "page_images"), Corpora(run.datasets)
    found = []
    for record in run.records():
        question = questions.get((record.dataset, record.question))
        if question is None or record.arm not in arms:
            continue
        corpus = corpora.of(record.dataset, " / ".join(record.arm.split(" / ")[2:]))
        text = _shown(Renderer(form, corpus, images), record)
        found.append(Asked(record.dataset, record.arm, question, text, record.failed))
    return found


def segments(corpus: Corpus, spans: Sequence[Span]) -> list[Segment]:
    """Return the segments that show some spans; their scores are not known any more.

    Raises:
        ResultsError: A span does not begin and end where chunks do.
    """
    return [_segment(corpus, span) for span in spans]


def chosen(names: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Return the arms that are meant, in the order of the run; all where none is named.

    `rse` and `rse / minmax` mean these arms with every chunker and retriever, as in tables.

    Args:
        names: The arms of a run.
        wanted: Names, in full or their first parts.

    Raises:
        AnswersError: There is no such arm.
        ParameterError: There is no such strategy, scores, chunker or retriever at all.
    """
    meant: set[str] = set()
    for text in wanted:
        found = [text] if text in names else _beginning(names, text)
        if not found:
            raise AnswersError(f"the run has no arm {text!r}; it has: {'; '.join(names)}")
        meant.update(found)
    return [name for name in names if not wanted or name in meant]


def _beginning(names: Sequence[str], text: str) -> list[str]:
    parts = [part.strip() for part in text.split("/")]
    parts = [parts[0], "none"] if len(parts) == 1 else parts[: len(PARTS)]
    known = [find(part)[0] for find, part in zip(PARTS, parts, strict=False)]
    return [name for name in names if name.split(" / ")[: len(known)] == known]


def _shown(renderer: Renderer, record: Record) -> str:
    spans = record.context.spans
    rendered = renderer.render(spans, segments(renderer.corpus, spans))
    if rendered.images:
        raise AnswersError(
            f"the run shows pictures of pages (content: one of {', '.join(PICTURES)}), and answers "
            f"are made of text alone; run again with `content: text`"
        )
    return rendered.text


def _segment(corpus: Corpus, span: Span) -> Segment:
    number = corpus.number[span.doc]
    begin, end = (int(place) for place in corpus.layout.start[number : number + 2])
    first = begin + int(np.searchsorted(corpus.start[begin:end], span.start))
    reached = np.maximum.accumulate(corpus.reach[first:end])
    last = first + int(np.searchsorted(reached, span.end)) + 1
    if last <= end:
        segment = Segment(first, last, 0.0)
        if corpus.span(segment) == span:
            return segment
    raise ResultsError(
        f"{span.doc}:{span.start}-{span.end} does not begin and end where chunks do now: the run "
        f"was made by an earlier version of rse-bench; run again"
    )

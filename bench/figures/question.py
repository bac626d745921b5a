"""One question of pydata-docs: what its chunks are worth, what is chosen, where the gold is."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.corpus import Corpus
from bench.figures.strip import Row, Strip, chunk_worth, draw_strip
from bench.gold import example, shares
from bench.metrics.spans import score
from bench.types import Question
from rse import RSE, Hits, Optimal, Priced, Segment, Strategy
from rse.calibration import MinMax, Share

QUESTION = "section-17"
"""Chosen because it shows all that the page speaks of; it proves nothing."""

LINE = 118
"""Characters of a title line."""


class Choice(NamedTuple):
    """What one strategy shows for the question."""

    strategy: str
    segments: int
    chunks: int
    tokens: int
    recall: float
    """Share of the gold characters shown."""
    runs: str
    """Half-open runs of chunks of the best document; others are counted behind a plus."""


def arms(hits: Hits, expected: Hits) -> list[tuple[str, Strategy, Hits]]:
    """Return what is compared, each with the scores it reads."""
    return [
        ("RSE, greedy", RSE(), hits),
        ("Optimal, no segment cost", Optimal(segment_cost=0), hits),
        ("Optimal", Optimal(), hits),
        ("Priced", Priced(), expected),
    ]


def choose(
    corpus: Corpus, question: Question, found: Mapping[str, Hits], questions: Sequence[Question]
) -> tuple[Strip, list[Choice]]:
    """Let every arm choose for a question.

    Args:
        corpus: The chunks.
        question: What is asked.
        found: Raw hits of all questions, by id.
        questions: All questions; those about other documents teach the expected shares.
    """
    layout = corpus.layout
    raw = found[question.id]
    hits = MinMax().apply(raw, layout)
    expected = expected_shares(corpus, question, found, questions).apply(raw, layout)
    document = int(layout.document(raw.chunk[:1])[0])
    first, last = int(layout.start[document]), int(layout.start[document + 1])
    rows, choices = [], []
    for label, strategy, scored in arms(hits, expected):
        segments = strategy.select([scored], layout)
        choice = _choice(corpus, question, label, segments, first, last)
        note = f"{choice.tokens:,} tokens, recall {choice.recall:.0%}"
        rows.append(Row(label, segments, note))
        choices.append(choice)
    values, hit = chunk_worth(RSE(), hits, layout)
    here = slice(first, last)
    name = corpus.documents[document].id
    title = "\n".join(textwrap.wrap(f'"{question.text}"', LINE, break_on_hyphens=False))
    gold = _gold(corpus, question, first, last)
    return Strip(title, [(name, first, last)], values[here], hit[here], rows, gold), choices


def draw_question(path: Path, strip: Strip) -> None:
    """Draw the strip of a question."""
    draw_strip(path, strip, 10.0)


def expected_shares(
    corpus: Corpus, question: Question, found: Mapping[str, Hits], questions: Sequence[Question]
) -> Share:
    """Fit expected shares on the questions whose gold lies in other documents than this one's."""
    own = _documents(question)
    others = [one for one in questions if one.gold and not _documents(one) & own]
    examples = [example(corpus, one, found[one.id]) for one in others]
    # All questions search the same documents, so that some of these were seen as hits; no gold
    # of this question's documents was.
    return Share(allow_fitted=True).fit(examples)


def _documents(question: Question) -> set[str]:
    return {span.doc for passage in question.gold for span in passage}


def _choice(
    corpus: Corpus,
    question: Question,
    label: str,
    segments: Sequence[Segment],
    first: int,
    last: int,
) -> Choice:
    spans = [corpus.span(segment) for segment in segments]
    inside = sorted(one for one in segments if first <= one.first < last)
    runs = [f"[{one.first - first}, {one.last - first})" for one in inside]
    if len(inside) < len(segments):
        runs.append(f"+ {len(segments) - len(inside)} elsewhere")
    return Choice(
        label,
        len(segments),
        sum(one.last - one.first for one in segments),
        corpus.tokens(spans),
        round(score(spans, question.gold)["recall"], 3),
        " ".join(runs),
    )


def _gold(corpus: Corpus, question: Question, first: int, last: int) -> list[tuple[int, int]]:
    """Return the runs of chunks of one document that hold gold."""
    spans = [span for passage in question.gold for span in passage]
    held = [[chunk for chunk, _ in shares(corpus, span, None)] for span in spans]
    return [(run[0], run[-1] + 1) for run in held if run and first <= run[0] < last]

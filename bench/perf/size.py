"""Whether the size of the corpus matters: the same hits in 1,000 chunks and in 10 million."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bench.perf.contenders import DifferentAnswersError, contenders, parameters
from bench.perf.inputs import Case, Question, questions
from bench.perf.timing import Times, take_turns
from rse import Hits, Layout

CASE = Case("balanced", 1_000, 10, 1)
COPIES = 10_000
PRICE = 0.002


def compare(
    seconds: float = 2, *, case: Case = CASE, copies: int = COPIES, count: int = 24
) -> dict[str, tuple[Times, Times]]:
    """Time every one of our contenders on a small corpus and on copies of it end to end.

    Building the layouts is not timed. Every question's documents lie elsewhere in the large
    corpus, so that its arrays are not found in the processor's cache from the question before.

    Raises:
        DifferentAnswersError: The size of the corpus changed what is selected.

    Returns:
        Times on the small and on the large corpus, by contender.
    """
    small = questions(case, count)
    large = spread(small, copies)
    _refuse_different(small, large, case)
    sides = {"small": contenders(case, small, PRICE), "large": contenders(case, large, PRICE)}
    both = {
        f"{name} {side}": one
        for side, several in sides.items()
        for name, one in several.items()
        if name != "dsrag"
    }
    found = take_turns(both, seconds=seconds)
    names = [name for name in sides["small"] if name != "dsrag"]
    return {name: (found[f"{name} small"], found[f"{name} large"]) for name in names}


def spread(small: Sequence[Question], copies: int) -> list[Question]:
    """Move each document's hits to a copy of it, in a corpus of `copies` copies of the whole."""
    layout = small[0].layout
    documents = len(layout.start) - 1
    begin = np.arange(copies)[:, None] * len(layout) + layout.start[:-1]
    large = Layout(
        np.append(begin.ravel(), copies * len(layout)),
        np.tile(layout.length, copies),
        None if layout.tokens is None else np.tile(layout.tokens, copies),
    )
    rng = np.random.default_rng(1)
    moved = []
    for question in small:
        copy = np.sort(rng.integers(0, copies, documents))  # sorted: documents keep their order
        hits = tuple(
            Hits(one.chunk + copy[layout.document(one.chunk)] * len(layout), one.score)
            for one in question.hits
        )
        moved.append(replace(question, hits=hits, layout=large))
    return moved


def _refuse_different(small: Sequence[Question], large: Sequence[Question], case: Case) -> None:
    """Make sure that what is selected is the same but for where it lies."""
    rse = parameters(case)
    for one, other in zip(small, large, strict=True):
        here = rse.select(one.hits, one.layout)
        there = rse.select(other.hits, other.layout)
        size = len(one.layout)
        if [(s.first, s.last - s.first, s.score) for s in here] != [
            (s.first % size, s.last - s.first, s.score) for s in there
        ]:
            raise DifferentAnswersError(f"{here} in {size} chunks, {there} in {len(other.layout)}")

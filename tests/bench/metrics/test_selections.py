"""Compiled scoring of many selections against the metrics one by one."""

from __future__ import annotations

import numpy as np
import pytest

from bench.chunking import Fixed
from bench.corpus import cut
from bench.metrics.selections import COLUMNS, ground, score_selections, targets
from bench.metrics.spans import score
from bench.tokens import tokenizer
from bench.types import Dataset, Document, Span
from rse import Segment
from rse.batch import Selections

TEXTS = {
    "a": "Boats leave at noon from the quay. " * 9,
    "blank": " " * 30,
    "void": " " * 30,
    "b": "船は正午に出ます。" * 12,
}


def corpus(overlap=0):
    documents = {name: Document(name, text) for name, text in TEXTS.items()}
    chunker = Fixed(size=11, unit="characters", overlap=overlap)
    return cut(Dataset("made", "0", documents, ()), chunker, tokenizer("o200k_base"))


def random_gold(rng):
    def span():
        doc = str(rng.choice(["a", "b", "blank", "void", "a", "b"]))
        start = int(rng.integers(0, len(TEXTS[doc]) - 1))
        return Span(doc, start, min(len(TEXTS[doc]), start + int(rng.integers(1, 40))))

    return tuple(
        tuple(span() for _ in range(rng.integers(1, 4))) for _ in range(rng.integers(1, 5))
    )


def random_segments(rng, held):
    """Disjoint runs of chunks, some touching, none across documents."""
    found = []
    for d in range(len(held.documents)):
        at, end = int(held.layout.start[d]), int(held.layout.start[d + 1])
        while at < end:
            last = min(end, at + int(rng.integers(1, 5)))
            if rng.random() < 0.3:
                found.append(Segment(at, last, 0.0))
            at = last
    return found


def test_same_numbers_as_one_by_one():
    rng = np.random.default_rng(1)
    held = corpus()
    where = ground(held)
    for _ in range(200):
        gold = random_gold(rng) if rng.random() < 0.95 else ()
        chosen = [random_segments(rng, held) for _ in range(3)] + [[]]
        begin = np.cumsum([0, *map(len, chosen)])
        flat = [segment for one in chosen for segment in one]
        first = np.array([s.first for s in flat], np.int64)
        last = np.array([s.last for s in flat], np.int64)
        found = score_selections(Selections(begin, first, last), where, targets(held, gold))
        for row, segments in zip(found, chosen, strict=True):
            spans = [held.span(segment) for segment in segments]
            one = score(spans, gold)
            assert row[:3] == pytest.approx(
                [one[name] for name in COLUMNS[:3]], abs=1e-12, nan_ok=True
            )
            assert row[3] == held.tokens(spans)
            assert row[4] == sum(s.last - s.first for s in segments)


def test_a_perfect_answer_is_exactly_one():
    held = corpus()
    gold = tuple((Span("a", i, i + 7),) for i in (3, 30, 55))
    everything = Selections(*(np.array(x) for x in ([0, 1], [0], [int(held.layout.start[1])])))
    assert score_selections(everything, ground(held), targets(held, gold))[0, 0] == 1.0


def test_overlapping_chunks_are_refused():
    with pytest.raises(ValueError, match="without overlap"):
        ground(corpus(overlap=3))

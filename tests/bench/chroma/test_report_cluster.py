"""The report's semantic chunker: the best runs against all there are, and where chunks stand."""

from __future__ import annotations

import doctest
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.chroma import cluster, measure
from bench.chroma.cluster import ReportCluster, alike, best_runs
from bench.chroma.configurations import Configuration
from bench.chroma.recursive import ReportRecursive
from bench.metrics.chroma_report import position_as_report
from bench.types import Dataset, Document, Span

TEXT = "Boats leave at noon. Boats leave at one. Dogs eat meat. Dogs eat bones."


def test_examples():
    found = doctest.testmod(cluster)
    assert found.attempted > 0
    assert found.failed == 0


@given(st.integers(1, 7), st.integers(1, 4), st.randoms(use_true_random=False))
def test_runs_are_worth_the_most(count, longest, random):
    values = np.array([[random.uniform(-1, 1) for _ in range(count)] for _ in range(count)])
    similar = values + values.T
    np.fill_diagonal(similar, 0)

    def worth(runs):
        return sum(similar[a : b + 1, a : b + 1].sum() for a, b in runs)

    def every():
        for cuts in product([False, True], repeat=count - 1):
            begins = [0, *(i + 1 for i, here in enumerate(cuts) if here)]
            runs = list(zip(begins, [*(b - 1 for b in begins[1:]), count - 1], strict=True))
            if all(last - first < longest for first, last in runs):
                yield runs

    found = best_runs(similar, longest)
    assert [row for a, b in found for row in range(a, b + 1)] == list(range(count))
    # Rows at the beginning that are worth nothing are one run, however many: as upstream.
    assert all(last - first < longest for first, last in found[1:])
    best = max(map(worth, every()))
    if found[0][1] < longest and best > 0 and worth(found[:1]) >= 0:
        assert worth(found) == pytest.approx(best)


def by_first_letter(texts):
    """Vectors that know boats from dogs."""
    return np.array([[1, 0] if "B" in text else [0, 1] for text in texts], np.float32)


def test_what_is_alike_stands_together():
    chunker = ReportCluster(ReportRecursive(22, 0, len), 3, by_first_letter)
    document = Document("d", TEXT)
    pieces = [TEXT[a:b] for a, b in chunker.pieces.cut(document).spans]
    assert pieces == [
        "Boats leave at noon",
        ". Boats leave at one",
        ". Dogs eat meat",
        ". Dogs eat bones.",
    ]
    spans = chunker.cut(document).spans
    assert [TEXT[a:b] for a, b in spans] == [TEXT[:39], TEXT[39:]]
    assert chunker.texts(document, spans) == [
        "Boats leave at noon . Boats leave at one",
        ". Dogs eat meat . Dogs eat bones.",
    ]
    assert chunker.cut(Document("e", "  \n")).spans == []


def test_chunks_are_found_in_spite_of_their_blanks(monkeypatch):
    monkeypatch.setattr("bench.chroma.configurations.PIECE", 6)
    data = Dataset("made", "0", {"d": Document("d", TEXT)}, ())
    chunked = measure.chunk(data, Configuration("Cluster", 12, 0), by_first_letter)
    assert len(chunked.texts) == len(chunked.found) > 1
    for text, span, chunk in zip(chunked.texts, chunked.found, range(9), strict=False):
        start, end = int(chunked.corpus.start[chunk]), int(chunked.corpus.end[chunk])
        assert span == Span("d", start, end - text.endswith("."))


def test_one_piece_has_no_pairs():
    assert alike(np.array([[1.0, 0.0]], np.float32)).tolist() == [[0]]
    assert best_runs(np.zeros((1, 1)), 3) == [(0, 0)]
    with pytest.raises(ValueError, match="'nowhere' does not occur"):
        position_as_report("nowhere", "here")

"""Fused rankings: the formulas by hand, and what hits keep of both."""

from __future__ import annotations

import numpy as np
import pytest

from bench.chunking import Fixed
from bench.corpus import cut
from bench.progress import Progress
from bench.retrieval.hybrid import HybridRetriever
from bench.retrieval.lexical.bm25 import KeywordRetriever
from bench.retrieval.retriever import DenseRetriever
from bench.tokens import tokenizer
from bench.types import Dataset, Document
from tests.bench.retrieval.fakes import Fake

TEXTS = {
    "a": "boats leave at noon and boats return at dusk on calm days",
    "b": "kilns are hot and dry wood burns well in a kiln of clay",
}


@pytest.fixture
def make(tmp_path):
    held = {name: Document(name, text) for name, text in TEXTS.items()}
    corpus = cut(Dataset("d", "0", held, ()), Fixed(size=12), tokenizer("o200k_base"))
    encoder = Fake()
    texts = [corpus.text(chunk) for chunk in range(len(corpus.layout))]
    dense = DenseRetriever(encoder, tmp_path, texts, corpus.layout, Progress())
    keyword = KeywordRetriever(texts, corpus.layout, 1.5, 0.75)

    def made(**options):
        return HybridRetriever(dense, keyword, **options), dense, keyword

    return made


def test_reciprocal_ranks_are_summed_over_both_rankings(make):
    hybrid, dense, keyword = make(k=60)
    (hits,) = hybrid.find(["boats at dusk"], 4, None).hits
    expected = {}
    for one in (dense, keyword):
        for rank, chunk in enumerate(one.find(["boats at dusk"], 4, None).hits[0].chunk, start=1):
            expected[int(chunk)] = expected.get(int(chunk), 0) + 1 / (60 + rank)
    best = sorted(expected, key=lambda chunk: (-expected[chunk], chunk))[:4]
    assert hits.chunk.tolist() == best
    assert hits.score.tolist() == pytest.approx([expected[c] * 61 / 2 for c in best])


def test_first_in_both_is_1(make):
    hybrid, dense, keyword = make()
    query = next(
        text
        for text in ("boats leave ", "at noon and ", "kilns are ho")
        if dense.find([text], 1, None).hits[0].chunk == keyword.find([text], 1, None).hits[0].chunk
    )
    assert hybrid.find([query], 3, None).hits[0].score[0] == 1


def test_weighted_scores_are_stretched_before_they_are_mixed(make):
    hybrid, dense, _ = make(fusion="weighted", weight=0.25)
    (hits,) = hybrid.find(["boats at dusk"], 50, None).hits
    cosine, words = hits.features["cosine"], hits.features["bm25"]
    mixed = 0.25 * (cosine - cosine.min()) / np.ptp(cosine) + 0.75 * words / words.max()
    assert hits.score == pytest.approx(mixed)
    (alone,) = dense.find(["boats at dusk"], 50, None).hits
    known = dict(zip(alone.chunk.tolist(), alone.score.tolist(), strict=True))
    assert cosine.tolist() == [known[chunk] for chunk in hits.chunk.tolist()]


@pytest.mark.parametrize(("scores", "divide"), [("max", True), ("none", False)])
def test_other_calibrations_of_weighted_scores(make, scores, divide):
    hybrid, _, _ = make(fusion="weighted", weight=0.25, scores=scores)
    (hits,) = hybrid.find(["boats at dusk"], 50, None).hits
    cosine, words = hits.features["cosine"], hits.features["bm25"]
    assert words.max() == 1
    mixed = 0.25 * (cosine / cosine.max() if divide else cosine) + 0.75 * words
    assert hits.score == pytest.approx(mixed)


def test_a_query_without_known_words_is_searched_by_meaning(make):
    hybrid, dense, _ = make()
    (hits,) = hybrid.find(["zzz"], 3, None).hits
    assert hits.chunk.tolist() == dense.find(["zzz"], 3, None).hits[0].chunk.tolist()
    assert hits.features["bm25"].tolist() == [0, 0, 0]


def test_scope_neighbours_and_vectors(make):
    hybrid, _, _ = make()
    (hits,) = hybrid.find(["boats kiln"], 3, np.array([1]), 1, vectors=True).hits
    assert hits.chunk.min() >= 5
    assert hits.features["vectors"].shape == (3, 8)
    score = dict(zip(hits.chunk.tolist(), hits.score.tolist(), strict=True))
    for chunk, (before, behind) in zip(hits.chunk, hits.features["neighbours"], strict=True):
        for beside, value in ((chunk - 1, before), (chunk + 1, behind)):
            if int(beside) in score:
                assert value == score[int(beside)]
            else:
                assert np.isnan(value) or 0 <= value <= 1
    assert len(hybrid.find(["boats"], 3, np.array([], np.int64)).hits[0]) == 0

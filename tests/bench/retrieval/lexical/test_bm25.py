"""Keyword search: scores against the formula, and what is no hit."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from bench.retrieval.lexical.bm25 import KeywordIndex, KeywordRetriever
from rse import Layout

TEXTS = ["boats leave at noon", "the kiln is hot", "boats boats and a kiln", "", "今天下雨我带了伞"]
LAYOUT = Layout([0, 2, 4, 5], [20] * 5)


@pytest.fixture
def find():
    retriever = KeywordRetriever(TEXTS, LAYOUT, 1.5, 0.75)

    def run(query, depth=10, documents=None, **more):
        (hits,) = retriever.find([query], depth, documents, **more).hits
        return hits

    return run


def by_hand(query, texts, k1=1.5, b=0.75):
    """Robertson's formula with Lucene's idf, word by word."""
    split = [text.split() for text in texts]
    mean = np.mean([len(one) for one in split])
    found = np.zeros(len(texts))
    for word in query.split():
        holding = sum(word in one for one in split)
        idf = log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
        for number, one in enumerate(split):
            count = one.count(word)
            found[number] += idf * count / (count + k1 * (1 - b + b * len(one) / mean))
    return found


def test_scores_are_those_of_the_formula():
    rng = np.random.default_rng(1)
    letters = list("abcdefgh")
    for _ in range(20):
        texts = [" ".join(rng.choice(letters, rng.integers(1, 9))) for _ in range(12)]
        query = " ".join(rng.choice(letters, 3, replace=False))
        assert KeywordIndex(texts).scores(query) == pytest.approx(by_hand(query, texts), abs=1e-5)


def test_best_first_relative_to_the_best(find):
    hits = find("boats")
    assert hits.chunk.tolist() == [2, 0]
    assert hits.score[0] == 1
    assert 0 < hits.score[1] < 1
    assert hits.features["bm25"].tolist() == hits.score.tolist()
    assert hits.scorer == "bm25"


def test_words_that_stand_nowhere_find_nothing(find):
    for query in ("zebra", "", "。", "zebra stripes"):
        assert len(find(query)) == 0


def test_chinese_is_found_by_pairs_of_signs(find):
    assert find("下雨吗").chunk.tolist() == [4]


def test_the_scope_decides_what_is_the_best(find):
    hits = find("boats kiln", documents=np.array([0]))
    assert sorted(hits.chunk.tolist()) == [0, 1]
    assert hits.score[0] == 1
    assert len(find("boats", documents=np.array([], np.int64))) == 0
    with pytest.raises(ValueError, match="documents 3 to 3 were asked for, there are 3"):
        find("boats", documents=np.array([3]))


def test_depth_and_ties(find):
    assert len(find("boats kiln", depth=2)) == 2
    with pytest.raises(ValueError, match="depth must be 1 or more, got 0"):
        find("boats", depth=0)
    tied = KeywordRetriever(["x y"] * 4, Layout([0, 4], [3] * 4), 1.5, 0.75)
    assert tied.find(["x"], 3, None).hits[0].chunk.tolist() == [0, 1, 2]


def test_neighbours_are_scores_of_their_own(find):
    hits = find("boats", neighbours=1)
    assert hits.features["neighbours"][0].tolist() == [pytest.approx(np.nan, nan_ok=True), 0.0]
    assert hits.features["neighbours"][1][1] == 0.0  # the kiln stands behind the boats of noon


def test_a_corpus_without_words_or_chunks_has_no_hits():
    for texts, start in (([], [0]), (["", "---"], [0, 2])):
        retriever = KeywordRetriever(texts, Layout(start, [1] * len(texts)), 1.5, 0.75)
        assert len(retriever.find(["boats"], 5, None).hits[0]) == 0

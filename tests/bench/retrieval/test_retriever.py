"""What hits carry, and whose they are."""

from __future__ import annotations

import numpy as np
import pytest

from bench.chunking import Fixed
from bench.corpus import cut
from bench.progress import Progress
from bench.retrieval.retriever import DenseRetriever
from bench.tokens import tokenizer
from bench.types import Dataset, Document
from tests.bench.retrieval.fakes import Fake

TEXTS = {"a": "Boats leave every twenty minutes.", "b": "Dry the kiln before the first firing."}


@pytest.fixture
def retriever(tmp_path):
    held = {name: Document(name, text) for name, text in TEXTS.items()}
    corpus = cut(Dataset("d", "0", held, ()), Fixed(size=6), tokenizer("o200k_base"))
    encoder = Fake()
    texts = [corpus.text(chunk) for chunk in range(len(corpus.layout))]
    return DenseRetriever(encoder, tmp_path, texts, corpus.layout, Progress()), encoder, corpus


def test_vectors_are_those_of_the_hits_in_their_order(retriever):
    search, encoder, corpus = retriever
    found = search.find(["boats", "kiln"], 5, None, vectors=True)
    assert len(found.hits) == 2
    for one, query in zip(found.hits, ["boats", "kiln"], strict=True):
        expected = encoder.encode([corpus.text(c) for c in one.chunk.tolist()])
        np.testing.assert_array_equal(one.features["vectors"], expected)
        cosine = one.features["vectors"] @ encoder.encode([query])[0]
        np.testing.assert_allclose(np.maximum(cosine, 0), one.score, atol=1e-6)


def test_nothing_is_carried_that_nobody_asked_for(retriever):
    search, _, _ = retriever
    asked = search.find(["boats"], 3, None, 2, vectors=True)
    assert {k: v.shape for k, v in asked.hits[0].features.items()} == {
        "neighbours": (3, 4),
        "vectors": (3, 8),
    }
    assert search.find(["boats"], 3, None).hits[0].features == {}
    assert list(search.find(["boats"], 3, None, 1).hits[0].features) == ["neighbours"]


def test_without_takes_away_one_feature_and_nothing_else(retriever):
    search, _, _ = retriever
    asked = search.find(["boats", "kiln"], 3, None, 2, vectors=True)
    found = asked.without("vectors")
    assert found._replace(hits=()) == asked._replace(hits=())
    for left, one in zip(found.hits, asked.hits, strict=True):
        assert list(left.features) == ["neighbours"]
        assert left.scorer == one.scorer
        for name in ("chunk", "score"):
            np.testing.assert_array_equal(getattr(left, name), getattr(one, name))


def test_nothing_found_has_no_vectors(retriever):
    search, _, _ = retriever
    (none,) = search.find(["boats"], 3, np.zeros(0, np.int64), vectors=True).hits
    assert none.features["vectors"].shape == (0, 8)

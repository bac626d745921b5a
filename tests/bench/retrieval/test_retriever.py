"""What hits carry, and whose they are."""

from __future__ import annotations

import numpy as np
import pytest

from bench.chunking import Fixed
from bench.corpus import cut
from bench.progress import Progress
from bench.retrieval.index import matrix
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


def test_a_large_corpus_is_mapped_from_disk_and_found_alike(retriever, tmp_path, monkeypatch):
    small, encoder, corpus = retriever
    monkeypatch.setattr(matrix, "LARGE", 1)
    texts = [corpus.text(chunk) for chunk in range(len(corpus.layout))]
    large = DenseRetriever(encoder, tmp_path, texts, corpus.layout, Progress())
    assert isinstance(large.index.vectors.base, np.memmap)
    for query in ("boats", "kiln"):
        one, other = small.find([query], 5, None), large.find([query], 5, None)
        assert one.hits[0].chunk.tolist() == other.hits[0].chunk.tolist()
        assert one.hits[0].score.tolist() == other.hits[0].score.tolist()
    assert len(list((tmp_path / "matrices").glob("*.npy"))) == 1


class Prompted(Fake):
    """Knows queries from chunks."""

    @property
    def queries(self):
        return Fake("asks")


def test_queries_are_embedded_as_queries_and_kept_apart(retriever, tmp_path):
    _, _, corpus = retriever
    texts = [corpus.text(chunk) for chunk in range(len(corpus.layout))]
    search = DenseRetriever(Prompted(), tmp_path, texts, corpus.layout, Progress())
    # The same words, as a chunk and as a query, have vectors of their own.
    (hits,) = search.find([texts[0]], 9, None).hits
    expected = Prompted().encode(texts) @ Fake("asks").encode([texts[0]])[0]
    np.testing.assert_allclose(hits.score, np.clip(expected[hits.chunk], 0, 1), atol=1e-6)
    (again,) = search.find([texts[0]], 9, None).hits
    assert again.score.tolist() == hits.score.tolist()
    assert len(list((tmp_path / "vectors").glob("*.sqlite"))) == 2


def test_a_query_is_embedded_once_each_time_it_is_asked(retriever):
    search, encoder, _ = retriever
    encoder.seen.clear()
    search.find(["boats"], 3, None)
    search.find(["boats"], 3, None)
    assert encoder.seen == [["boats"], ["boats"]]  # the second time, to say how long it takes

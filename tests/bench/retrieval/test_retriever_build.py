"""Retrievers as specs name them, put together and asked: every stage does its work in its place."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bench.catalog import retriever
from bench.chunking import Fixed
from bench.corpus import cut
from bench.progress import Progress
from bench.retrieval.build import build
from bench.tokens import tokenizer
from bench.types import Dataset, Document
from rse.checks import ParameterError
from tests.bench.endpoints.stub import KEY, KEY_ENV, said, serving, user_text, written
from tests.bench.retrieval.fakes import Fake, unit

TEXTS = {
    "boats": "Boats leave every twenty minutes from the northern pier.",
    "blank": "  \n ",
    "kiln": "Dry the kiln before the first firing and keep its lid shut.",
}


class ByLetters(Fake):
    """Counts letters: texts of the same letters lie close together, whole or word by word."""

    def __init__(self):
        super().__init__("letters", 26, self.row)

    def row(self, text):
        count = [1e-3 + text.lower().count(chr(97 + i)) for i in range(26)]
        return unit(np.array(count))

    def tokens(self, texts):
        return [
            np.array([self.row(word) for word in text.split()], np.float32).reshape(-1, 26)
            for text in texts
        ]


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setenv(KEY_ENV, KEY)
    with serving() as made:
        yield made


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def made(cache):
    def make(text, texts=TEXTS, size=24):
        held = {name: Document(name, one, title=name) for name, one in texts.items()}
        corpus = cut(Dataset("d", "0", held, ()), Fixed(size=size), tokenizer("o200k_base"))
        asked = []

        def encoder(settings):
            asked.append(settings)
            return ByLetters()

        found = build(retriever(text)[1], corpus, encoder, Progress())
        return found, corpus, asked

    return make


def ranked(found, corpus, *queries, depth=9, documents=None, **more):
    hits = found.retriever.find(queries, depth, documents, **more).hits
    return [[corpus.text(chunk) for chunk in one.chunk] for one in hits]


@pytest.mark.parametrize("name", ["minilm", "e5", "hybrid", "bm25", "minilm+hnsw", "minilm+ivf"])
def test_every_kind_of_search_finds_what_is_there(made, name):
    found, corpus, _ = made(name)
    (texts,) = ranked(found, corpus, corpus.text(1))
    assert texts[0] == corpus.text(1)
    assert len(texts) <= len(corpus.layout)
    scope = np.array([2])
    (texts,) = ranked(found, corpus, corpus.text(1), documents=scope)
    assert set(texts) <= {corpus.text(c) for c in range(*corpus.layout.start[2:4].tolist())}


@pytest.mark.parametrize("name", ["minilm", "hybrid", "bm25", "minilm+hnsw", "minilm+maxsim"])
def test_an_empty_corpus_and_blank_documents_have_no_hits(made, name):
    found, corpus, _ = made(name, {"blank": " \n "})
    assert len(corpus.layout) == 0
    assert ranked(found, corpus, "boats") == [[]]
    found, corpus, _ = made(name)
    assert ranked(found, corpus, "boats", documents=np.array([1])) == [[]]


def test_late_interaction_reorders_what_the_search_found(made):
    found, corpus, asked = made("minilm+maxsim[depth=3]")
    (first,) = ranked(made("minilm")[0], corpus, "lid shut", depth=3)
    (again,) = ranked(found, corpus, "lid shut")
    assert sorted(again) == sorted(first)
    assert again != first
    facts = found.facts()["rerankers"]
    assert [one["name"] for one in facts] == ["maxsim over tokens of letters"]
    assert "[0, 1]" in facts[0]["score_range"]
    assert len(asked) == 1  # the reranker shares the retriever's model


def test_a_reranker_reads_headers_and_may_have_a_model_of_its_own(made):
    found, corpus, asked = made("bm25+header+maxsim[model=e5,parts=sentences]")
    assert [type(one).__name__ for one in asked] == ["E5"]
    # The title is no part of any chunk, but it is searched.
    (texts,) = ranked(found, corpus, "kiln")
    assert texts == sorted(texts, key=lambda text: "kiln" not in text)
    assert {corpus.text(c) for c in range(*corpus.layout.start[2:4].tolist())} == set(texts)
    assert found.folders == ()


def test_queries_of_a_language_model_are_searched_and_recorded(made, stub, cache):
    stub.answer = lambda _: said('["northern pier", "lid shut"]')
    found, _, _ = made(f"bm25+queries[n=2,model=m,url={stub.url},key_env={KEY_ENV}]")
    hits = found.retriever.find(["when do boats leave?"], 5, None)
    assert hits.queries == ("when do boats leave?", "northern pier", "lid shut")
    assert len(hits.hits) == 3
    assert hits.queries_seconds > 0
    again = found.retriever.find(["when do boats leave?"], 5, None)
    assert again.queries_seconds == hits.queries_seconds
    assert len(stub.asked) == 1
    assert KEY.encode() not in written(cache)


def test_titles_of_a_language_model_stand_above_chunks(made, stub, cache):
    def answer(payload):
        about = "Harbour" if "Boats" in user_text(payload) else "Pottery"
        return said(json.dumps({"title": "unused", "summary": f"{about} rules"}))

    stub.answer = answer
    found, corpus, _ = made(f"bm25+titles[model=m,url={stub.url},key_env={KEY_ENV}]+header")
    assert set(ranked(found, corpus, "pottery")[0]) == set(ranked(found, corpus, "kiln")[0])
    assert "boats" not in found.facts()["titles"]["kiln"]["summary"]
    assert sorted(found.facts()["titles"]) == ["boats", "kiln"]
    assert len(stub.asked) == 2


def test_a_service_reranks_each_pair_once(made, stub, cache):
    def answer(payload):
        texts = payload["documents"]
        results = [
            {"index": i, "relevance_score": 0.9 if "lid" in text else 0.1}
            for i, text in enumerate(texts)
        ]
        return {"results": results[::-1]}

    stub.answer = answer
    name = f"minilm+jina[url={stub.url},key_env={KEY_ENV},depth="
    found, corpus, _ = made(f"{name}2]")
    assert len(ranked(found, corpus, "kiln")[0]) == 2
    found, corpus, _ = made(f"{name}4]")
    (texts,) = ranked(found, corpus, "kiln")
    assert "lid" in texts[0]
    assert [len(payload["documents"]) for _, payload in stub.asked] == [2, 2]
    assert found.retriever.find(["kiln"], 4, None).rerank > 0
    assert KEY.encode() not in written(cache)


def test_several_rerankers_work_one_after_the_other(made):
    found, corpus, _ = made("minilm+maxsim[depth=4]+maxsim[depth=2,parts=sentences]")
    (texts,) = ranked(found, corpus, "pier")
    assert len(texts) == 2
    assert [one["name"] for one in found.facts()["rerankers"]] == [
        "maxsim over tokens of letters",
        "maxsim over sentences of letters",
    ]


def test_stages_stand_in_the_order_of_their_work():
    name, _ = retriever("minilm + maxsim[depth=9] + hnsw + queries[model=m] + header")
    assert name == "minilm+header+hnsw+queries[model=m]+maxsim[depth=9]"
    assert retriever(name)[0] == name


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bm25+hnsw", "bm25 has no vectors for hnsw to search"),
        ("bm25+pgvector", "bm25 has no vectors for postgres"),
        ("bm25+maxsim", "bm25 has no vectors: name a model, as in bm25"),
        ("minilm+hnsw+ivf", "one stage of a kind, got HNSW and IVF"),
        ("minilm+hnsw+hnsw", "a stage is named twice"),
        ("minilm+titles[model=m]", "titles are for headers"),
        ("hybrid[model=]", "cannot read 'model='"),
        ("hybrid[model='']", "model must be a text, got ''"),
        ("dense", "Dense needs the parameter 'model'"),
        ("minilm+cross_encoder", "needs the parameter 'model'"),
        ("minilm+maxsim[depth=0]", "depth must be a whole number of 1 or more"),
        ("minilm+maxsim[parts=letters]", "parts must be one of tokens, sentences"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_loaded(name, message):
    with pytest.raises(ParameterError, match=message):
        retriever(name)

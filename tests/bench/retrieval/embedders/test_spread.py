"""Spreading texts over tasks: the model is asked exactly what it would have been asked alone."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from bench.errors import UserError
from bench.retrieval.embedders import spread as module
from bench.retrieval.embedders.cache import VectorCache
from bench.retrieval.embedders.embed import embed
from bench.retrieval.embedders.recipes import Dense, MiniLM
from bench.retrieval.embedders.spread import ROUNDS, Spread, encoded, spread
from tests.bench.retrieval.fakes import Fake

TEXTS = [f"{'boat ' * (i * 7 % 23)}{i}" for i in range(1000)]


class Here:
    """Does tasks in this process, the last one first, as if they had travelled."""

    def __init__(self, width=3):
        self.width, self.asked = width, []

    def each(self, function, arguments):
        self.asked.append(len(arguments))
        for place, one in reversed(list(enumerate(arguments))):
            called, given = pickle.loads(pickle.dumps((function, one)))
            yield place, called(*given)


@pytest.fixture
def there(monkeypatch):
    """The model on the other machines, and how often it was made."""
    made, counts = Fake(), []
    monkeypatch.setattr(module, "encoder", lambda settings: counts.append(settings) or made)
    module._made.cache_clear()
    yield made, counts
    module._made.cache_clear()


def test_the_model_is_given_the_blocks_that_it_would_be_given_alone(there, tmp_path):
    alone, tasks = Fake(), Here()
    made = Spread(MiniLM(), Fake(), tasks)
    with VectorCache(tmp_path / "a", alone.identity, alone.dimension) as cache:
        cache.put(TEXTS[:77], alone.encode(TEXTS[:77]))
        alone.seen.clear()
        expected = embed(TEXTS, alone, cache)
    with VectorCache(tmp_path / "b", made.identity, made.dimension) as cache:
        cache.put(TEXTS[:77], Fake().encode(TEXTS[:77]))
        found = embed(TEXTS, made, cache)
    other, counts = there
    assert len(alone.seen) == 8
    assert sorted(other.seen) == sorted(alone.seen)
    assert tasks.asked == [8]
    assert np.array_equal(found, expected)
    assert counts == [MiniLM()]


@pytest.mark.parametrize("width", [0, 1, 5])
def test_as_much_at_a_time_as_all_processors_take(there, width):
    made = Spread(MiniLM(), Fake(), Here(width))
    assert made.block == 128 * ROUNDS * max(1, width)
    assert made.encode([]).shape == (0, 8)
    assert made.encode([]).dtype == np.float32


def test_all_else_is_the_models_own(there):
    own = Fake("own")
    own.folder = "somewhere"
    made = Spread(MiniLM(), own, Here())
    assert (made.name, made.identity, made.dimension) == ("own", own.identity, 8)
    assert (made.queries, made.folder, made.measure(TEXTS)) == (own, "somewhere", (0, 0))
    assert not made.remote
    with pytest.raises(AttributeError, match="tokens"):
        _ = made.tokens


def test_other_files_of_the_model_are_refused(there):
    with pytest.raises(UserError, match=r"^the files of fake differ there \(.{12}\) and here \("):
        Spread(Dense(model="here"), Fake("other"), Here()).encode(["a"])
    assert encoded(Dense(model="here"), Fake().identity, ["a"]).shape == (1, 8)


def test_what_a_server_computes_is_not_spread(there):
    made, _ = there
    assert isinstance(spread(MiniLM(), Here()), Spread)
    made.remote = True
    assert spread(MiniLM(), Here()) is made

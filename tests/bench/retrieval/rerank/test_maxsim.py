"""Late interaction against the formula by hand, and with the real model."""

from __future__ import annotations

import numpy as np
import pytest

from bench.errors import UserError
from bench.retrieval.rerank import maxsim
from bench.retrieval.rerank.maxsim import LateInteraction
from tests.bench.retrieval.fakes import Fake, unit

WORDS = {"red": [1, 0, 0], "green": [0, 1, 0], "blue": [0, 0, 1], "not": [-1, 0, 0]}


class ByWord(Fake):
    """Gives every word a direction of its own, whatever stands around it."""

    def __init__(self):
        super().__init__("by word", 3)
        self.asked = []

    @property
    def queries(self):
        return self

    def tokens(self, texts):
        self.asked.append(list(texts))
        return [
            np.array([unit(WORDS[word]) for word in text.split()], np.float32).reshape(-1, 3)
            for text in texts
        ]


def made(encoder, parts="tokens"):
    return LateInteraction(encoder, parts, encoder.encode)


def test_the_best_part_of_the_text_counts_for_each_part_of_the_query():
    score = made(ByWord()).score("red green", ["green", "red green", "blue", "green red blue", ""])
    assert score.tolist() == [0.5, 1, 0, 1, 0]


def test_below_zero_is_zero_and_no_query_has_zero():
    assert made(ByWord()).score("red", ["not"]).tolist() == [0]
    assert made(ByWord()).score("", ["red"]).tolist() == [0]
    assert made(ByWord()).score("red", []).shape == (0,)


def test_texts_are_encoded_once_while_there_is_room(monkeypatch):
    encoder = ByWord()
    model = made(encoder)
    model.score("red", ["red", "green", "red"])
    model.score("green", ["green", "blue"])
    assert encoder.asked == [["red"], ["red", "green"], ["green"], ["blue"]]
    monkeypatch.setattr(maxsim, "ROOM", 2 * 12)  # of two words
    model = made(encoder)
    encoder.asked.clear()
    assert model.score("red", ["red", "green", "blue"]).tolist() == [1, 0, 0]
    assert model.score("red", ["blue", "red"]).tolist() == [0, 1]
    assert encoder.asked[1:] == [["red", "green", "blue"], ["red"], ["red"]]


def test_sentences_as_parts():
    encoder = ByWord()
    rows = {"Red it is.": [1, 0, 0], "Or green?": [0, 1, 0]}
    encoder._encode = lambda text: unit(rows.get(text, [1, 1, 0]))
    score = made(encoder, "sentences").score("which?", ["Red it is. Or green?", "Or green?", "  "])
    assert score == pytest.approx([0.5**0.5, 0.5**0.5, 0], abs=1e-6)


def test_an_encoder_without_vectors_of_word_pieces():
    with pytest.raises(UserError, match=r"fake gives no vectors of word pieces; use maxsim\[parts"):
        made(Fake())


def test_what_changes_a_score_changes_the_identity():
    one, other = ByWord(), ByWord()
    other.identity = "0" * 64
    assert made(one).identity == made(ByWord()).identity
    assert len({made(one).identity, made(other).identity, made(one, "sentences").identity}) == 3

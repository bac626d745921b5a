"""Cuts between unlike sentences: the five thresholds, sizes, degenerate texts, the cache."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bench.chunking import Semantic, embedding
from bench.chunking.thresholds import breaks
from rse.checks import ParameterError
from tests.bench.retrieval.fakes import Fake

TOPICS = {"cat": 0, "tax": 90, "sea": 180, "dog": 20}


def by_topic(text):
    """Give a text the direction of the first topic it names, in degrees."""
    degrees = next((angle for word, angle in TOPICS.items() if word in text), 45)
    return np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees))], np.float32)


@pytest.fixture
def encoder(monkeypatch, tmp_path):
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path))
    made = Fake(dimension=2, encode=by_topic)
    monkeypatch.setattr(embedding, "encoder", lambda _: made)
    return made


TEXT = "A cat sat. The cat ran. A dog ran. The tax rose. More tax. Deep sea."
"""Angles 0, 0, 20, 90, 90, 180: distances 0, 0.0603, 0.6580, 0, 1."""


def cut(text, **more):
    return [text[start:end] for start, end in Semantic(**more).split(text)]


def test_the_largest_distance_is_above_the_95th_percentile(encoder):
    assert cut(TEXT) == ["A cat sat. The cat ran. A dog ran. The tax rose. More tax.", "Deep sea."]


def test_a_lower_percentile_gives_more_chunks(encoder):
    assert cut(TEXT, amount=60) == [
        "A cat sat. The cat ran. A dog ran.",
        "The tax rose. More tax.",
        "Deep sea.",
    ]


def test_a_cosine_as_threshold(encoder):
    assert len(cut(TEXT, threshold="absolute", amount=0.95)) == 4  # cosine of 20 degrees: 0.94
    assert len(cut(TEXT, threshold="absolute", amount=0.9)) == 3
    assert len(cut(TEXT, threshold="absolute", amount=0.3)) == 2  # of 70 degrees: 0.342


DISTANCES = np.array([0.1, 0.2, 0.1, 0.6, 0.1, 0.3])
"""Mean 0.2333, deviation 0.1795, quartiles 0.1 and 0.275."""


@pytest.mark.parametrize(
    ("kind", "amount", "expected"),
    [
        ("percentile", 50, [1, 3, 5]),  # above 0.15
        ("percentile", 80, [3]),  # above 0.3, which is no more than itself
        ("percentile", 100, []),
        ("percentile", 0, [1, 3, 5]),  # above 0.1
        ("percentile", None, [3]),  # above 0.525
        ("standard_deviation", 0, [3, 5]),
        ("standard_deviation", 1, [3]),  # above 0.4128
        ("standard_deviation", 2, [3]),  # above 0.5923
        ("standard_deviation", 2.1, []),  # above 0.6103
        ("standard_deviation", None, []),
        ("interquartile", 0.3, [3, 5]),  # above 0.2858
        ("interquartile", 2, [3]),  # above 0.5833
        ("interquartile", None, [3]),  # above 0.4958
        # Gradient 0.1, 0, 0.2, 0, -0.15, 0.2.
        ("gradient", 50, [0, 2, 5]),  # above 0.05
        ("gradient", 40, [0, 2, 5]),  # above 0
        ("gradient", 0, [0, 1, 2, 3, 5]),
        ("gradient", None, []),  # above 0.2
        ("absolute", 0.75, [3, 5]),
        ("absolute", 0.85, [1, 3, 5]),
        ("absolute", None, []),  # above 0.8
    ],
)
def test_thresholds_worked_out_by_hand(kind, amount, expected):
    assert np.flatnonzero(breaks(DISTANCES, kind, amount)).tolist() == expected


KINDS = ["percentile", "standard_deviation", "interquartile", "gradient", "absolute"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("amount", [0, None])
@pytest.mark.parametrize("distance", [0.0, 0.1, 1 / 3, 0.7])
def test_equal_distances_are_no_reason_to_cut(kind, amount, distance):
    for count in (0, 1, 2, 9, 1000):
        with np.errstate(all="raise"):
            assert not breaks(np.full(count, distance), kind, amount).any()


@pytest.mark.parametrize("kind", KINDS)
def test_degenerate_texts(encoder, kind):
    assert cut("", threshold=kind) == cut("   \n", threshold=kind) == []
    assert cut("One sentence.", threshold=kind) == ["One sentence."]
    same = " ".join(["The cat sat."] * 10)
    assert cut(same, threshold=kind) == [same]
    assert cut("a" * 2500, threshold=kind) == ["a" * 1000, "a" * 1000, "a" * 500]
    assert cut("A cat. Deep sea.", threshold=kind) == (
        ["A cat.", "Deep sea."] if kind == "absolute" else ["A cat. Deep sea."]
    )


def test_a_chunk_below_the_least_size_goes_on(encoder):
    more = {"threshold": "absolute", "amount": 0.5}
    text = "A cat. A tax. Deep sea. The deep sea."
    assert cut(text, **more) == ["A cat.", "A tax.", "Deep sea. The deep sea."]
    assert cut(text, min_size=7, **more) == ["A cat. A tax.", "Deep sea. The deep sea."]


def test_the_last_chunk_goes_back_into_the_one_before(encoder):
    more = {"threshold": "absolute", "amount": 0.5}
    text = "The cat sat. A tax."
    assert cut(text, min_size=6, **more) == ["The cat sat.", "A tax."]
    assert cut(text, min_size=7, **more) == ["The cat sat. A tax."]
    assert cut(text, min_size=12, max_size=15, **more) == ["The cat sat.", "A tax."]
    assert cut("A cat.", min_size=7, **more) == ["A cat."]


def test_a_chunk_above_the_largest_size_is_cut_between_sentences(encoder):
    text = "The cat sat. The cat ran. The cat and one more cat fell. A cat."
    assert cut(text, max_size=30) == [
        "The cat sat. The cat ran.",
        "The cat and one more cat fell.",
        "A cat.",
    ]
    assert cut(text, max_size=20)[2:] == ["The cat and one more", "cat fell. A cat."]


def test_chinese(encoder, monkeypatch):
    monkeypatch.setitem(TOPICS, "海", 180)
    text = "今天下雨。我带了伞！大海。"
    assert cut(text, threshold="absolute", amount=0.5) == ["今天下雨。我带了伞！", "大海。"]


def test_each_sentence_is_embedded_once_whatever_the_threshold(encoder):
    text = "A cat sat. A tax. A cat sat. Deep sea."
    cut(text)
    assert [sorted(batch) for batch in encoder.seen] == [["A cat sat.", "A tax.", "Deep sea."]]
    for kind in KINDS:
        cut(text, threshold=kind, amount=0.5, min_size=10, max_size=40)
    assert len(encoder.seen) == 1


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"threshold": "median"}, "threshold must be one of percentile, standard_deviation, inter"),
        ({"threshold": None}, "threshold must be one of"),
        ({"threshold": ["percentile"]}, "threshold must be one of"),
        ({"amount": 101}, "amount must be a number from 0 to 100 for threshold=percentile"),
        ({"amount": math.nan}, "amount must be a number from 0 to 100"),
        ({"amount": "95"}, "amount must be a number from 0 to 100"),
        ({"threshold": "absolute", "amount": 95}, "from -1 to 1 for threshold=absolute, got 95"),
        ({"threshold": "interquartile", "amount": -1}, "amount must be a number from 0 to 100"),
        ({"min_size": -1}, "min_size must be a whole number of 0 or more"),
        ({"max_size": 0}, "max_size must be a whole number of 1 or more"),
        ({"min_size": 20, "max_size": 10}, r"min_size must be at most max_size \(10\), got 20"),
        ({"model": "bert"}, "model must be one of minilm, e5, got 'bert'"),
        ({"language": 1}, "language must be auto or"),
        ({"size": 1}, "there are: threshold, amount, min_size, max_size, model, language"),
    ],
)
def test_parameters_out_of_range_are_named(more, message):
    with pytest.raises(ParameterError, match=message):
        Semantic(**more)


@pytest.mark.outside
def test_the_real_model_finds_the_change_of_topic(monkeypatch, tmp_path):
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path))
    cats = "Cats sleep most of the day. A kitten sleeps even longer than a grown cat."
    taxes = "Income tax is due in spring. The tax office sends a reminder before that."
    text = f"{cats} {taxes}"
    for more in (
        {"amount": 90},
        {"threshold": "absolute"},
        {"threshold": "interquartile", "amount": 0.5},
    ):
        assert cut(text, **more) == [cats, taxes]

"""Whole sentences: where they end in several languages, and how they are packed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.chunking import Sentence
from bench.chunking import sentences as module
from bench.chunking.sentences import guess, sentences
from rse.checks import ParameterError
from tests.bench.chunking.test_rulers import TEXTS


def found(text, language="auto"):
    return [text[start:end] for start, end in sentences(text, language)]


def cut(text, size, **more):
    return [text[start:end] for start, end in Sentence(size=size, **more).split(text)]


def test_chinese_sentences():
    text = "今天下雨。我带了伞！你呢？"
    assert list(sentences(text)) == [(0, 5), (5, 10), (10, 13)]
    assert Sentence(size=5).split(text) == [(0, 5), (5, 10), (10, 13)]
    assert Sentence(size=10).split(text) == [(0, 10), (10, 13)]


def test_long_chinese_text_ends_at_sentence_ends():
    text = "今天下雨。我带了伞！你呢？" * 200
    chunks = cut(text, 100)
    assert "".join(chunks) == text
    assert all(len(chunk) <= 100 and chunk[-1] in "。！？" for chunk in chunks)
    assert len(chunks) <= 28  # of 26 at best


def test_a_quote_is_part_of_its_sentence():
    assert found("他说：“走吧。”我没去。") == ["他说：“走吧。”", "我没去。"]


def test_abbreviations_and_numbers_end_nothing():
    text = "Dr. Smith paid 3.50 at noon. He left.  Nobody saw him!"
    assert found(text) == ["Dr. Smith paid 3.50 at noon.", "He left.", "Nobody saw him!"]


def test_offsets_count_characters():
    text = "😀 Yes. 👩‍👩‍👧‍👦 Go. e\u0301 So."
    assert list(sentences(text)) == [(0, 6), (7, 18), (19, 25)]
    assert found(text) == ["😀 Yes.", "👩‍👩‍👧‍👦 Go.", "e\u0301 So."]


def test_repeated_sentences_get_their_own_positions():
    text = "tick tock. tick tock. tick tock."
    assert [start for start, _ in sentences(text)] == [0, 11, 22]
    assert Sentence(size=11).split(text) == [(0, 10), (11, 21), (22, 32)]
    assert Sentence(size=21).split(text) == [(0, 21), (22, 32)]


def test_no_sentence_spans_a_blank_line_but_a_chunk_may():
    text = "A heading\n \r\n\nIt goes on\nhere. And\n\nhere"
    assert found(text) == ["A heading", "It goes on\nhere.", "And", "here"]
    assert cut(text, 100) == [text]
    assert cut(text, 30) == ["A heading\n \r\n\nIt goes on\nhere.", "And\n\nhere"]


def test_a_sentence_that_does_not_fit_is_cut_on_its_own():
    assert cut("Yes. One two three four. No.", 10) == ["Yes.", "One two", "three", "four.", "No."]
    assert cut("a" * 25, 10) == ["a" * 10, "a" * 10, "a" * 5]


def test_a_size_in_tokens():
    text = "one two. three four. five six."
    # Each word and each full stop is a token.
    assert cut(text, 3, unit="o200k_base") == ["one two.", "three four.", "five six."]
    assert cut(text, 6, unit="o200k_base") == ["one two. three four.", "five six."]


@given(before=st.integers(0, 120), size=st.integers(5, 40))
def test_windows_end_no_sentence(before, size):
    text = "word " * before + "here. " + "Then came Dr. Jones again. " * size + "End"
    whole = found(text)
    assert whole == ["word " * before + "here.", *["Then came Dr. Jones again."] * size, "End"]


@pytest.mark.parametrize("letter", ["a", "龘", "word "])
def test_a_sentence_longer_than_any_window_is_one(letter):
    text = letter * 10_000 + ". Then two. Three"
    assert found(text)[1:] == (["Then two.", "Three"])


def test_paragraphs_keep_their_offsets_in_a_long_text():
    # Handed over whole, sentencex loses the blank line at a border of 10 000 bytes.
    unit = "It rained. " * 9 + "Then it stopped.\n\n"
    text = unit * 400
    assert all(
        text[start:end] in ("It rained.", "Then it stopped.") for start, end in sentences(text)
    )
    assert len(list(sentences(text))) == 4000


def test_what_sentencex_loses_costs_a_border_and_no_offset(monkeypatch):
    import sentencex

    monkeypatch.setattr(sentencex, "segment", lambda _, text: [text[1:]])
    assert list(sentences("One. Two.\n\nThree.")) == [(0, 9), (11, 17)]


@given(TEXTS)
def test_only_blanks_lie_between_sentences(text):
    for language in ("auto", "de", "zh", "xx"):
        at = 0
        for start, end in sentences(text, language):
            assert at <= start < end
            assert not text[at:start].strip()
            assert text[start:end] == text[start:end].strip()
            at = end
        assert not text[at:].strip()


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "en"),
        ("1, 2.", "en"),
        ("Rain today.", "en"),
        ("今天下雨。", "zh"),
        ("他用Python写了一个程序，今天下雨，没有出门。", "zh"),
        ("今日は雨が降っています。", "ja"),
        ("A long English text that quotes 今天 once.", "en"),
        ("今天下雨。" * 50_000 + "a" * 1000, "zh"),
    ],
)
def test_the_language_is_guessed_by_the_script(text, language):
    assert guess(text) == language


def test_a_language_named_is_the_one_used():
    text = "Das ist z.B. Herr Dr. Maier. Ja."
    assert found(text, "de") == ["Das ist z.B. Herr Dr. Maier.", "Ja."]
    assert found(text, "de-AT") == found(text, "DE") == found(text, "de")


@pytest.mark.parametrize("value", [None, 1, "", "e", "german!", False, "english"])
def test_a_language_that_is_no_code_is_refused(value):
    with pytest.raises(ParameterError, match="language must be auto or the code of a language"):
        Sentence(size=10, language=value)


def test_parameters_out_of_range_are_named():
    with pytest.raises(ParameterError, match="size must be a whole number of 1 or more, got 0"):
        Sentence(size=0)
    with pytest.raises(ParameterError, match="unit must be one of characters"):
        Sentence(size=10, unit="words")
    with pytest.raises(ParameterError, match="there are: size, unit, language"):
        Sentence(length=10)


def test_the_window_is_below_what_sentencex_can_take():
    assert 4 * module.WINDOW < 10_000

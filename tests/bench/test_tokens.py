"""Token counts: those of tiktoken, at any length, and additive over adjacent spans."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bench.tokens
from bench.tokens import ENCODINGS, Tokenizer, TokenMap, tokenizer
from tests.bench.chunking.test_rulers import TEXTS

SAMPLES = (
    *("", " ", "\n", "Hello, world!", "don't  WON'T\tit's", "a" * 500, "4711,0815;" * 50),
    *(
        "今天下雨。我带了伞！你呢？",
        "한국어 문장.",
        "e\u0301 \u0301",
        "👩‍👩‍👧‍👦🇩🇪",
        "𒐫\ufdfd",
        "\r\n \r\n\n x",
    ),
    *(
        "https://a.b/c?d=e\n/f\n//g",
        "<|endoftext|> <|fim_prefix|>",
        "CamelCaseHTTPServer__x 12345678",
    ),
)
PROSE = (
    "Today's rain, said O'Neil: it\u2019s 12345.67 mm!\nNext line;  two blanks\n\n/slash\r\n"
    "今天下雨，我带了伞。你呢？ Ünïcödé e\u0301t\u0301, ok 👩‍👧. snake_case, x_ ,y² ,Ⅷ. ...?!\n"
    "\t\ttabs\n"
)


@pytest.fixture(params=ENCODINGS)
def ours(request):
    return tokenizer(request.param)


def plain(ours: Tokenizer, text: str) -> int:
    return len(ours._encoding.encode_ordinary(text))


def test_as_many_tokens_as_tiktoken_finds(ours):
    for text in SAMPLES:
        assert ours.count(text) == len(ours.starts(text)) == plain(ours, text)


def test_known_counts():
    tokens = tokenizer("cl100k_base")._encoding.encode_ordinary("hello world")
    assert tokens == [15339, 1917]
    assert tokenizer("o200k_base")._encoding.encode_ordinary("hello world") == [24912, 2375]


def test_the_encodings_have_their_own_names_and_are_read_once():
    for name in ENCODINGS:
        assert tokenizer(name).name == tokenizer(name)._encoding.name == name
        assert tokenizer(name) is tokenizer(name)


def test_an_unknown_encoding_lists_the_known():
    with pytest.raises(ValueError, match="no tokenizer 'gpt2'; there are: o200k_base, cl100k_base"):
        tokenizer("gpt2")


def test_a_damaged_table_is_refused():
    with pytest.raises(
        ValueError, match=r"table of o200k_base in bpe-openai has sha256 .*, not 00"
    ):
        bench.tokens._ranks("o200k_base", "00")


def test_tokens_begin_where_their_first_byte_is(ours):
    assert ours.starts("hello world.").tolist() == [0, 5, 11]
    assert ours.starts("").tolist() == []
    many = ours.starts("a𒐫b").tolist()
    assert many[0] == 0
    assert many[-1] == 2
    assert len(many) > 3
    assert set(many[1:-1]) == {1}


@given(text=TEXTS)
def test_tokens_of_nasty_texts(text):
    for name in ENCODINGS:
        ours = tokenizer(name)
        starts = ours.starts(text).tolist()
        assert len(starts) == ours.count(text) == plain(ours, text)
        assert starts == sorted(starts)
        assert all(0 <= start < len(text) for start in starts)


@pytest.mark.parametrize("size", [1, 16, 40, 97, 300])
def test_cuts_between_blocks_change_no_token(ours, monkeypatch, size):
    text = PROSE * 20
    tokens = ours._encoding.encode_ordinary(text)
    starts = ours.starts(text).tolist()
    monkeypatch.setattr(bench.tokens, "BLOCK", size)
    blocks = list(bench.tokens._blocks(text))
    assert "".join(blocks) == text
    assert len(blocks) >= len(text) / size
    assert max(map(len, blocks)) <= size
    if size >= 40:  # else there may be no safe place
        assert [
            token for block in blocks for token in ours._encoding.encode_ordinary(block)
        ] == tokens
        assert ours.count(text) == len(tokens)
        assert ours.starts(text).tolist() == starts


@given(text=TEXTS)
def test_no_token_reaches_over_a_safe_place(text):
    cuts = [0, *(found.end() for found in bench.tokens._SAFE.finditer(text)), len(text)]
    parts = [text[start:end] for start, end in pairwise(cuts)]
    for name in ENCODINGS:
        encode = tokenizer(name)._encoding.encode_ordinary
        assert [token for part in parts for token in encode(part)] == encode(text)


def test_what_a_cut_may_follow_is_a_letter_or_a_number():
    ink = re.compile(r"[^\W_]")
    kinds = {unicodedata.category(c) for c in map(chr, range(0x110000)) if ink.match(c)}
    assert {kind[0] for kind in kinds} == {"L", "N"}


def test_lone_surrogates_count_as_replacement_characters(ours):
    text = "a \ud800 b\udfff\ud83d\ude00 c"
    replaced = re.sub("[\ud800-\udfff]", "\ufffd", text)
    assert ours.count(text) == ours.count(replaced)
    assert ours.starts(text).tolist() == ours.starts(replaced).tolist()


def test_a_million_blanks_do_not_crash(ours):
    starts = ours.starts(" " * 1_000_000)
    assert starts[0] == 0
    assert starts[-1] < 1_000_000


@pytest.mark.parametrize("unit", ["\t", "\r\n", "-", "龘", "ab "])
def test_long_runs(unit):
    text = unit * (310_000 // len(unit))
    starts = tokenizer("o200k_base").starts(text)
    assert starts[0] == 0
    assert starts[-1] < len(text)


def test_a_long_run_of_letters_ends_soon(ours):
    assert ours.count("a" * 50_000) > 0


@given(text=TEXTS, data=st.data())
def test_adjacent_spans_add_up(text, data):
    for name in ENCODINGS:
        found = TokenMap(tokenizer(name).starts(text))
        places = data.draw(st.lists(st.integers(0, len(text)), max_size=6).map(sorted))
        cuts = [0, *places, len(text)]
        counts = [found.count(a, b) for a, b in pairwise(cuts)]
        assert sum(counts) == found.count(0, len(text)) == tokenizer(name).count(text)
        assert min(counts) >= 0


@given(text=TEXTS, tokens=st.integers(0, 40), data=st.data())
def test_furthest_is_the_largest_end_within_the_tokens(text, tokens, data):
    found = TokenMap(tokenizer("o200k_base").starts(text))
    places = st.integers(0, len(text))
    start, end = sorted(data.draw(st.tuples(places, places)))
    ends = [e for e in range(start, end + 1) if found.count(start, e) <= tokens]
    assert found.furthest(start, end, tokens) == max(ends)

"""What every chunker owes its users, on the same nasty texts: exact, complete, in linear time."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise
from time import process_time

import numpy as np
import pytest
from hypothesis import given, settings

from bench.chunking import (
    Fixed,
    Markdown,
    Page,
    ParentChild,
    Recursive,
    Semantic,
    Sentence,
    embedding,
)
from bench.chunking.rulers import ruler
from bench.types import Document
from tests.bench.chunking.test_rulers import DEGENERATE, TEXTS
from tests.bench.retrieval.fakes import Fake

TOKENS = "o200k_base"
CHUNKERS = {
    "fixed": (Fixed(size=30), 30),
    "fixed tokens": (Fixed(size=9, unit=TOKENS), 9),
    "fixed overlapping": (Fixed(size=30, overlap=12), 30),
    "recursive": (Recursive(size=30), 30),
    "recursive tokens": (Recursive(size=9, unit=TOKENS), 9),
    "sentence": (Sentence(size=30), 30),
    "sentence tokens": (Sentence(size=9, unit=TOKENS), 9),
    "semantic": (Semantic(max_size=30), 30),
    "semantic least": (Semantic(threshold="absolute", amount=0.9, min_size=20, max_size=40), 40),
    "semantic gradient": (Semantic(threshold="gradient", amount=20, max_size=40), 40),
    "markdown": (Markdown(size=30), 30),
    "markdown tokens": (Markdown(size=9, unit=TOKENS), 9),
    "page": (Page(), None),
    "page size": (Page(size=30), 30),
    "page tokens": (Page(size=9, unit=TOKENS), 9),
    "parent_child": (ParentChild(size=20, parent_size=70), 20),
    "parent_child tokens": (ParentChild(size=5, parent_size=20, unit=TOKENS), 5),
}
SECTIONED = (Markdown, Page, ParentChild)
ALL = pytest.mark.parametrize("name", CHUNKERS)

ENGLISH = 'The fox, as Dr. Smith saw at 5 p.m., slept. Did it? Yes! "It was fine," he said. '
CHINESE = "今天下雨，我带了伞！你呢？他说：“走吧。”我没去。第二天天气很好，我们去了公园。"
TABLE = "| Name | Size |\n|------|-----:|\n" + "| a bolt | 3.5 |\n" * 8

NASTY = (
    *DEGENERATE,
    "no punctuation at all just words and words " * 20,
    "😀👩‍👩‍👧‍👦🇩🇪 Yes. 😀" * 20,
    "e\u0301a\u0301\u0302 " * 40 + "\u0301",
    "One.\r\n\r\nTwo lines\r\nhere.\r\n# Head\r\n\r\nText.\r\n" * 5,
    "old\rMac\r\rline ends. Still.\r" * 5,
    "\ufeff# Title\n\nText behind a byte order mark.",
    ENGLISH * 5,
    CHINESE * 5,
    f"{ENGLISH}{CHINESE}한국어 문장이다. עברית. Ещё раз! ไทย" * 3,
    f"# Table\n\n{TABLE}\nAfter it.\n\n## Next\n{TABLE}",
    "Title\n=====\n\n```\n# no heading\n```\n\n- item\n---\n> quote\n===\n" * 3,
    "a \ud800 b\udfff. " * 20,
    "“ open “ quotes. " * 30 + "((( [ {",
    "\x1c\x85\u2028\u200b\0 Odd. \x0b\x0c" * 10,
)


@pytest.fixture(autouse=True)
def fake(monkeypatch, tmp_path_factory):
    """Embed without a model, and without a cache on disk."""
    encoder = Fake()
    monkeypatch.setattr(embedding, "vectors", lambda texts, _: encoder.encode(texts))
    return encoder


def document(text):
    """Give a text pages of about 50 characters, some of them blank."""
    edges = [*range(0, len(text), 50), len(text)]
    return Document("d", text, pages=tuple(pairwise(edges)))


def check(text, name):
    """Cut a text and assert what holds for every chunker; return the pieces."""
    chunker, size = CHUNKERS[name]
    pieces = chunker.cut(document(text))
    measure = ruler(text, getattr(chunker, "unit", "characters")).measure
    previous, at = -1, 0
    for start, end in pieces.spans:
        assert type(start) is type(end) is int
        assert 0 <= start < end <= len(text)
        assert start > previous
        assert start >= at or "overlapping" in name
        assert not text[at:start].strip()
        assert text[start:end].strip()
        assert size is None or measure(start, end) <= size or end == start + 1
        previous, at = start, max(at, end)
    assert not text[at:].strip()
    assert (pieces.section is not None) == isinstance(chunker, SECTIONED)
    if pieces.section is not None:
        assert len(pieces.section) == len(pieces.spans)
        assert all(b - a in (0, 1) for a, b in pairwise([0, *pieces.section]))
        assert pieces.section[:1] in ([], [0])
    return pieces


@ALL
def test_nasty_texts(name):
    for text in NASTY:
        pieces = check(text, name)
        assert bool(pieces.spans) == bool(text.strip())
        assert CHUNKERS[name][0].cut(document(text)) == pieces


@ALL
@settings(max_examples=60)
@given(text=TEXTS)
def test_random_texts(name, text):
    check(text, name)


@ALL
@settings(max_examples=30)
@given(text=TEXTS)
def test_nothing_but_blanks_is_lost(name, text):
    spans = check(text, name).spans
    if "overlapping" not in name:
        rebuilt = "".join(text[start:end] for start, end in spans)
        assert "".join(rebuilt.split()) == "".join(text.split())


def test_blank_texts_are_never_embedded(monkeypatch):
    monkeypatch.setattr(embedding, "vectors", lambda *_: pytest.fail("embedded"))
    for text in ("", " ", " \n\n\t ", "One sentence."):
        assert Semantic().split(text) == ([(0, 13)] if text.strip() else [])


BIG = {
    "fixed": Fixed(size=800, overlap=400),
    "recursive": Recursive(size=800),
    "sentence": Sentence(size=800),
    "markdown": Markdown(size=800),
    "page": Page(size=800),
    "parent_child": ParentChild(size=200, parent_size=800),
    "fixed tokens": Fixed(size=200, unit=TOKENS),
    "markdown tokens": Markdown(size=200, unit=TOKENS),
    "page tokens": Page(size=200, unit=TOKENS),
    "parent_child tokens": ParentChild(size=50, parent_size=200, unit=TOKENS),
    "recursive tokens": Recursive(size=200, unit=TOKENS),
    "sentence tokens": Sentence(size=200, unit=TOKENS),
}
LONG = {
    "english": "# Head\n\n" + (ENGLISH * 6 + "\n\n") * 5,
    "chinese": "# 标题\n\n" + (CHINESE * 6 + "\n\n") * 5,
    "english line": ENGLISH,
    "chinese line": CHINESE,
}
HOSTILE = {
    "one letter": "a",
    "words": "word ",
    "blank lines": "a\n\n",
    "open quotes": "“a ",
    "full stops": ".",
    "fences": "```\n",
    "hashes": "# \n",
    "rules": "- - x\n",
    "underlines": "a\n-\n",
    "indented": "    a\n",
}


def filled(unit, size):
    """Return about `size` bytes of a text that repeats."""
    return unit * (size // len(unit.encode()))


def seconds(chunker, text):
    """Return the processor time a cut takes, which other processes hardly change."""
    paged = Document("d", text, pages=tuple(pairwise([*range(0, len(text), 3000), len(text)])))
    began = process_time()
    assert chunker.cut(paged).spans
    return process_time() - began


@pytest.mark.parametrize("name", BIG)
def test_a_million_bytes_in_one_line(name):
    for unit in (ENGLISH, CHINESE, "a"):
        assert seconds(BIG[name], filled(unit, 1_000_000)) < 5


@pytest.mark.outside
@pytest.mark.parametrize("name", [name for name in BIG if "tokens" not in name])
@pytest.mark.parametrize("text", ["english", "chinese"])
def test_ten_megabytes_in_ten_seconds(name, text):
    assert seconds(BIG[name], filled(LONG[text], 10_000_000)) < 10


@pytest.mark.long
@pytest.mark.parametrize("name", BIG)
@pytest.mark.parametrize("text", LONG)
def test_ten_megabytes_of_any_kind_in_ten_seconds(name, text):
    assert seconds(BIG[name], filled(LONG[text], 10_000_000)) < 10


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in BIG if "tokens" not in name])
@pytest.mark.parametrize("text", HOSTILE)
def test_time_is_linear(name, text):
    # A quadratic step would make four times the text sixteen times as slow.
    short, long = (filled(HOSTILE[text], size) for size in (300_000, 1_200_000))
    assert seconds(BIG[name], long) < 8 * max(seconds(BIG[name], short), 0.05)


@pytest.mark.long
@pytest.mark.parametrize("text", [*LONG, *HOSTILE])
def test_time_of_the_semantic_chunker_beside_its_embedding_is_linear(text, monkeypatch):
    monkeypatch.setattr(
        embedding, "vectors", lambda texts, _: np.eye(8, dtype="f")[[len(t) % 8 for t in texts]]
    )
    short, long = (filled((LONG | HOSTILE)[text], size) for size in (100_000, 400_000))
    assert seconds(Semantic(), long) < 8 * max(seconds(Semantic(), short), 0.05)


@pytest.mark.long
@pytest.mark.parametrize("name", BIG)
@pytest.mark.parametrize("text", [*LONG, "one letter", "words", "blank lines"])
def test_memory_is_a_small_multiple_of_the_text(name, text):
    whole = filled((LONG | HOSTILE)[text], 1_000_000)
    BIG[name].cut(Document("d", "warm"))
    tracemalloc.start()
    try:
        BIG[name].cut(Document("d", whole))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # Where tokens begin takes several arrays of eight bytes for each byte of the text.
    assert peak < (30 if "tokens" in name else 4) * 1_000_000


def test_the_fake_encoder_tells_texts_apart(fake):
    rows = fake.encode(["a", "b"])
    assert np.linalg.norm(rows[0] - rows[1]) > 0.01

"""Text files are UTF-8 or say what they are; HTML may declare it."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.data.errors import DatasetError
from bench.data.own.encoding import decode, decode_html

TEXT = "Ångström, 汉字 and 🚲\r\n"


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode("utf-8"),
        TEXT.encode("utf-8-sig"),
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"),
        codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"),
    ],
)
def test_every_form_of_unicode(content):
    assert decode(content) == TEXT
    assert decode_html(content) == TEXT


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"caf\xe9 au lait", r"^is not UTF-8 \(byte 3\): save it as UTF-8"),
        (codecs.BOM_UTF16_LE + b"a", "^is not UTF-16"),
        ("text".encode("utf-16-le"), "^has zero bytes: .* UTF-16 without a byte order mark"),
        (b"%PDF\x00\x01", "^has zero bytes"),
    ],
)
def test_what_is_no_text(content, message):
    with pytest.raises(DatasetError, match=message):
        decode(content)


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_text_comes_back(text):
    assert decode(text.encode("utf-8-sig")) == text


def declared(name, content):
    return b'<html><head><meta charset="%s"></head><p>%s' % (name.encode(), content)


@pytest.mark.parametrize(
    ("name", "codec", "text"),
    [
        ("utf-8", "utf-8", "naïve"),
        ("ISO-8859-1", "latin-1", "naïve"),
        ("latin1", "cp1252", "naïve “quoted” – 5 €"),
        ("windows-1251", "cp1251", "мост"),
        ("GB2312", "gb18030", "漢字镕"),  # the first and the last are not in GB 2312
        ("Big5", "big5", "漢字"),
        ("Shift_JIS", "shift_jis", "漢字かな"),
        ("euc-kr", "euc_kr", "한글"),
    ],
)
def test_a_page_declares_its_encoding(name, codec, text):
    assert text in decode_html(declared(name, text.encode(codec)))
    older = b'<meta http-equiv="Content-Type" content="text/html; charset=%s">' % name.encode()
    assert text in decode_html(older + text.encode(codec))


@pytest.mark.parametrize("name", ["no-such", "utf-16", "utf_7", "unicode_escape", "idna", "hex"])
def test_unknown_and_wrong_declarations_count_for_nothing(name):
    assert "+AGE- \\u0061 é" in decode_html(declared(name, "+AGE- \\u0061 é".encode()))


def test_a_mark_counts_more_than_a_declaration():
    page = codecs.BOM_UTF8 + declared("windows-1251", "é".encode())
    assert decode_html(page).endswith("é")


def test_a_page_that_is_not_what_it_declares():
    with pytest.raises(DatasetError, match=r"^declares the encoding utf-8 but byte \d+ is none"):
        decode_html(declared("utf-8", b"caf\xe9"))

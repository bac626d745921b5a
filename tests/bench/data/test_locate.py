"""Quotes found in texts that write them otherwise, against a search that tries everything."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bench.data.errors import DatasetError
from bench.data.locate import Locator, normal

SIGNS = "abB ß-\n\u00ad\ufb01\u0301e“1½$."
FEW = st.text(alphabet=SIGNS, max_size=14)
ANY = st.one_of(
    st.text(max_size=30),
    st.text(alphabet="가ᄀ\u1161\u11a8각ｶ\uff9e か\u3099\u09c7\u09beﷺ´q\u0323\u0307", max_size=12),
)


def test_ligature_and_hyphen_at_a_line_end():
    found = Locator("an e\ufb03cient tax-\nation rule").find("efficient taxation rule")
    assert found == [(3, 26)]


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("tick tick", "tick", [(0, 4), (5, 9)]),
        ("aaa", "aa", [(0, 2), (1, 3)]),
        ("a  b\r\n c", " a b c ", [(0, 8)]),
        ("say “yes” – now", 'say "yes" - now', [(0, 15)]),
        ("cafe\u0301 au lait", "caf\u00e9", [(0, 5)]),
        ("cafe\u0301", "cafe", []),
        ("o\ufb03ce", "of", []),
        ("in\u00advest in\ufffe\nvest", "invest", [(0, 7), (8, 16)]),
        ("Dr. Smith-\nJones", "Smith- Jones", [(4, 16)]),
        ("pages 3-\n4", "3- 4", [(6, 10)]),
        ("Straße", "STRASSE", []),
        ("税率は１０％です。", "10%", [(3, 6)]),
        ("R\u00b8 x", "R\u00b8", [(0, 2)]),
        ("ｶ\uff9e", "ガ", [(0, 2)]),
        ("ｶ\uff9e", "カ", []),
        ("no", "yes", []),
    ],
)
def test_strict(text, quote, found):
    assert Locator(text).find(quote) == found


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("| Net sales | $ 1,234 | 5 % |", "net sales $1234 5%", [(2, 27)]),
        ("Die Straße", "STRASSE", [(4, 10)]),
        ("Die Straße", "STRAS", []),
        ("净利润（元）：12", "净利润 元 12", [(0, 9)]),
        ("o\ufb03ce_x", "office x", [(0, 6)]),
    ],
)
def test_loose(text, quote, found):
    assert Locator(text).find(quote, loose=True) == found


def test_only_within_a_stretch():
    locator = Locator("tick tick tick")
    assert locator.find("tick", (5, 9)) == [(5, 9)]
    assert locator.find("tick", (1, 8)) == []
    assert locator.find("TICK", (4, 14), loose=True) == [(5, 9), (10, 14)]


@pytest.mark.parametrize(("quote", "loose"), [("", False), (" \n\u00ad", False), (" - ", True)])
def test_nothing_to_look_for_is_refused(quote, loose):
    with pytest.raises(DatasetError, match="cannot look for the quote"):
        Locator("some text").find(quote, loose=loose)


def units(text):
    """Say by hand how SIGNS are compared: unit by unit, with the place of each."""
    found, at = [], 0
    while at < len(text):
        behind = at + 1
        while text[behind : behind + 1] == "\u0301" and text[at] not in " \n\u00ad":
            behind += 1
        sign = unicodedata.normalize("NFKC", text[at:behind].replace("“", '"'))
        rest = text[at + 1 :].lstrip(" ")
        turned = (rest[:1] == "\n" and rest[1:].lstrip(" ")[:1]) or " "
        letter = at > 0 and text[at - 1].isalpha()
        if sign == "-" and letter and turned.isalpha() and turned.islower():
            behind, sign = len(text) - len(rest[1:].lstrip(" ")), ""
        elif sign in set(" \n\u00ad"):
            while text[behind : behind + 1] in {" ", "\n", "\u00ad"}:
                behind += 1
            sign = "" if _melts(text[at:behind], text[behind : behind + 1]) else " "
        found.append((sign, at, behind))
        at = behind
    return _split(found)


def _melts(blank, following):
    """Tell whether blanks are none: soft hyphens alone, or before one line end and a word."""
    behind = blank.lstrip("\u00ad")
    turn = behind.strip(" ") == "\n" and following.isalnum()
    return not behind or (len(behind) < len(blank) and turn)


def _split(found):
    """Give accents that melt into nothing a unit each: they are as they were."""
    return [
        piece
        for sign, begin, end in found
        for piece in (
            [(sign[i], begin + i, begin + i + 1) for i in range(end - begin)]
            if len(sign) == end - begin and end - begin > 1
            else [(sign, begin, end)]
        )
    ]


def by_hand(text, wanted, loose):
    parts = [(_loose(s) if loose else s, i, j) for s, i, j in units(text)]
    parts = [part for part in parts if part[0]]
    return [
        (parts[first][1], parts[last][2])
        for first in range(len(parts))
        for last in range(first, len(parts))
        if "".join(part[0] for part in parts[first : last + 1]) == wanted
    ]


def _loose(sign):
    return "".join(c.casefold() for c in sign if c.isalnum() or c in "$%")


@given(
    text=FEW, cut=st.tuples(st.integers(0, 13), st.integers(1, 8)), other=FEW, loose=st.booleans()
)
def test_every_place_and_no_other(text, cut, other, loose):
    for quote in (text[cut[0] : cut[0] + cut[1]], other):
        if wanted := normal(quote, loose=loose):
            assert Locator(text).find(quote, loose=loose) == by_hand(text, wanted, loose)


@given(text=ANY, cut=st.tuples(st.integers(0, 29), st.integers(1, 8)), loose=st.booleans())
def test_what_is_found_says_what_the_quote_says(text, cut, loose):
    quote = text[cut[0] : cut[0] + cut[1]]
    if wanted := normal(quote, loose=loose):
        for begin, end in Locator(text).find(quote, loose=loose):
            assert normal(text[begin:end], loose=loose) == wanted


@given(text=st.text(max_size=20), before=FEW, loose=st.booleans())
def test_a_text_is_found_in_itself(text, before, loose):
    if normal(text, loose=loose):
        found = Locator(before + "\n\n" + text + "\n\n" + before).find(text, loose=loose)
        assert any(len(before) <= b < e <= len(before + text) + 4 for b, e in found)


@given(text=ANY)
def test_a_normalised_text_stays_as_it_is(text):
    assume(not set(text) & set("\u00ad\x02\ufffe\u200b\u2060\ufeff"))  # an accent may follow
    once = normal(text)
    assert normal(once) == once


@pytest.mark.outside
@pytest.mark.parametrize(
    "part", ["plain words and 12 figures - of no kind\n", "净利润 cafe\u0301-\nb"]
)
def test_time_grows_with_the_text_alone(part):
    def seconds(times):
        text = part * times + "END"
        begin = time.process_time()
        assert Locator(text).find("end", loose=True)
        return time.process_time() - begin

    small = min(seconds(2_000) for _ in range(3))
    assert seconds(20_000) < 30 * small


def test_lines_of_chinese_end_without_a_blank():
    text = "今天下雨。我带\n了伞！ A\nB 你呢？\r\n  好。"
    assert Locator(text).find("我带了伞！") == [(5, 11)]
    assert Locator(text).find("你呢？好。") == [(16, 25)]
    assert Locator(text).find("A B") == [(12, 15)]
    assert Locator("我带 了伞").find("我带了伞") == []  # a blank within a line is one

"""Exact match and F1 against SQuAD's own definition, and against what must hold of any text."""

from __future__ import annotations

import doctest
import re
import string
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.answers import exact as module
from bench.answers.exact import exact_match, token_f1, words

ascii_text = st.text(st.characters(max_codepoint=127))
mixed = st.text(st.sampled_from([*"aThe n,.-!3 \t", "東", "京", "ー", "한", "é", "ａ", "（", "？"]))
some = st.lists(mixed, min_size=1, max_size=4)


def squad_words(text):
    """Normalise as SQuAD 2.0's script does, for ASCII."""
    text = text.lower().translate(dict.fromkeys(map(ord, string.punctuation)))
    return re.sub(r"\b(a|an|the)\b", " ", text).split()


def squad_f1(said, expected):
    """Strike common words out one by one."""
    left, right = squad_words(said), squad_words(expected)
    if not left or not right:
        return float(left == right)
    rest, common = list(right), 0
    for word in left:
        if word in rest:
            rest.remove(word)
            common += 1
    if not common:
        return 0.0
    precision, recall = common / len(left), common / len(right)
    return 2 * precision * recall / (precision + recall)


def test_examples():
    found = doctest.testmod(module)
    assert found.attempted == 4
    assert found.failed == 0


@given(ascii_text, st.lists(ascii_text, min_size=1, max_size=3))
def test_ascii_is_squad(said, references):
    assert words(said) == squad_words(said)
    expected = max(squad_f1(said, one) for one in references)
    assert token_f1(said, references) == pytest.approx(expected, abs=1e-12)
    same = any(squad_words(said) == squad_words(one) for one in references)
    assert exact_match(said, references) == float(same)


@given(mixed, some)
def test_what_holds_of_any_text(said, references):
    f1, match = token_f1(said, references), exact_match(said, references)
    assert 0 <= f1 <= 1
    assert match in (0, 1)
    assert f1 >= match
    assert (match == 1) == any(words(said) == words(one) for one in references)
    assert token_f1(said, references[::-1]) == f1
    assert token_f1(said, [*references, said]) == exact_match(said, [*references, said]) == 1
    for one in references:
        assert token_f1(said, [one]) == token_f1(one, [said])
        assert token_f1(said, [one]) <= f1


@given(mixed)
def test_without_references_nothing_is_known(said):
    assert isnan(token_f1(said, []))
    assert isnan(exact_match(said, ()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("渡船 ABC 12 号", ["渡", "船", "abc", "12", "号"]),
        ("ｶﾞﾗｽ、ＡＢＣ", ["ガ", "ラ", "ス", "abc"]),
        ("the猫 a犬", ["猫", "犬"]),
        ("時々", ["時", "々"]),
        ("서울 2호선", ["서", "울", "2", "호", "선"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("“Déjà-vu”…", ["déjàvu"]),
        ("𠮷野家", ["𠮷", "野", "家"]),
        ("   ", []),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


def test_chinese_by_hand():
    assert token_f1("二十分钟。", ["二十分钟"]) == exact_match("二十分钟。", ["二十分钟"]) == 1
    # 北 京 of 北 京 市 and 北 京: 2 x 2 / (3 + 2).
    assert token_f1("北京市", ["上海", "北京"]) == 0.8
    assert token_f1("北京", ["上海"]) == 0

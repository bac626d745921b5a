"""What keyword search takes for a word."""

from __future__ import annotations

import pytest

from bench.retrieval.lexical.words import words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("The cat's 2 ÉCLAIRS, np.einsum!", ["the", "cat", "s", "2", "éclairs", "np", "einsum"]),
        ("snake_case STRASSE straße", ["snake_case", "strasse", "strasse"]),
        ("今天下雨", ["今天", "天下", "下雨"]),
        ("我。你", ["我", "你"]),
        ("用np.dot计算", ["用", "np", "dot", "计算"]),
        ("カタカナ ひ", ["カタ", "タカ", "カナ", "ひ"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("🙂 ---", []),
    ],
)
def test_words(text, found):
    assert words(text) == found

"""Answers held against reference answers word by word; no model is asked.

Normalised as for SQuAD 2.0 (Rajpurkar et al., 2018; `normalize_answer` of its evaluation script):
lower case, no punctuation, no English articles, blanks do not count. Beyond ASCII: compatible forms
are one (NFKC), and Chinese, Japanese and Korean characters are words of their own, for these
scripts are written without blanks, or join to a word what others write apart.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from math import nan

_CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_SIGN = re.compile(f"([{_CJK}])")
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


def words(text: str) -> list[str]:
    """Return what is compared of an answer: words, and single characters of CJK scripts.

    >>> words("The U.S.-led talks, 2019"), words("東京タワー（333m）")
    (['usled', 'talks', '2019'], ['東', '京', 'タ', 'ワ', 'ー', '333m'])
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    bare = "".join(sign for sign in folded if not _is_punctuation(sign))
    return _ARTICLE.sub(" ", _SIGN.sub(r" \1 ", bare)).split()


def exact_match(answer: str, references: Sequence[str]) -> float:
    """Return 1 if an answer has the words of one of the references, in order, else 0.

    Args:
        answer: What a model said.
        references: Any of which would do; nan if there is none.

    >>> exact_match("The Kiln.", ["oven", "kiln"]), exact_match("a kiln", ["two kilns"])
    (1.0, 0.0)
    """
    return _best(lambda said, expected: float(said == expected), answer, references)


def token_f1(answer: str, references: Sequence[str]) -> float:
    """Return the F1 of the words of an answer and of the reference that is nearest to it.

    2 x common / (words of the answer + words of the reference), a word that is there twice counts
    twice. If one of them has no words, 1 if both have none, else 0, as in SQuAD 2.0.

    Args:
        answer: What a model said.
        references: Any of which would do; nan if there is none.

    By hand: of `every`, `20`, `minutes` and `20`, `minutes` two are common, so 2 x 2 / (3 + 2); of
    the characters 每, 二, 十, 分 and 二, 十, 分, 钟 three, so 2 x 3 / (4 + 4).

    >>> token_f1("Every 20 minutes", ["hourly", "20 minutes"]), token_f1("每二十分", ["二十分钟"])
    (0.8, 0.75)
    >>> token_f1("the", [""]), token_f1("", ["20 minutes"]), token_f1("20 minutes", [])
    (1.0, 0.0, nan)
    """
    return _best(_f1, answer, references)


def _best(
    compare: Callable[[list[str], list[str]], float], answer: str, references: Sequence[str]
) -> float:
    said = words(answer)
    return max((compare(said, words(reference)) for reference in references), default=nan)


def _f1(said: list[str], expected: list[str]) -> float:
    if not said or not expected:
        return float(said == expected)
    common = (Counter(said) & Counter(expected)).total()
    return 2 * common / (len(said) + len(expected))


def _is_punctuation(sign: str) -> bool:
    return sign in string.punctuation or unicodedata.category(sign).startswith("P")

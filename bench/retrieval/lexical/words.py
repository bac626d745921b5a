"""Texts as the words that keyword search counts, in any script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_RUN = re.compile(rf"[{_CJK}\U00020000-\U0003ffff]+|[^\W{_CJK}\U00020000-\U0003ffff]+")
_IS_CJK = re.compile(rf"[{_CJK}\U00020000-\U0003ffff]")


def words(text: str) -> list[str]:
    """Return the words of a text, in order.

    Runs of letters, digits and `_` are words, in lower case; no stop words, no stems. Chinese and
    Japanese have no blanks between words: a run of theirs gives its pairs of neighbouring signs, a
    single sign itself.
    """
    return list(_words(text))


def _words(text: str) -> Iterator[str]:
    for match in _RUN.finditer(text):
        run = match[0]
        if len(run) == 1 or not _IS_CJK.match(run):
            yield run.casefold()
        else:
            yield from map("".join, pairwise(run))

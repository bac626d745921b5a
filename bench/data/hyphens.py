"""Words that a PDF cuts at the end of a line become whole again."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

_MARK = "[\x02\ufffe\u00ad]"
_CUT = re.compile(rf"{_MARK}+[ \t]*\n?[ \t]*")
_WORD = re.compile(r"\w+")
_PAIR = re.compile(r"\b(\w+)(?=-(\w+))")


def join_words(pages: Sequence[str]) -> list[str]:
    """Replace each mark of a hyphen by a hyphen, or by nothing, and close the line it ends.

    PDFium writes a mark (U+0002, U+FFFE) where a line ends with a hyphen, be it that of a cut word
    or that of a compound. The document itself tells which: if the joined word stands elsewhere it
    was a cut, if the compound does it was a compound. If neither does, it was a cut unless both
    halves stand elsewhere as words, or the mark is not between a letter and a lower-case letter.
    Soft hyphens (U+00AD) are treated alike.

    Args:
        pages: Texts of the pages; line ends are line feeds.
    """
    if not any(map(_CUT.search, pages)):
        return list(pages)
    words: set[str] = set()
    pairs: set[tuple[str, str]] = set()
    for page in pages:
        # What stands beside a mark is half a word: no witness.
        folded = _whole_words(page.casefold())
        words.update(_WORD.findall(folded))
        pairs.update(_PAIR.findall(folded))

    def joint(before: str, behind: str) -> str:
        pair = (before.casefold(), behind.casefold())
        if before and behind and "".join(pair) in words:
            return ""
        compound = pair in pairs or words.issuperset(pair)
        is_word = before[-1:].isalpha() and behind[:1].islower()
        return "" if is_word and not compound else "-"

    return [_joined(page, joint) for page in pages]


def _joined(page: str, joint: Callable[[str, str], str]) -> str:
    """Put between the halves of each cut word what `joint` says of them."""
    pieces = _CUT.split(page)
    found = pieces[:1]
    for left, right in pairwise(pieces):
        found += [joint(_last_word(left), _first_word(right)), right]
    return "".join(found)


def _whole_words(page: str) -> str:
    """Return a page without the halves of words that stand beside a mark."""
    pieces = _CUT.split(page)
    for place in range(len(pieces) - 1):
        pieces[place] = pieces[place][: len(pieces[place]) - len(_last_word(pieces[place]))]
        pieces[place + 1] = pieces[place + 1][len(_first_word(pieces[place + 1])) :]
    return " ".join(pieces)


def _first_word(text: str) -> str:
    found = _WORD.match(text)
    return found[0] if found else ""


def _last_word(text: str) -> str:
    """Return the word a text ends with, walking back: a search from the left would be slow."""
    begin = len(text)
    while begin and _WORD.match(text, begin - 1, begin):
        begin -= 1
    return text[begin:]

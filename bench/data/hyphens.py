"""Words that a PDF cuts at the end of a line become whole again."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MARK = "[\x02\ufffe\u00ad]"
_CUT = re.compile(rf"(\w*){_MARK}+[ \t]*\n?[ \t]*(\w*)")
_MARKED = re.compile(_MARK)
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
    if not any(map(_MARKED.search, pages)):
        return list(pages)
    words: set[str] = set()
    pairs: set[tuple[str, str]] = set()
    for page in pages:
        # What stands beside a mark is half a word: no witness.
        folded = _CUT.sub(" ", page.casefold())
        words.update(_WORD.findall(folded))
        pairs.update(_PAIR.findall(folded))

    def whole(cut: re.Match[str]) -> str:
        before, behind = cut[1], cut[2]
        pair = (before.casefold(), behind.casefold())
        if before and behind and "".join(pair) in words:
            return before + behind
        compound = pair in pairs or words.issuperset(pair)
        is_word = before[-1:].isalpha() and behind[:1].islower()
        return before + ("" if is_word and not compound else "-") + behind

    return [_CUT.sub(whole, page) for page in pages]

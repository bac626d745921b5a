"""Find a quote in a text that writes it a little otherwise, and say where it stands there."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple
from unicodedata import combining, decomposition, is_normalized, normalize

from bench.data.errors import DatasetError

_ALIKE = {
    **dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－"), "-"),
    **dict.fromkeys(map(ord, "‘’‚‛′`´"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″«»"), '"'),
    # PDFium writes U+FFFE or U+0002 for the hyphen at the end of a line.
    **dict.fromkeys((0x02, 0xFFFE, 0x200B, 0x2060, 0xFEFF), "\u00ad"),
}
"""One sign for each kind; characters stay one to one, so offsets stay as they are."""

_TURN = r"[ \t]*(?:\r\n|[\n\r\x0b\x0c\x85\u2028\u2029])[ \t]*"
_IDEOGRAPH = "[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]"
_BEFORE = _IDEOGRAPH.replace("]", "?!:;,)]")
"""The wide forms of these signs are ASCII by then."""
_SPECIAL = (
    rf"(?P<joint>(?<={_BEFORE}){_TURN}(?={_IDEOGRAPH}))"
    rf"|(?P<hyphen>(?<=[^\W\d_])-{_TURN}(?=[^\W\d_]))"
    rf"|(?P<soft>\u00ad+{_TURN}(?=\w))"
    r"|(?P<blank>[\s\u00ad]{2,}|\u00ad|[^\S ])"
)
_WORD = re.compile(r"[^\W_]+|[$%]+")


class Piece(NamedTuple):
    """What a copy says, and the stretch of its source that says it."""

    text: str
    begin: int
    end: int
    unit: bool = False
    """Whether it is found as a whole or not at all; else its characters are its source's."""


class Copy:
    """A normalised copy of a text, with the way back to the text.

    Where the two differ they do so by units (a ligature, a letter with its accents), of which no
    part is found by itself.
    """

    __slots__ = ("begin", "end", "text")

    def __init__(self, pieces: Iterator[Piece]) -> None:
        """Join pieces, which come in the order of the source."""
        said: list[str] = []
        self.begin, self.end = array("q"), array("q")
        for text, start, stop, unit in pieces:
            said.append(text)
            if unit:
                self.begin.extend([start] * len(text))
                self.end.extend([stop] * len(text))
            else:
                self.begin.extend(range(start, stop))
                self.end.extend(range(start + 1, stop + 1))
        self.text = "".join(said)

    def find(self, wanted: str, start: int, end: int) -> list[tuple[int, int]]:
        """Return all places of a normalised quote within a stretch of the source, in order."""
        found = []
        at = self.text.find(wanted, bisect_left(self.begin, start))
        while at >= 0 and self.begin[at] < end:
            last = at + len(wanted) - 1
            if self.end[last] <= end and self._whole(at, last):
                found.append((self.begin[at], self.end[last]))
            at = self.text.find(wanted, at + 1)
        return found

    def _whole(self, first: int, last: int) -> bool:
        """Tell whether these characters begin a unit and end one."""
        begin, behind = self.begin, last + 1
        opens = first == 0 or begin[first - 1] != begin[first]
        return opens and (behind == len(begin) or begin[behind] != begin[last])


class Locator:
    """Finds quotes in one text, which is normalised once.

    Strict: compatibility forms (NFKC: ligatures, wide letters), white space, soft hyphens, hyphens
    at a line end before a lower-case letter, line ends between Chinese or Japanese signs, and kinds
    of quotes and dashes make no difference.
    Loose: only letters and digits of any script, `$` and `%` count, without case; for tables.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._copies: dict[bool, Copy] = {}

    def find(
        self, quote: str, within: tuple[int, int] | None = None, *, loose: bool = False
    ) -> list[tuple[int, int]]:
        """Return all places where the quote stands, as half-open spans of the text, in order.

        Time grows with the text (once, for its copy) and with the number of places.

        Args:
            quote: What to look for.
            within: The stretch of the text in which it must stand; None: anywhere.
            loose: Look at letters, digits, `$` and `%` alone.

        Raises:
            DatasetError: Nothing of the quote is left to look for.
        """
        wanted = normal(quote, loose=loose)
        if not wanted:
            what = "letter, digit, $ or %" if loose else "character"
            raise DatasetError(f"cannot look for the quote {quote!r}: it has no {what}")
        if loose not in self._copies:
            self._copies[loose] = _copy(self._text, loose)
        return self._copies[loose].find(wanted, *(within or (0, len(self._text))))


def normal(text: str, *, loose: bool = False) -> str:
    """Return a text as a `Locator` compares it."""
    return _copy(text, loose).text.strip()


def _copy(text: str, loose: bool) -> Copy:
    strict = Copy(_pieces(_unified(text)))
    return Copy(_words(strict)) if loose else strict


def _unified(text: str) -> str:
    """Replace each sign that has one other for it; offsets stay as they are."""
    text = text.translate(_ALIKE)
    wide = {ord(sign): normalize("NFKC", sign) for sign in _signs(text)}
    return text.translate({code: sign for code, sign in wide.items() if len(sign) == 1})


def _signs(text: str) -> list[str]:
    """List the signs beyond ASCII in a text, but for blanks and soft hyphens."""
    beyond = (sign for sign in set(text) if sign > "\x7f" and sign != "\u00ad")
    return sorted(sign for sign in beyond if not sign.isspace())


def _pieces(text: str) -> Iterator[Piece]:
    at = 0
    special = _special(text)
    while found := special.search(text, at):
        begin, end = found.span()
        if found["hyphen"] and not text[end].islower():
            # A hyphen of its own, such as in a name: only the white space behind it is special.
            yield Piece(text[at : begin + 1], at, begin + 1)
            at = begin + 1
            continue
        yield Piece(text[at:begin], at, begin)
        if found["joint"]:
            pass  # lines of Chinese and Japanese end without a blank
        elif not (found["hyphen"] or found["soft"] or found["blank"]):
            composed = normalize("NFKC", found[0])
            if composed != composed.strip():
                composed = found[0]  # an accent by itself: the blank would be none of the text's
            yield Piece(composed, begin, end, unit=composed != found[0])
        elif (found["blank"] or "").strip("\u00ad"):
            yield Piece(" ", begin, end, unit=True)
        at = end
    yield Piece(text[at:], at, len(text))


def _special(text: str) -> re.Pattern[str]:
    """Match all that is not taken as it is; of letters, those of this text that NFKC changes."""
    signs = _signs(text)
    accents = "".join(filter(_joins, signs))
    others = "".join(sign for sign in signs if not is_normalized("NFKC", sign))
    parts = [rf"[^\s\u00ad][{re.escape(accents)}]+"] if accents else []
    parts += [f"[{re.escape(others)}]"] if others else []
    return re.compile("|".join([_SPECIAL, *parts]))


@cache
def _joins(sign: str) -> bool:
    """Tell whether a character may melt into the one before it."""
    first = normalize("NFKD", sign)[0]
    return combining(first) != 0 or first in _seconds()


@cache
def _seconds() -> frozenset[str]:
    """Collect the characters that melt into the one before though they are no accents."""
    pairs = (decomposition(chr(code)).split() for code in range(0x20000))
    seconds = {chr(int(pair[1], 16)) for pair in pairs if len(pair) == 2 and pair[0][0] != "<"}
    hangul = {chr(code) for code in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}
    return frozenset({sign for sign in seconds if combining(sign) == 0} | hangul)


def _words(strict: Copy) -> Iterator[Piece]:
    """Keep letters, digits, `$` and `%` of a strict copy, in their caseless form."""
    begin, end = strict.begin, strict.end
    for word in _WORD.finditer(strict.text):
        first, last = word.start(), word.end() - 1
        folded, source = word[0].casefold(), range(begin[first], end[last])
        if len(folded) == len(word[0]) and begin[first : last + 1] == array("q", source):
            yield Piece(folded, begin[first], end[last])
        else:
            for at in range(first, last + 1):
                yield Piece(strict.text[at].casefold(), begin[at], end[at], unit=True)

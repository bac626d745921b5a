"""Where sentences end, in any language: sentencex, with exact offsets and in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate

from bench.chunking.packer import trim
from bench.chunking.pieces import Piece
from rse.checks import ParameterError

AUTO = "auto"
WINDOW = 1000
"""Characters sentencex sees at a time. Its time grows with the square of a paragraph's quotes, and
of texts over some 10 000 bytes it can lose blank lines, so its offsets would be wrong."""
SAMPLE = 20_000
"""Characters the language is guessed from."""

_BLANK_LINE = re.compile(r"\n\s*\n")
_CODE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_LONE = re.compile("[\ud800-\udfff]")


def sentences(text: str, language: str = AUTO) -> Iterator[Piece]:
    """Yield the sentences of a text, trimmed; only blanks lie outside. No one spans a blank line.

    Args:
        text: What to split.
        language: Code of its language, as `de`; `auto`: guessed from the script.
    """
    code = guess(text) if language == AUTO else re.split("[-_]", language)[0].lower()
    # Lone surrogates have no UTF-8; a character of the same length takes their place.
    plain = _LONE.sub("\ufffd", text) if _LONE.search(text) else text
    for start, end in _paragraphs(plain):
        at = start
        for border in _borders(plain, start, end, code):
            part = trim(plain, at, border)
            if part[0] < part[1]:
                yield part
            at = border


def guess(text: str) -> str:
    """Name a language by its script: `zh` or `ja` where most letters are CJK, else `en`."""
    sample = text[:: len(text) // SAMPLE + 1]
    letters = sum(map(str.isalpha, sample))
    han, kana = len(_HAN.findall(sample)), len(_KANA.findall(sample))
    if 2 * (han + kana) <= letters:
        return "en"
    # Japanese writes about every second character in kana; Chinese quotes a word of it at most.
    return "ja" if 5 * kana > han + kana else "zh"


def check_language(language: object) -> None:
    """Refuse what cannot be the code of a language."""
    if language != AUTO and not (isinstance(language, str) and _CODE.fullmatch(language)):
        raise ParameterError(
            f"language must be auto or the code of a language (en, zh, de), got {language!r}"
        )


def _paragraphs(text: str) -> Iterator[Piece]:
    at = 0
    for blank in _BLANK_LINE.finditer(text):
        yield trim(text, at, blank.start())
        at = blank.end()
    yield trim(text, at, len(text))


def _borders(text: str, start: int, end: int, code: str) -> Iterator[int]:
    """Yield where the sentences of a paragraph end, its own end last.

    The last sentence of a window may go on behind it, so the next window begins with it.
    """
    at = start
    while end - at > WINDOW:
        ends = _ends(text[at : at + WINDOW], code)
        for border in ends[:-1]:
            yield at + border
        at = at + ends[-2] if len(ends) > 1 else _onwards(text, at)
    for border in _ends(text[at:end], code):
        yield at + border


def _onwards(text: str, at: int) -> int:
    """Return a place to read on from within a sentence longer than a window: behind a word."""
    for place in range(at + WINDOW, at + WINDOW // 2, -1):
        if text[place - 1].isspace():
            return place
    return at + WINDOW


def _ends(window: str, code: str) -> list[int]:
    import sentencex  # type: ignore[import-untyped]

    ends = list(accumulate(map(len, sentencex.segment(code, window))))
    # Should a piece be lost or changed after all, one long sentence is better than wrong offsets.
    return ends if ends and ends[-1] == len(window) else [len(window)]

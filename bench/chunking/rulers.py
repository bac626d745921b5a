"""How long a piece of text is: in characters, or in tokens of a named encoding."""

from __future__ import annotations

from typing import Protocol

from bench.tokens import ENCODINGS, TokenMap, tokenizer
from rse.checks import ParameterError

CHARACTERS = "characters"
UNITS = (CHARACTERS, *ENCODINGS)


class Ruler(Protocol):
    """Measures spans of one text."""

    def measure(self, start: int, end: int) -> int:
        """Return the size of `[start, end)`."""
        ...

    def furthest(self, start: int, size: int) -> int:
        """Return the largest end whose span from `start` has at most `size`."""
        ...


class Characters:
    """One for each code point."""

    def __init__(self, text: str) -> None:
        self._length = len(text)

    def measure(self, start: int, end: int) -> int:
        return end - start

    def furthest(self, start: int, size: int) -> int:
        return min(start + size, self._length)


class Tokens:
    """One for each token that begins in the span; the text is encoded as a whole."""

    def __init__(self, text: str, encoding: str) -> None:
        self._map = TokenMap(tokenizer(encoding).starts(text))
        self._length = len(text)

    def measure(self, start: int, end: int) -> int:
        return self._map.count(start, end)

    def furthest(self, start: int, size: int) -> int:
        return self._map.furthest(start, self._length, size)


def ruler(text: str, unit: str) -> Ruler:
    """Return the ruler of a unit for one text."""
    return Characters(text) if unit == CHARACTERS else Tokens(text, unit)


def check_unit(unit: str) -> None:
    """Refuse a unit nobody can measure in."""
    if unit not in UNITS:
        raise ParameterError(f"unit must be one of {', '.join(UNITS)}, got {unit!r}")

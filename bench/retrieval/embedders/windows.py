"""What becomes of a text that is too long for an encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from bench.errors import UserError

Long = Literal["windows", "error", "cut"]
Offsets = Callable[[str], list[tuple[int, int]]]
"""Tokenizer: a text's word pieces as half-open character ranges, special tokens left out."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How much an encoder takes at once, and what it does with more.

    Texts over the limit, by `long`. `windows`: split into as few windows as possible, the vector is
    the normalised mean of theirs; `error`: refused; `cut`: the rest is dropped. `measure` counts
    them.
    """

    name: str
    """What reports call the encoder."""
    long: Long
    room: int
    """Word pieces that fit beside special tokens and prompt."""
    count: Callable[[Sequence[str]], list[int]]
    """Counts the word pieces of texts."""
    offsets: Offsets
    """Tells where they are; as many as `count` counts."""
    cut: Callable[[str], str]
    """Drops what is over the limit, or leaves that to an encoder that fills its room."""

    def windows(self, texts: Sequence[str]) -> list[list[str]]:
        """Return what to encode of each text: at least one piece.

        Raises:
            UserError: A text is over the limit and `long` is `error`.
        """
        counts = self.count(texts)
        return [self._windows(text, count) for text, count in zip(texts, counts, strict=True)]

    def measure(self, texts: Sequence[str]) -> tuple[int, int]:
        """Return the texts over the limit and the word pieces lost, without encoding anything."""
        counts = self.count(texts)
        over = [text for text, count in zip(texts, counts, strict=True) if count > self.room]
        if self.long != "cut":
            return len(over), 0
        # What is kept is counted, too: where it ends, it may have fewer pieces than there is room.
        kept = sum(min(count, self.room) for count in self.count(list(map(self.cut, over))))
        return len(over), sum(count for count in counts if count > self.room) - kept

    def _windows(self, text: str, count: int) -> list[str]:
        if count <= self.room:
            return [text]
        if self.long == "cut":
            return [self.cut(text)]
        if self.long == "error":
            raise UserError(
                f"{self.name}: the text {text[:60]!r} has {count} word pieces, the model's limit "
                f"is {self.room}; use smaller chunks or long=windows"
            )
        return split(text, self.room, self.offsets)


def checked_long(long: str) -> Long:
    """Return how to treat long texts, if it is one of the ways there are."""
    if long not in get_args(Long):
        raise ValueError(f"long must be one of {', '.join(get_args(Long))}, got {long!r}")
    return cast(Long, long)


def plain(text: str) -> str:
    """Replace lone surrogates, which no tokenizer takes; positions stay."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def mean(rows: NDArray[np.float32], groups: Sequence[Sequence[str]]) -> NDArray[np.float32]:
    """Return the normalised mean of the windows' vectors for each text.

    Args:
        rows: A vector for each window, text after text; shape (windows, dimension).
        groups: The windows of each text, none without any.
    """
    first = np.cumsum([0, *(len(group) for group in groups[:-1])])
    total: NDArray[np.float64] = np.add.reduceat(rows.astype(np.float64), first, axis=0)
    lengths: NDArray[np.float64] = np.linalg.norm(total, axis=1, keepdims=True)
    return (total / lengths).astype(np.float32)


def head(text: str, room: int, count: Callable[[str], int]) -> str:
    """Return the beginning of a text that fits, and would not with one more character.

    Args:
        text: What to cut.
        room: Most word pieces the beginning may have.
        count: Counts the word pieces of a text.
    """
    if count(text) <= room:
        return text
    fits, over = 0, len(text)
    while over - fits > 1:
        middle = (fits + over) // 2
        fits, over = (middle, over) if count(text[:middle]) <= room else (fits, middle)
    return text[:fits]


def split(text: str, room: int, offsets: Offsets) -> list[str]:
    """Slice `text` into as few windows as possible, about equally large and without gaps.

    Args:
        text: What to split.
        room: Most word pieces a window may have.
        offsets: Tells where the word pieces of a text are.
    """
    pieces = offsets(text)
    for parts in range(max(-(-len(pieces) // room), 1), max(len(pieces), 1) + 1):
        inner = [pieces[len(pieces) * part // parts][0] for part in range(1, parts)]
        windows = [text[a:b] for a, b in pairwise([0, *inner, len(text)]) if a < b]
        # A word cut in two may have more pieces than before, so every slice is counted again.
        if all(len(offsets(window)) <= room for window in windows):
            return windows
    raise ValueError(f"no window of {room} word pieces fits into {text[:60]!r}")

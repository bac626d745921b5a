"""Split a text that is too long for an encoder."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

Offsets = Callable[[str], list[tuple[int, int]]]
"""Tokenizer: a text's word pieces as half-open character ranges, special tokens left out."""


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

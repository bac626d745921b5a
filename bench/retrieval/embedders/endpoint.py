"""Embedding models behind OpenAI-compatible endpoints."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.endpoints.client import Client, EndpointError
from bench.endpoints.together import together
from bench.errors import UserError
from bench.retrieval.embedders.recipes import OpenAI
from bench.retrieval.embedders.windows import Limit, checked_long, head, mean, plain
from bench.store.answers import AnswerCache, request_key
from bench.tokens import tokenizer

SCHEME = 1
"""Raised whenever the code below starts to give other vectors: part of every identity."""
PROBE = "How long is a vector?"
RULER = "cl100k_base"
MOST_TOKENS = 200_000
"""In one request: servers refuse more than some 300,000, and may count otherwise than we do."""
Rows = NDArray[np.float64]


class EndpointEncoder:
    """A model that a server runs. Nothing is asked before it is needed.

    Args:
        settings: Which model, where, and how it is asked.
        client: Speaks to the server; None: made from the settings.
        cache: Remembers how long vectors are; None: the server is asked anew.
        asks: Whether texts are search queries.
    """

    remote = True

    def __init__(
        self,
        settings: OpenAI,
        client: Client | None = None,
        cache: AnswerCache | None = None,
        *,
        asks: bool = False,
    ) -> None:
        self.settings, self.asks = settings, asks
        self.name, self.long = settings.model, checked_long(settings.long)
        self.prompt = settings.query_prompt if asks else settings.document_prompt
        self._client = client or Client(settings.url, settings.key_env)
        self._cache = cache
        self._owner: EndpointEncoder | None = None
        """Who knows the dimension."""

    @cached_property
    def queries(self) -> EndpointEncoder:
        """What embeds search queries: this one with another prompt, or itself."""
        if self.asks or self.settings.query_prompt == self.prompt:
            return self
        found = EndpointEncoder(self.settings, self._client, self._cache, asks=True)
        found._owner = self
        return found

    @cached_property
    def identity(self) -> str:
        """Digest of the server's address, its model and these settings; the key is no part."""
        given = self.settings
        parts = [SCHEME, "endpoint", self._client.url, given.model, given.dimensions]
        parts += [self.prompt, self.long, given.max_tokens, RULER, "normalised"]
        if self.long == "cut":
            parts.append("longest head")  # earlier ones could be shorter
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    @cached_property
    def dimension(self) -> int:
        """Length of a vector; the server is asked, once, unless the settings say."""
        if self._owner:
            return self._owner.dimension
        if self.settings.dimensions:
            return self.settings.dimensions
        if self._cache and (kept := self._cache.get(self._probe)):
            return int(kept.answer)
        began = perf_counter()
        found = int(self._ask([PROBE]).shape[1])
        if self._cache is None:
            return found
        return int(self._cache.put(self._probe, found, perf_counter() - began).answer)

    @property
    def _probe(self) -> bytes:
        """Key of the answer that says how long a vector is."""
        asked = {"model": self.settings.model, "input": [PROBE], "wanted": "dimension"}
        return request_key(self._client.url, "/embeddings", asked)

    @property
    def block(self) -> int:
        """Texts worth giving at a time: as many as may be under way at once."""
        return self.settings.batch * self.settings.at_once

    def measure(self, texts: Sequence[str]) -> tuple[int, int]:
        """Return the texts over the limit and the tokens lost, without encoding anything."""
        return self._limit.measure([plain(text) for text in texts])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of unit length for each text.

        Raises:
            UserError: A text is over the limit and `long` is `error`, or the server cannot be
                asked, or its answer cannot be used.
        """
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        groups = self._limit.windows([plain(text) for text in texts])
        windows = [self.prompt + window for group in groups for window in group]
        dimension = self.dimension
        requests = list(self._requests(windows))
        blocks = together(self._ask, requests, at_once=self.settings.at_once)
        for block in blocks:
            if block.shape[1] != dimension:
                if self._cache:  # or else nothing but clearing the cache would ever help
                    self._cache.forget(self._probe)
                raise self._unusable(
                    f"vectors of {block.shape[1]} numbers, where {dimension} were expected"
                )
        return mean(np.concatenate(blocks).astype(np.float32), groups)

    def _requests(self, windows: Sequence[str]) -> Iterator[list[str]]:
        """Put texts together as far as one request may go, in order."""
        some: list[str] = []
        tokens = 0
        for window in windows:
            count = tokenizer(RULER).count(window)
            if some and (len(some) == self.settings.batch or tokens + count > MOST_TOKENS):
                yield some
                some, tokens = [], 0
            some.append(window)
            tokens += count
        if some:
            yield some

    def _ask(self, texts: list[str]) -> Rows:
        """Return a row of unit length for each text, as the server numbers them."""
        payload: dict[str, Any] = {"model": self.settings.model, "input": texts}
        payload["encoding_format"] = "float"
        if self.settings.dimensions:
            payload["dimensions"] = self.settings.dimensions
        answer = self._client.post("/embeddings", payload)
        items = answer.get("data")
        try:
            numbers = [item["index"] for item in items]  # type: ignore[union-attr]
            if sorted(numbers) != list(range(len(texts))) or any(
                isinstance(number, bool) for number in numbers
            ):
                raise self._unusable(f"{len(numbers)} numbered vectors for {len(texts)} texts")
            placed = dict(zip(numbers, items, strict=True))  # type: ignore[arg-type]
            rows = np.array([placed[i]["embedding"] for i in range(len(texts))])
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            if isinstance(error, EndpointError):
                raise
            raise self._unusable(
                f"no list of vectors of one length ({type(error).__name__})"
            ) from None
        if rows.ndim != 2 or rows.dtype.kind not in "fi" or not rows.shape[1]:
            raise self._unusable("no list of vectors of one length")
        with np.errstate(over="ignore"):
            lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
        if not (np.isfinite(lengths) & (lengths > 0)).all():
            first = int(np.argmin(np.isfinite(lengths) & (lengths > 0)))
            raise self._unusable(
                f"a vector of length {lengths[first, 0]:g}, which has no direction, for "
                f"{texts[first][:60]!r}"
            )
        found: Rows = rows / lengths
        return found

    def _unusable(self, found: str) -> EndpointError:
        return EndpointError(
            f"{self._client.url}/embeddings, model {self.name}: the answer has {found}"
        )

    @cached_property
    def _limit(self) -> Limit:
        before = tokenizer(RULER).count(self.prompt)
        room = self.settings.max_tokens - before
        if room < 1:
            raise UserError(
                f"{self.name}: the prompt {self.prompt[:60]!r} has {before} tokens of the "
                f"{self.settings.max_tokens} there may be: it leaves no room for a text"
            )
        return Limit(
            self.name,
            self.long,
            room,
            lambda texts: list(map(_count, texts)),
            _offsets,
            cut=lambda text: head(text, room, _count),
        )


def _count(text: str) -> int:
    return tokenizer(RULER).count(text)


def _offsets(text: str) -> list[tuple[int, int]]:
    starts = tokenizer(RULER).starts(text).tolist()
    return list(zip(starts, [*starts[1:], len(text)], strict=True)) if starts else []

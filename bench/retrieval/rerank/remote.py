"""Passages scored by a service: the HTTP forms of Cohere, Jina and Voyage."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.endpoints.ask import Endpoint, MalformedError
from bench.endpoints.client import Client, EndpointError
from bench.endpoints.recipes import Cohere, Scorer, Voyage
from bench.errors import UserError
from bench.store.answers import AnswerCache
from bench.tokens import tokenizer

SCHEME = 1
"""Raised whenever the code below starts to give other scores: part of every identity."""
ROUNDING = 1e-6
"""How far beyond 0 or 1 a score may lie: single precision."""
LISTWISE_MODELS = ("jina-reranker-v3",)
"""Beginnings of the names of models that read all passages at once."""


class Form(NamedTuple):
    """How a service wants to be asked, and how it answers."""

    service: str
    results: str
    """Where the scores stand in an answer."""
    most: str
    """Name of the number of results asked for."""
    also: Mapping[str, Any]
    """What else is sent."""
    batch: int = 1000
    """Passages in one request at most."""
    longest: int | None = None
    """Tokens of a passage the service reads before it cuts it off in silence; None: it does not."""


COHERE = Form("Cohere", "results", "top_n", {"max_tokens_per_doc": 4096}, longest=4096)
JINA = Form("Jina", "results", "top_n", {"return_documents": False})
VOYAGE = Form("Voyage", "data", "top_k", {"truncation": False})


class RemoteReranker:
    """A service that scores passages for a query.

    Args:
        endpoint: The service, with the answers it gave earlier.
        form: How it is asked.
        model: The model's name there.
        logits: Whether its scores are logits, of which the sigmoid is taken.
        batch: Passages in one request at most; None: as many as the form takes.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        form: Form,
        model: str,
        *,
        logits: bool = False,
        batch: int | None = None,
    ) -> None:
        self._endpoint, self._form, self._model, self._logits = endpoint, form, model, logits
        self._batch = form.batch if batch is None else batch
        self.listwise = model.startswith(LISTWISE_MODELS)

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"{self._form.service} {self._model}"

    @property
    def identity(self) -> str:
        """Hex digest of everything that can change a score, as far as it can be known from here."""
        form = [self._form.service, self._form.results, self._form.most, dict(self._form.also)]
        parts = [SCHEME, form, self._endpoint.url, self._model, self._logits]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @property
    def score_range(self) -> str:
        """What its scores are, in words."""
        if self._logits:
            return "sigmoid of the service's logit, [0, 1]"
        return "relevance as the service gives it, [0, 1]"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return a score in [0, 1] for each text.

        Raises:
            EndpointError: There is no answer, or one that cannot be right.
            UserError: A text is so long that the service would cut it off.
        """
        return self.timed(query, texts)[0]

    def timed(self, query: str, texts: Sequence[str]) -> tuple[NDArray[np.float64], float]:
        """Return the scores, and the seconds they took when they were asked for."""
        if self.listwise and len(texts) > self._batch:
            raise UserError(
                f"{self.name} takes {self._batch} passages at a time and compares them with one "
                f"another, got {len(texts)}; use a depth of {self._batch} or less"
            )
        self._check_lengths(texts)
        found, seconds = [np.zeros(0)], 0.0
        for begin in range(0, len(texts), self._batch):
            scores, took = self._ask(query, texts[begin : begin + self._batch])
            found.append(scores)
            seconds += took
        return np.concatenate(found), seconds

    def _ask(self, query: str, texts: Sequence[str]) -> tuple[NDArray[np.float64], float]:
        payload = {
            "model": self._model,
            "query": query,
            "documents": list(texts),
            self._form.most: len(texts),
            **self._form.also,
        }
        results = self._form.results
        reply = self._endpoint.ask("/rerank", payload, partial(_read, results, len(texts)))
        raw = np.array([item["relevance_score"] for item in reply.answer[results]], np.float64)
        return self._in_range(raw), reply.seconds

    def _in_range(self, raw: NDArray[np.float64]) -> NDArray[np.float64]:
        if self._logits:
            small = np.exp(-np.abs(raw))  # never overflows
            scores: NDArray[np.float64] = np.where(raw < 0, small, 1.0) / (1.0 + small)
            return scores
        outside = raw[(raw < -ROUNDING) | (raw > 1 + ROUNDING)]
        if len(outside):
            raise EndpointError(
                f"{self.name} at {self._endpoint.url} gave the score {outside[0]:g}, which is not "
                f"in [0, 1]; if its scores are logits, say scores=sigmoid"
            )
        return np.clip(raw, 0.0, 1.0)

    def _check_lengths(self, texts: Sequence[str]) -> None:
        longest = self._form.longest
        # No token is less than a byte; so most texts need no counting.
        for text in texts if longest else ():
            if longest and len(text.encode("utf-8", "surrogatepass")) > longest:
                tokens = tokenizer("cl100k_base").count(text)
                if tokens > longest:
                    raise UserError(
                        f"{self.name}: the text {text[:60]!r} has about {tokens} tokens, the "
                        f"service reads {longest} of each; use smaller chunks"
                    )


def remote(settings: Scorer, cache_folder: Path) -> RemoteReranker:
    """Return the reranker that a spec names; its answers are kept in a folder."""
    form = {Cohere: COHERE, Voyage: VOYAGE}.get(type(settings), JINA)
    endpoint = Endpoint(Client(settings.url, settings.key_env), AnswerCache(cache_folder))
    return RemoteReranker(endpoint, form, settings.model, logits=settings.scores == "sigmoid")


def _read(results: str, wanted: int, answer: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the scores of an answer in the order of the passages, each exactly once."""
    items = answer.get(results)
    if not isinstance(items, list):
        raise MalformedError(f"has no list {results!r}")
    found: dict[int, float] = {}
    for item in items:
        index = item.get("index") if isinstance(item, dict) else None
        if not isinstance(index, int) or isinstance(index, bool):
            raise MalformedError(f"has a result without an index in {results!r}")
        if not 0 <= index < wanted:
            raise MalformedError(f"scores passage {index}, there are 0 to {wanted - 1}")
        if index in found:
            raise MalformedError(f"scores passage {index} twice")
        found[index] = _score(index, item.get("relevance_score"))
    if len(found) < wanted:
        raise MalformedError(f"scores {len(found)} of {wanted} passages")
    return {results: [{"index": i, "relevance_score": found[i]} for i in range(wanted)]}


def _score(index: int, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MalformedError(f"has no relevance_score for passage {index}")
    try:
        score = float(value)
    except OverflowError:
        score = float("inf")
    if not isfinite(score):
        raise MalformedError(f"has the relevance_score {score} for passage {index}")
    return score

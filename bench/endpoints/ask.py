"""Ask an endpoint once: what it answered stands in the cache from then on."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any, NamedTuple

from bench.endpoints.client import Client, EndpointError
from bench.retrieval.embedders.windows import plain
from bench.store.answers import AnswerCache, request_key

log = logging.getLogger(__name__)


class MalformedError(ValueError):
    """An answer is not what was asked for.

    Args:
        problem: What is wrong with it, as a sentence goes on that begins with "the answer".
        came: What to show of it; None: all.
    """

    def __init__(self, problem: str, came: str | None = None) -> None:
        super().__init__(problem)
        self.came = came


class Reply(NamedTuple):
    """What an endpoint answered."""

    answer: Any
    """What the reader made of it."""
    seconds: float
    """What it took when it was asked, waiting for further tries included."""
    cached: bool
    """Whether that was earlier."""


class Endpoint:
    """A client whose answers are checked, then kept. Threads may share it.

    Args:
        client: Speaks to the endpoint.
        cache: Keeps the answers.
    """

    def __init__(self, client: Client, cache: AnswerCache) -> None:
        self.client, self._cache = client, cache

    @property
    def url(self) -> str:
        """Where the endpoint is."""
        return self.client.url

    def ask(self, path: str, payload: Mapping[str, Any], read: Callable[[Any], Any]) -> Reply:
        """Return the answer to a request; one in the cache costs nothing.

        Args:
            path: Below the endpoint's URL: `/rerank`.
            payload: What to send; lone surrogates in it, which no server takes, are replaced.
            read: Reduces an answer to what is kept of it, which is JSON that `read` itself takes
                and returns unchanged. So nothing else that a server sends reaches the disk.

        Raises:
            EndpointError: There is no answer, or `read` raised `MalformedError`; nothing is kept.
        """
        payload = _each_text(payload, plain)
        key = request_key(self.url, path, payload)
        if (kept := self._cache.get(key)) is not None:
            try:
                return Reply(read(kept.answer), kept.seconds, cached=True)
            except MalformedError as error:
                log.warning("%s%s: a cached answer %s, asked again", self.url, path, error)
                self._cache.forget(key)
        began = perf_counter()
        answer = self.client.post(path, payload)
        seconds = perf_counter() - began
        try:
            wanted = read(answer)
        except MalformedError as error:
            came = json.dumps(answer, ensure_ascii=False) if error.came is None else error.came
            raise EndpointError(
                f"{self.url}{path}: the answer {error}; it is {self.client.shown(came)}"
            ) from None
        # Another process may have been faster: its answer is everybody's.
        now = self._cache.put(key, _each_text(wanted, self._clean), seconds)
        return Reply(read(now.answer), now.seconds, cached=False)

    def _clean(self, text: str) -> str:
        """Make a text fit to be kept: no key, and no lone surrogates, which no file takes."""
        return self.client.masked(plain(text))


def _each_text(value: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401
    """Change all texts of a JSON value."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: _each_text(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_each_text(item, change) for item in value]
    return value

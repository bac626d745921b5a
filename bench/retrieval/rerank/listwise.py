"""Passages put in order by a language model that sees many of them at once."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from bench.endpoints.ask import MalformedError
from bench.endpoints.chat import Chat, Message, chat
from bench.endpoints.recipes import Listwise
from bench.endpoints.words import UNTRUSTED, fence, found_json

ROLE = (
    "You order passages by how much they help to answer a query. You are given the query and "
    "numbered passages, each between marks. " + UNTRUSTED
)
TASK = (
    "Order all {n} passages, the most helpful first. Answer with nothing but a JSON list of their "
    "numbers, each once, such as [2, 1, 3]."
)


class ListwiseReranker:
    """A language model that orders passages, a window at a time from the last to the first.

    So a passage at the end can come to the front: the windows overlap, and the best of each go on
    into the next, as in RankGPT (Sun et al., 2023).

    Args:
        model: What orders them.
        window: Passages it sees at a time.
        step: Places the window moves.
    """

    listwise = True

    def __init__(self, model: Chat, window: int = 20, step: int = 10) -> None:
        if not 1 <= step < window:
            raise ValueError(f"step must be 1 or more and less than window, got {step}, {window}")
        self._model, self._window, self._step = model, window, step
        self._turn = Lock()
        self.counts: Counter[str] = Counter()
        """What the model did wrong so far: numbers `missing`, `repeated` and `unknown`."""

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"{self._model.model} listwise"

    @property
    def identity(self) -> str:
        """Hex digest of everything that can change a score, as far as it can be known from here."""
        parts = [self._model.identity, ROLE, TASK, self._window, self._step]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @property
    def score_range(self) -> str:
        """What its scores are, in words."""
        return "1 - rank / passages, rank from 0, (0, 1]: order only, no measure of relevance"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return 1 for the best text, 1/n for the last of n, evenly in between.

        Raises:
            EndpointError: There is no answer, or none with numbers in it.
        """
        return self.timed(query, texts)[0]

    def timed(self, query: str, texts: Sequence[str]) -> tuple[NDArray[np.float64], float]:
        """Return the scores, and the seconds the answers took when they were asked for."""
        order, seconds = list(range(len(texts))), 0.0
        for begin, end in _windows(len(texts), self._window, self._step):
            some = order[begin:end]
            answer = self._model.ask(_messages(query, [texts[i] for i in some]), numbers)
            order[begin:end] = [some[place] for place in self._order(answer.text, len(some))]
            seconds += answer.seconds
        scores = np.zeros(len(texts))
        scores[order] = 1.0 - np.arange(len(texts)) / max(len(texts), 1)
        return scores, seconds

    def _order(self, text: str, n: int) -> list[int]:
        """Return places from 0, those the model did not name behind the others in their order."""
        named = numbers(text)
        known = [number - 1 for number in named if 1 <= number <= n]
        order = list(dict.fromkeys(known))
        with self._turn:
            self.counts["unknown"] += len(named) - len(known)
            self.counts["repeated"] += len(known) - len(order)
            self.counts["missing"] += n - len(order)
        return order + sorted(set(range(n)) - set(order))


def listwise(settings: Listwise, cache_folder: Path) -> ListwiseReranker:
    """Return the reranker that a spec names; its answers are kept in a folder."""
    return ListwiseReranker(chat(settings, cache_folder), settings.window, settings.step)


def numbers(text: str) -> list[int]:
    """Return the numbers of the longest JSON list in an answer, else of all its lists `[2] > [1]`.

    Raises:
        MalformedError: There is no list of numbers.
    """
    lists = [list(map(_number, one)) for one in found_json(text, list)]
    lists = [one for one in lists if any(one)]
    longest = max(reversed(lists), key=len, default=[])  # of equal ones the last
    named = longest if len(longest) > 1 else [number for one in lists for number in one]
    if not named:
        raise MalformedError("has no JSON list of passage numbers")
    return named


def _number(value: object) -> int:
    """Return a passage number written as 3 or "3"; 0, which no passage has, for anything else."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _windows(n: int, window: int, step: int) -> Iterator[tuple[int, int]]:
    """Yield where windows begin and end, the last one first; one passage needs no order."""
    for end in range(n, 1, -step):
        yield max(end - window, 0), end
        if end <= window:
            return


def _messages(query: str, passages: Sequence[str]) -> list[Message]:
    parts = [*fence("query", [query]), *fence("passage", passages)]
    task = TASK.format(n=len(passages))
    return [
        {"role": "system", "content": ROLE},
        {"role": "user", "content": "\n\n".join([*parts, task])},
    ]

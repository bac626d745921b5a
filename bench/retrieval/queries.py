"""Search queries made by a language model, beside the question's own text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.endpoints.ask import MalformedError
from bench.endpoints.chat import Chat, Message, chat
from bench.endpoints.recipes import Queries
from bench.endpoints.words import UNTRUSTED, fence, found_json

LONGEST = 1000
"""Characters of a search query; what is longer is something else."""
ROLE = (
    "You write search queries. You are given a question, between marks, that somebody wants "
    "answered from a collection of documents. " + UNTRUSTED
)
TASK = (
    "Write {n} search queries that together find all passages needed to answer the question: ask "
    "for its parts, and use other words than it does. Write in the question's language. Answer "
    "with nothing but a JSON list of {n} strings."
)


class Made(NamedTuple):
    """The queries made for one question."""

    queries: tuple[str, ...]
    """None of them is the question itself, none is there twice; there may be none."""
    seconds: float
    """What it took when the model was asked."""
    cached: bool
    """Whether that was earlier."""

    def beside(self, searches: Sequence[str]) -> tuple[str, ...]:
        """Return the question's own queries, then those made that are not among them."""
        return _distinct([*searches, *self.queries])


class QueryWriter:
    """A language model that makes queries.

    Args:
        model: What makes them.
        n: Queries for each question, at most.
    """

    def __init__(self, model: Chat, n: int = 3) -> None:
        if n < 1:
            raise ValueError(f"n must be 1 or more, got {n}")
        self._model, self._n = model, n

    def write(self, question: str) -> Made:
        """Make queries for a question.

        Raises:
            EndpointError: There is no answer, or none with a list of queries.
        """
        answer = self._model.ask(_messages(question, self._n), _read)
        distinct = _distinct([question, *_read(answer.text)])
        return Made(distinct[1 : 1 + self._n], answer.seconds, answer.cached)


def query_writer(settings: Queries, cache_folder: Path) -> QueryWriter:
    """Return what a spec names; its answers are kept in a folder."""
    return QueryWriter(chat(settings, cache_folder), settings.n)


def _read(text: str) -> list[str]:
    """Return the first list in an answer that has texts in it, each text as one line."""
    for one in found_json(text, list):
        lines = [" ".join(item.split()) for item in one if isinstance(item, str)]
        if kept := [line for line in lines if 0 < len(line) <= LONGEST]:
            return kept
    raise MalformedError("has no JSON list of search queries")


def _distinct(texts: Sequence[str]) -> tuple[str, ...]:
    """Drop what differs from an earlier one by case and blanks alone."""
    first: dict[str, str] = {}
    for text in texts:
        first.setdefault(" ".join(text.casefold().split()), text)
    return tuple(first.values())


def _messages(question: str, n: int) -> list[Message]:
    parts = [*fence("question", [question]), TASK.format(n=n)]
    return [{"role": "system", "content": ROLE}, {"role": "user", "content": "\n\n".join(parts)}]

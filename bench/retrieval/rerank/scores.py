"""Scores of a reranker kept on disk: the dearest step of a search is done once for each pair."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bench.retrieval.rerank.reranker import Preparing, Reranker, checked
from bench.store.sqlite import Database

TABLE = "CREATE TABLE IF NOT EXISTS scores (key BLOB PRIMARY KEY, score REAL, seconds REAL)"
AT_ONCE = 500
"""Keys in one query; SQLite has a limit."""

Kept = dict[bytes, tuple[float, float]]
"""Score and seconds, by key."""


@runtime_checkable
class TimedReranker(Reranker, Protocol):
    """A reranker that asks a server, whose answers it keeps itself."""

    def timed(self, query: str, texts: Sequence[str]) -> tuple[NDArray[np.float64], float]:
        """Return the scores, and the seconds the answers took when they were asked for."""
        ...


class ScoreCache:
    """Scores texts by a reranker, or remembers what it gave before. The first score stays.

    Kept are keys (digests of query and text, and of the whole list where scores depend on it),
    scores, and what each took; no text. Any number of processes may share the folder.

    Args:
        folder: Where caches are kept: `cache_folder()`.
        reranker: Scores what is not there; its identity names the file.
        remote: Whether it waits for a server.
    """

    def __init__(self, folder: Path, reranker: Reranker, *, remote: bool = False) -> None:
        self._reranker, self.name, self.remote = reranker, reranker.name, remote
        self.path = folder / "rerank" / f"{reranker.identity[:16]}.sqlite"
        self._database = Database(self.path, TABLE)

    def score(self, query: str, texts: Sequence[str]) -> tuple[NDArray[np.float64], float]:
        """Return a score in [0, 1] for each text, and the seconds scoring took.

        Seconds are those of the reranker at work, without what it prepares: of scores that were
        kept, what they took when they were made, on the machine that made them.

        Raises:
            ValueError: The reranker gave something else than one score in [0, 1] for each text.
            OSError: The folder cannot be written.
        """
        keys = self._keys(query, texts)
        kept = self._database.run(lambda db: _read(db, keys))
        missing = [i for i, key in enumerate(keys) if key not in kept]
        if missing:
            kept = self._make(query, texts, keys, missing)
        found = np.array([kept[key][0] for key in keys], np.float64)
        return found, sum(kept[key][1] for key in dict.fromkeys(keys))

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        self._database.close()

    def _make(
        self, query: str, texts: Sequence[str], keys: Sequence[bytes], missing: Sequence[int]
    ) -> Kept:
        """Score what is missing, each text once, and return all that is then kept."""
        # The whole list again where scores depend on it; else equal texts count once.
        first = {keys[i]: i for i in reversed(missing)}
        wanted = list(range(len(texts))) if self._reranker.listwise else sorted(first.values())
        score, seconds = _timed(self._reranker, query, [texts[i] for i in wanted])
        each = seconds / len(wanted)
        new = {keys[i]: (one, each) for i, one in zip(wanted, score.tolist(), strict=True)}
        return self._database.run(lambda db: _store(db, keys, new))

    def _keys(self, query: str, texts: Sequence[str]) -> list[bytes]:
        of_list = hashlib.sha256(query.encode("utf-8", "surrogatepass"))
        of_text = [hashlib.sha256(t.encode("utf-8", "surrogatepass")).digest() for t in texts]
        if not self._reranker.listwise:
            return [hashlib.sha256(of_list.digest() + one).digest() for one in of_text]
        for one in of_text:
            of_list.update(one)
        # A text that stands twice in a list has a score for each place.
        return [
            hashlib.sha256(of_list.digest() + one + place.to_bytes(4, "big")).digest()
            for place, one in enumerate(of_text)
        ]


def _timed(
    reranker: Reranker, query: str, texts: Sequence[str]
) -> tuple[NDArray[np.float64], float]:
    """Score texts, and say how long that takes: of a server's kept answers, how long it took."""
    if isinstance(reranker, TimedReranker):
        score, seconds = reranker.timed(query, texts)
    else:
        if isinstance(reranker, Preparing):
            reranker.prepare(texts)
        began = perf_counter()
        score = reranker.score(query, texts)
        seconds = perf_counter() - began
    return checked(reranker, score, len(texts)), seconds


def _read(db: sqlite3.Connection, keys: Sequence[bytes]) -> Kept:
    """Return what is kept and sound."""
    wanted = list(dict.fromkeys(keys))
    found: Kept = {}
    for begin in range(0, len(wanted), AT_ONCE):
        some = wanted[begin : begin + AT_ONCE]
        marks = ",".join("?" * len(some))
        query = f"SELECT key, score, seconds FROM scores WHERE key IN ({marks})"  # noqa: S608
        for key, score, seconds in db.execute(query, some):
            if _is_number(score, 1.0) and _is_number(seconds, float("inf")):
                found[key] = (score, seconds)
    return found


def _store(db: sqlite3.Connection, keys: Sequence[bytes], new: Kept) -> Kept:
    with db:  # commits, or rolls back
        # Reading under the write lock: what another process stored in the meantime stays.
        db.execute("BEGIN IMMEDIATE")
        stored = _read(db, keys)
        rows = [(key, *row) for key, row in new.items() if key not in stored]
        db.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?, ?)", rows)
    return new | stored


def _is_number(value: object, most: float) -> bool:
    return isinstance(value, float) and isfinite(value) and 0 <= value <= most

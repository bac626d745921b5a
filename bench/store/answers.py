"""Answers of remote models kept on disk by what was asked: a question is paid for once."""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit, urlunsplit

from bench.store.sqlite import Database

log = logging.getLogger(__name__)

TABLE = """CREATE TABLE IF NOT EXISTS answers
    (key BLOB PRIMARY KEY, answer TEXT, seconds REAL, asked TEXT, digest BLOB)"""


class Kept(NamedTuple):
    """An answer as it was given when it was asked for."""

    answer: Any
    """JSON."""
    seconds: float
    """What it took."""
    asked: str
    """When, UTC in ISO form."""


class AnswerCache:
    """Answers by the digest of their request. The first one stored for a request stays.

    Neither requests nor keys nor headers are stored. Any number of threads and processes may share
    the folder, and may be killed at any time.

    Args:
        folder: Where caches are kept: `cache_folder()`.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "answers" / "answers.sqlite"
        self._database = Database(self.path, TABLE)

    def get(self, key: bytes) -> Kept | None:
        """Return the answer to a request; None: there is none, or none that is whole.

        Args:
            key: The request's, see `request_key`.

        Raises:
            OSError: The file cannot be used.
        """
        return self._database.run(lambda db: self._read(db, key))

    def put(self, key: bytes, answer: Any, seconds: float) -> Kept:  # noqa: ANN401
        """Store the answer to a request that has none; return the one now stored.

        Args:
            key: The request's, see `request_key`.
            answer: Strict JSON.
            seconds: What it took.

        Raises:
            ValueError: The answer is no strict JSON.
            OSError: The file cannot be used.
        """
        text = _canonical(answer)
        asked = datetime.now(UTC).isoformat(timespec="seconds")
        row = (key, text, float(seconds), asked, _digest(key, text, float(seconds), asked))
        return self._database.run(lambda db: self._store(db, row))

    def forget(self, key: bytes) -> None:
        """Drop the answer to a request, if there is one."""
        self._database.run(lambda db: db.execute("DELETE FROM answers WHERE key = ?", (key,)))

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _store(self, db: sqlite3.Connection, row: tuple[bytes, str, float, str, bytes]) -> Kept:
        with db:  # commits, or rolls back
            # Reading under the write lock, so that only a missing or broken answer is replaced.
            db.execute("BEGIN IMMEDIATE")
            if (found := self._read(db, row[0])) is not None:
                return found
            db.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)", row)
        return Kept(json.loads(row[1]), row[2], row[3])

    def _read(self, db: sqlite3.Connection, key: bytes) -> Kept | None:
        query = "SELECT answer, seconds, asked, digest FROM answers WHERE key = ?"
        row = db.execute(query, (key,)).fetchone()
        if row is None:
            return None
        text, seconds, asked, digest = row
        # SQLite does not notice a changed byte within a value.
        if digest != _digest(key, text, seconds, asked):
            log.warning("%s: a broken answer, asked for again", self.path)
            return None
        return Kept(json.loads(text), seconds, asked)


def request_key(url: str, path: str, payload: Mapping[str, Any]) -> bytes:
    """Digest what is asked, and of whom; user name and password in the URL do not count.

    Raises:
        ValueError: The payload is no strict JSON.
    """
    parts = urlsplit(url)
    bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    return hashlib.sha256(_canonical([bare, path, payload]).encode("ascii")).digest()


def _digest(key: bytes, *values: object) -> bytes:
    return hashlib.sha256(key + repr(values).encode("ascii", "backslashreplace")).digest()


def _canonical(value: object) -> str:
    """Write JSON in the one way: sorted, without blanks, and ASCII for the sake of surrogates."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
